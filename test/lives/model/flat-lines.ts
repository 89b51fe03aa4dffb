import { NOTHING, type Rational } from '../../support/oracles/price-oracle.ts';
import type { Use } from './giving.ts';
import { percentsOf, type Discount } from './percents.ts';
import { beforePercents, inMinorUnits, priceOf } from './prices.ts';
import {
  lengthOf,
  type Charge,
  type Instant,
  type Invoice,
  type Line,
  type Part,
  type Span,
  type World,
} from './world.ts';

/** Lines of flat amounts (billing.md 1), and their worth. */

const ONE: Rational = { n: 1n, d: 1n };

type Flat = { invoice: Invoice; charge: Charge; part: Part };

/**
 * Flat amount by exact time: the rounded amount of the period up to the part's end, less the rounded amount up to its start,
 * whatever the status of the parts before.
 */
export function flatLine(world: World, { invoice, charge, part }: Flat): Line {
  const { subscription } = invoice;
  const { full_period, start, end } = part;
  const discounts = percentsOf(world, subscription, { charge, full_period });
  const amountWith = (percents: readonly Discount[]) => {
    const upTo = (instant: Instant) =>
      flatAmount(world, { charge, full_period, discounts: percents }, { end: instant });
    return upTo(end) - upTo(start);
  };
  return lineOfAmount(
    { charge, full_period, discounts },
    { start, end },
    { amount: amountWith(discounts), before: amountWith([]) },
  );
}

export type Discounted = Use & { discounts: readonly Discount[] };

/** The rounded flat amount of a full period from its start up to an instant, for a time that pays for the whole amount. */
export function flatAmount(
  world: World,
  { charge, full_period, discounts }: Discounted,
  { end, interval = full_period.interval }: { end: Instant; interval?: Span },
): bigint {
  const numerator = `${lengthOf({ start: full_period.start, end })}`;
  const fraction = { numerator, denominator: `${lengthOf(interval)}` };
  const price = priceOf(charge, { quantity: ONE, credit: NOTHING, fraction }, world);
  return inMinorUnits(world, price, discounts);
}

/** A line of type `flat`, of an amount and the amount before percents. */
export function lineOfAmount(
  { charge, full_period, discounts }: Discounted,
  { start, end }: Span,
  { amount, before }: { amount: bigint; before: bigint },
): Line {
  return {
    ...{ discounts, amount_before: beforePercents(discounts, before) },
    ...{ type: 'flat', charge, full_period, period: { start, end }, item: null },
    ...{ quantity: ONE, billable_quantity: ONE, skipped_events: 0 },
    ...{ draws: [], tiers: null, held: new Set() },
    amount,
  };
}
