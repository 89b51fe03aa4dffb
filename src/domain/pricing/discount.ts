import type { Period } from '../time/period.ts';
import type { Charge } from './charge.ts';
import { chargePeriodKey } from './series.ts';

/** A discount ends by the clock of its customer (contract.md 3). */
export const DISCOUNT_STATUSES = ['active', 'ended'] as const;
export type DiscountStatus = (typeof DISCOUNT_STATUSES)[number];

/** A discount as a line says it (contract.md 4); `percent` is null for a discount of an amount. */
export type LineDiscount = { discount_id: string; name: string; percent: string | null };

/**
 * A discount of a customer, as far as it decides about lines: a percent or an amount, of which the other is null.
 * `event_names` is null for all charges.
 */
export type Discount = LineDiscount & {
  amount: string | null;
  event_names: readonly string[] | null;
  from: string;
  until: string | null;
};

/** A discount of an amount off each full period (billing.md 13). */
export type AmountDiscount = Discount & { amount: string };

export function isOfAmount(discount: Discount): discount is AmountDiscount {
  return discount.amount !== null;
}

/**
 * The discounts of a subscription, the oldest first, those that have ended too. `decided` are the ids that the issued
 * lines of a charge and full period have, by `chargePeriodKey`; a charge without issued lines there is absent.
 */
export type Discounting = {
  discounts: readonly Discount[];
  decided: ReadonlyMap<string, readonly string[]>;
};

export const NO_DISCOUNTS: Discounting = { discounts: [], decided: new Map() };

type DiscountedCharge = Pick<Charge, 'id' | 'event_name'>;

/**
 * The discounts of the lines of a charge and full period: those of its first issued line, else those that hold for this
 * full period (billing.md 11).
 */
export function discountsOn(
  { discounts, decided }: Discounting,
  { id: charge_id, event_name }: DiscountedCharge,
  full_period: Pick<Period, 'period_start' | 'period_end'>,
): LineDiscount[] {
  const ids = decided.get(chargePeriodKey({ charge_id, full_period_start: full_period.period_start }));
  return discounts
    .filter((discount) => !isOfAmount(discount))
    .filter((discount) =>
      ids === undefined
        ? isFor(discount, event_name) && holdsFor(discount, full_period)
        : ids.includes(discount.discount_id),
    )
    .map(({ discount_id, name, percent }) => ({ discount_id, name, percent }));
}

function isFor({ event_names }: Discount, event_name: string): boolean {
  return event_names === null || event_names.includes(event_name);
}

/** Whether a discount holds for a full period, whole: one that begins before its end and ends after its start. */
export function holdsFor(
  { from, until }: Pick<Discount, 'from' | 'until'>,
  { period_start, period_end }: Pick<Period, 'period_start' | 'period_end'>,
): boolean {
  if (until !== null && (until <= from || until <= period_start)) return false;
  return period_end > from;
}

/** The percents of discounts, for the price. */
export function percentsOf(discounts: readonly Pick<LineDiscount, 'percent'>[]): string[] {
  return discounts.flatMap(({ percent }) => percent ?? []);
}
