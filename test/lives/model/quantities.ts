import { isLess, rational, type Rational } from '../../support/oracles/price-oracle.ts';
import { termsAt } from './periods.ts';
import type { Charge, Instant, Plan, Settle, Span, Subscription } from './world.ts';

/** Quantities of flat charges (billing.md 14): what a subscription has of a name at an instant, and the stretches of a fee. */

/** The quantity of a name from an instant on; `at` is null for the one with which the subscription begins. */
export type QuantityStep = {
  name: string;
  at: Instant | null;
  quantity: string;
  settle: Settle;
  bill: 'with_next' | 'now';
  /** It was sent with a change of plan, and is withdrawn and replaced with it. */
  with_change: boolean;
  /** Its instant has come, and what it brings is billed. */
  is_settled: boolean;
};

const ONE = '1';

/** The steps of a name, the earliest first. */
function stepsOf({ quantities }: Subscription, name: string): QuantityStep[] {
  const of_name = quantities.filter((step) => step.name === name);
  return of_name.toSorted((a, b) => ((a.at ?? '') < (b.at ?? '') ? -1 : 1));
}

/** The quantity of a name at an instant. */
export function quantityAt(subscription: Subscription, name: string, instant: Instant): string {
  const steps = stepsOf(subscription, name).filter(({ at }) => at === null || at <= instant);
  return steps.at(-1)?.quantity ?? ONE;
}

/** The quantity of a name right before an instant. */
export function quantityBefore(subscription: Subscription, name: string, instant: Instant): string {
  const steps = stepsOf(subscription, name).filter(({ at }) => at === null || at < instant);
  return steps.at(-1)?.quantity ?? ONE;
}

/** Whether one decimal is less than another. */
export function isFewer(one: string, other: string): boolean {
  return isLess(rational(one), rational(other));
}

/** The names of the quantities of a plan. */
export function namesOf({ charges }: Plan): string[] {
  return charges.filter(({ has_quantity }) => has_quantity).map(({ event_name }) => event_name);
}

/** The names of the quantities of the plan at an instant. */
export function namesAt(subscription: Subscription, instant: Instant): string[] {
  return namesOf(termsAt(subscription, instant).plan);
}

export type Stretch = Span & { quantity: string };

export type Stretching = Span & {
  /** Only the quantities that have come by this instant; without, all that are known. */
  come_by?: Instant | undefined;
  /** The last quantity holds up to here: unused time that an end leaves paid. */
  kept_to?: Instant | undefined;
  /** A higher quantity stays paid beside a lower one with `settle` `none`. */
  is_in_advance: boolean;
};

/** The times of one quantity each of a charge, from a start to an end; neighbours of one quantity are one. */
export function stretchesOf(
  subscription: Subscription,
  { event_name, has_quantity }: Charge,
  { start, end, come_by, kept_to, is_in_advance }: Stretching,
): Stretch[] {
  const last = kept_to ?? end;
  if (last <= start) return [];
  if (!has_quantity) return [{ start, end: last, quantity: ONE }];
  const isInside = ({ at }: QuantityStep) =>
    at !== null && start < at && at < end && (come_by === undefined || at <= come_by);
  let actual = quantityAt(subscription, event_name, start);
  let floor: string | null = null;
  const stretches: Stretch[] = [{ start, end: last, quantity: actual }];
  for (const { at, quantity, settle } of stepsOf(subscription, event_name).filter(isInside)) {
    if (is_in_advance && settle === 'none' && isFewer(quantity, actual)) floor = most(floor, actual);
    actual = quantity;
    const counted = most(floor, actual);
    const before = stretches.at(-1)!;
    if (isEqual(before.quantity, counted)) continue;
    before.end = at!;
    stretches.push({ start: at!, end: last, quantity: counted });
  }
  return stretches;
}

function most(one: string | null, other: string): string {
  return one === null || isFewer(one, other) ? other : one;
}

function isEqual(one: string, other: string): boolean {
  return !isFewer(one, other) && !isFewer(other, one);
}

/** Quantity x time, in milliseconds, of stretches up to an instant. */
export function weightOf(stretches: readonly Stretch[], end: Instant): Rational {
  let sum: Rational = { n: 0n, d: 1n };
  for (const stretch of stretches) {
    const to = stretch.end < end ? stretch.end : end;
    if (to <= stretch.start) continue;
    const { n, d } = rational(stretch.quantity);
    const time = BigInt(Date.parse(to) - Date.parse(stretch.start));
    sum = { n: sum.n * d + n * time * sum.d, d: sum.d * d };
  }
  return sum;
}

/**
 * Takes back quantities that were sent with the change of plan that is scheduled at `pending`, and with one of an instant;
 * returns their names, of which too much may have been billed ahead.
 */
export function removeWithChange(
  subscription: Subscription,
  { pending, at }: { pending: Instant | null; at: Instant | null },
): string[] {
  const isIts = (step: QuantityStep) => step.with_change && (step.at === pending || step.at === at);
  const taken = subscription.quantities.filter(isIts);
  subscription.quantities = subscription.quantities.filter((step) => !taken.includes(step));
  return taken.map(({ name }) => name);
}
