import { NOTHING, type Rational } from '../../support/oracles/price-oracle.ts';
import type { Use } from './giving.ts';
import { percentsOf, type Discount } from './percents.ts';
import { beforePercents, inMinorUnits, priceOf } from './prices.ts';
import { stretchesOf, weightOf, type Stretch } from './quantities.ts';
import {
  lengthOf,
  type Charge,
  type Instant,
  type Invoice,
  type Line,
  type Part,
  type Span,
  type Subscription,
  type World,
} from './world.ts';

/** Lines of flat amounts (billing.md 1 and 14), and their worth. */

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
  const worthUpTo = (instant: Instant, percents: readonly Discount[]) =>
    worthOfTime(world, { subscription, charge, full_period, discounts: percents }, { end: instant });
  const amountWith = (percents: readonly Discount[]) => worthUpTo(end, percents) - worthUpTo(start, percents);
  return lineOfAmount(
    world,
    { subscription, charge, full_period, discounts },
    {
      ...{ span: { start, end }, time: { end } },
      ...{ amount: amountWith(discounts), before: amountWith([]) },
      billed_before: worthUpTo(start, discounts),
    },
  );
}

export type Discounted = Use & { subscription: Subscription; discounts: readonly Discount[] };

/** The time of a flat amount: up to an end, of an interval that pays for the whole amount. */
export type Time = {
  end: Instant;
  interval?: Span;
  kept_to?: Instant | undefined;
  come_by?: Instant | undefined;
};

/** The rounded flat amount of a full period from its start up to the end of a time, by its quantities. */
export function worthOfTime(world: World, flat: Discounted, time: Time): bigint {
  return worthUpTo(world, { ...flat, time }, time.kept_to ?? time.end);
}

type Timed = Discounted & { time: Time };

function timesOf({ subscription, charge, full_period, time }: Timed): Stretch[] {
  const { start } = full_period;
  const is_in_advance = charge.pricing.pricing_model === 'flat' && charge.pricing.billed === 'in_advance';
  return stretchesOf(subscription, charge, { start, ...time, is_in_advance });
}

function worthUpTo(world: World, flat: Timed, instant: Instant): bigint {
  const { charge, full_period, discounts, time } = flat;
  const { n, d } = weightOf(timesOf(flat), instant);
  const interval_ms = BigInt(lengthOf(time.interval ?? full_period.interval));
  const fraction = { numerator: `${n}`, denominator: `${d * interval_ms}` };
  const price = priceOf(charge, { quantity: ONE, credit: NOTHING, fraction }, world);
  return inMinorUnits(world, price, discounts);
}

/** The stretches of a charge with a quantity, each with what it adds to the worth; null of any other charge. */
function pricedStretches(world: World, flat: Timed): Line['stretches'] {
  if (!flat.charge.has_quantity) return null;
  return timesOf(flat).map(({ start, end, quantity }) => ({
    ...{ start, end, quantity },
    amount: worthUpTo(world, flat, end) - worthUpTo(world, flat, start),
  }));
}

type Amounts = { span: Span; time: Time; amount: bigint; before: bigint; billed_before: bigint };

/** A line of type `flat`, of an amount and the amount before percents. */
export function lineOfAmount(
  world: World,
  flat: Discounted,
  { span: { start, end }, time, amount, before, billed_before }: Amounts,
): Line {
  const { charge, full_period, discounts } = flat;
  const stretches = pricedStretches(world, { ...flat, time });
  return {
    ...{ discounts, amount_before: beforePercents(discounts, before) },
    ...{ type: 'flat', charge, full_period, period: { start, end }, item: null },
    ...{ quantity: ONE, billable_quantity: ONE, skipped_events: 0 },
    ...{ draws: [], tiers: null, held: new Set() },
    ...{ stretches, billed_before: stretches === null ? null : billed_before },
    amount,
  };
}
