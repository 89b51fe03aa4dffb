import { rounded, rational, times } from '../../support/oracles/price-oracle.ts';
import { billedBy } from './giving.ts';
import type { Discount } from './percents.ts';
import { knownEnd } from './periods.ts';
import {
  lengthOf,
  type FullPeriod,
  type Invoice,
  type Line,
  type Subscription,
  type World,
} from './world.ts';

/** Sums of full periods (billing.md 13): of plan lines, and of what discounts and the minimum have changed so far. */

/** Part of a line that an automatic note is about to credit. */
export type Planned = { invoice: Invoice; place: number; amount: bigint };

/** Whether a line is of usage, late usage or a fee. */
export function isPlanLine({ type }: Line): boolean {
  return type === 'flat' || type === 'usage' || type === 'late_usage';
}

/** The full period that starts when another one does, as it is known now: a plan may have been exchanged since. */
export function presentPeriod(
  { full_periods, left_out, exchanged }: Subscription,
  full_period: FullPeriod,
): FullPeriod {
  const isIt = ({ start }: FullPeriod) => start === full_period.start;
  return [...full_periods, ...left_out].find(isIt) ?? exchanged.findLast(isIt) ?? full_period;
}

/** The lines of a kind for a full period on invoices that are not void, of one subscription, without one of its invoices. */
export function linesIn(
  { invoices }: World,
  { subscription, full_period: { start } }: PeriodOf,
  { without, isIts }: { without?: Invoice | undefined; isIts: (line: Line) => boolean },
): Line[] {
  return invoices
    .filter((one) => one.subscription === subscription && one.status !== 'void' && one !== without)
    .flatMap(({ lines }) => lines)
    .filter((line) => line.full_period.start === start && isIts(line));
}

export type PeriodOf = { subscription: Subscription; full_period: FullPeriod };

/** The amounts of lines less the automatic notes on them that stand, and those that are planned. */
export function netOf(world: World, lines: readonly Line[], planned: readonly Planned[] = []): bigint {
  const isOn = ({ invoice, place }: Planned) => lines.includes(invoice.lines[place]!);
  return billedBy(world, lines) - planned.filter(isOn).reduce((sum, { amount }) => sum + amount, 0n);
}

/** An amount for the time of a full period, up to the end that is known, in minor units. */
export function shareOfTime(
  { digits }: World,
  { subscription, full_period }: PeriodOf,
  amount: string,
): bigint {
  const { start, interval } = full_period;
  const { end } = knownEnd(subscription, full_period);
  const time = { n: BigInt(lengthOf({ start, end })), d: BigInt(lengthOf(interval)) };
  return BigInt(rounded(times(rational(amount), time), digits).replace('.', ''));
}

/** Discounts of an amount that hold for a full period, or of which an issued line stands in it, the oldest first. */
export function amountsOff(world: World, of: PeriodOf): Discount[] {
  return world.discounts.filter(
    (discount) => discount.amount !== null && (holdsFor(discount, of) || hasIssuedLine(world, of, discount)),
  );
}

/** Whether a discount of an amount holds for a full period by its times. */
export function holdsFor(discount: Discount, { subscription, full_period }: PeriodOf): boolean {
  const { from, until } = discount;
  if (discount.subscription !== null && discount.subscription !== subscription) return false;
  const { end } = knownEnd(subscription, full_period);
  return from < end && (until === null || (full_period.start < until && from < until));
}

function hasIssuedLine({ invoices }: World, of: PeriodOf, discount: Discount): boolean {
  return invoices.some(
    ({ subscription, status, lines }) =>
      subscription === of.subscription &&
      (status === 'open' || status === 'paid') &&
      lines.some((line) => line.full_period.start === of.full_period.start && isOff(line, discount)),
  );
}

/** Whether a line takes the amount of a discount off its full period. */
export function isOff({ type, discounts }: Line, discount: Discount): boolean {
  return type === 'discount' && discounts.includes(discount);
}

/** The amounts that discounts, the older ones first, are to take off a sum; none below zero. */
export function sharedOff(world: World, of: PeriodOf, sum: bigint): { discount: Discount; amount: bigint }[] {
  let left = sum < 0n ? 0n : sum;
  return amountsOff(world, of).map((discount) => {
    const most = shareOfTime(world, of, discount.amount!);
    const amount = most < left ? most : left;
    left -= amount;
    return { discount, amount };
  });
}
