import { type Decimal, ZERO, decimal, sum } from '../money/decimal.ts';
import { toAmount } from '../money/money.ts';
import { isOfQuantity } from '../pricing/charge.ts';
import { price } from '../pricing/pricing.ts';
import type { RatedCharge } from '../pricing/series.ts';
import { quantityAt, ONE, type QuantityChange } from '../subscription/quantity.ts';
import { fractionOf, type Period } from '../time/period.ts';

/** A time of a fee with one quantity, and the part of the fee's worth that it is (billing.md 14). */
export type Stretch = { period_start: string; period_end: string; quantity: string; amount: string };

/** The members of a line without a quantity. */
export const NO_STRETCHES = { stretches: null, billed_before: null };

/** A flat charge with the changes of quantity of its subscription, in the order of time. */
export type Fee = {
  charge: Pick<RatedCharge, 'event_name' | 'pricing'>;
  quantities: readonly QuantityChange[];
};

/** The end of the time that is worth something, and the percents of its discounts. */
export type Worth = { period_end: string; percents: readonly string[]; currency: string };

/** The rounded worth of a fee from the start of a period up to an instant, by exact time (billing.md 10 and 14). */
export function worthUpTo(fee: Fee, period: Period, worth: Worth): Decimal {
  return sum(stretchesOf(fee, period, worth).map(({ amount }) => decimal(amount)));
}

/**
 * The stretches of a fee from the start of a period up to an instant: each is the rounded worth up to its end less that
 * of those before. One for a charge without a quantity.
 */
export function stretchesOf(fee: Fee, period: Period, { period_end, percents, currency }: Worth): Stretch[] {
  const { pricing } = fee.charge;
  const { denominator } = fractionOf(period);
  let numerator = ZERO;
  let before = ZERO;
  return timesOf(fee, { ...period, period_end }).map(({ quantity, ...time }) => {
    numerator = numerator.plus(decimal(fractionOf({ ...period, ...time }).numerator).times(quantity));
    const fraction = { numerator: numerator.toFixed(), denominator };
    const worth = decimal(
      price(pricing, { quantity: ONE, credit: '0', fraction, percents }, currency).amount,
    );
    const amount = toAmount(worth.minus(before), currency);
    before = worth;
    return { ...time, quantity, amount };
  });
}

type Time = Omit<Stretch, 'amount'>;

/** The times of a period with the quantity that is paid in each; neighbours of one quantity are one. */
function timesOf({ charge, quantities }: Fee, { period_start, period_end }: Period): Time[] {
  if (!isOfQuantity(charge)) return [{ period_start, period_end, quantity: ONE }];
  const { event_name } = charge;
  let quantity = quantityAt(quantities, event_name, period_start);
  let kept = ZERO;
  let last: Time = { period_start, period_end, quantity };
  const times = [last];
  for (const change of quantities) {
    const { at } = change;
    if (change.event_name !== event_name || at === null || at <= period_start || at >= period_end) continue;
    if (isKept(charge, change) && decimal(change.quantity).lt(quantity)) kept = decimal(quantity);
    const next = kept.gt(change.quantity) ? kept.toFixed() : change.quantity;
    if (next === quantity) continue;
    quantity = next;
    last.period_end = at;
    last = { period_start: at, period_end, quantity };
    times.push(last);
  }
  return times;
}

/** Whether the quantity before a lower one stays paid until the full period ends. */
function isKept({ pricing }: Fee['charge'], { settle }: QuantityChange): boolean {
  return settle === 'none' && 'billed' in pricing && pricing.billed === 'in_advance';
}
