import { minus, rational, times, type Rational } from '../../support/oracles/price-oracle.ts';
import { issuedInvoices } from './giving.ts';
import { knownEnd } from './periods.ts';
import type { Charge, FullPeriod, Instant, Line, Subscription, World } from './world.ts';

/** Percents of a charge and full period (billing.md 11). */

/** A percent off the lines of the customer, or an amount off each full period. */
export type Discount = {
  /** Null: each subscription has all of it. */
  subscription: Subscription | null;
  name: string;
  /** Null for an amount. */
  percent: string | null;
  /** The amount off a full period of a whole interval, as a decimal; null for a percent. */
  amount: string | null;
  /** The events whose charges have it; null: all charges. */
  event_names: readonly string[] | null;
  created_at: Instant;
  from: Instant;
  /** Null: without an end. */
  until: Instant | null;
};

/** A charge and full period. `end` is as far as it is known: of a fee in advance that of the time that it bills. */
type Billed = { charge: Charge; full_period: FullPeriod; end: Instant };
type Optional = Omit<Billed, 'end'> & { end?: Instant };

/** The discounts of a charge and full period, oldest first: as its first issued line has them, else all that hold now. */
export function percentsOf(
  world: World,
  subscription: Subscription,
  { charge, full_period, end = knownEnd(subscription, full_period).end }: Optional,
): readonly Discount[] {
  const billed = { charge, full_period, end };
  const issued = issuedInvoices(world).filter((invoice) => invoice.subscription === subscription);
  const first = issued.flatMap(({ lines }) => lines).find((line) => isOf(billed, line));
  return first?.discounts ?? world.discounts.filter((discount) => holds(discount, subscription, billed));
}

/** Whether a line is one of a charge, of any price or group, and full period. */
function isOf({ charge, full_period: { start } }: Optional, line: Line): boolean {
  const wholeOf = (one: Charge) => one.part?.whole ?? one;
  return wholeOf(line.charge) === wholeOf(charge) && line.full_period.start === start;
}

function holds(
  { percent, subscription, event_names, from, until }: Discount,
  of: Subscription,
  { charge, full_period: { start }, end }: Billed,
): boolean {
  if (percent === null || (subscription !== null && subscription !== of)) return false;
  if (event_names !== null && !event_names.includes(charge.event_name)) return false;
  return from < end && (until === null || (start < until && from < until));
}

/** The factor of a price: the rest that all percents leave. */
export function factorOf(discounts: readonly Discount[]): Rational {
  return discounts.map(({ percent }) => leftBy(percent!)).reduce(times, ONE);
}

const ONE = rational('1');

function leftBy(percent: string): Rational {
  return minus(ONE, times(rational(percent), { n: 1n, d: 100n }));
}
