import type { Period } from '../time/period.ts';
import type { Charge } from './charge.ts';
import { chargePeriodKey } from './series.ts';

/** A discount ends by the clock of its customer (contract.md 3). */
export const DISCOUNT_STATUSES = ['active', 'ended'] as const;
export type DiscountStatus = (typeof DISCOUNT_STATUSES)[number];

/** A percent off the price of a line, as the line says it (contract.md 4). */
export type LineDiscount = { discount_id: string; name: string; percent: string };

/** A discount of a customer, as far as it decides about lines; `event_names` is null for all charges. */
export type Discount = LineDiscount & {
  event_names: readonly string[] | null;
  from: string;
  until: string | null;
};

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

/** It holds for all of a full period that begins before its end and ends after its start. */
function holdsFor(
  { from, until }: Discount,
  { period_start, period_end }: Pick<Period, 'period_start' | 'period_end'>,
): boolean {
  if (until !== null && (until <= from || until <= period_start)) return false;
  return period_end > from;
}

/** The percents of discounts, for the price. */
export function percentsOf(discounts: readonly Pick<LineDiscount, 'percent'>[]): string[] {
  return discounts.map(({ percent }) => percent);
}
