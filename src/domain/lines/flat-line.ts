import { toAmount } from '../money/money.ts';
import { isOfQuantity } from '../pricing/charge.ts';
import { discountsOn, percentsOf, type LineDiscount } from '../pricing/discount.ts';
import { seriesOf } from '../pricing/series.ts';
import type { Period } from '../time/period.ts';
import type { TitledCharge } from './charge-title.ts';
import { describeFee } from './description.ts';
import type { ComposedLine, InvoicedPeriod } from './line-item.ts';
import { NO_STRETCHES, stretchesOf, worthUpTo, type Stretch } from './stretches.ts';

/** The content of a flat line; `amount_before` is null without discounts. The last two are of any charge. */
type FlatLine = {
  period: Period;
  full_period_start: string;
  amount: string;
  discounts: LineDiscount[];
  amount_before: string | null;
  stretches: Stretch[];
  billed_before: string;
  currency: string;
  timezone: string;
};

/** The line of a flat amount. */
export function flatLine(charge: TitledCharge, billed: FlatLine): ComposedLine {
  const { period, full_period_start, amount, discounts, amount_before, currency, timezone } = billed;
  const by_quantity = isOfQuantity(charge)
    ? { stretches: billed.stretches, billed_before: billed.billed_before }
    : NO_STRETCHES;
  const { id: charge_id, event_name, pricing, series } = charge;
  return {
    type: 'flat',
    charge_id,
    ...seriesOf(series),
    invoice_item: null,
    event_name,
    // The share that it is of the price of a period, whatever the percent.
    description: describeFee({
      charge,
      amount: amount_before ?? amount,
      period,
      timezone,
      currency,
      stretches: by_quantity.stretches,
    }),
    pricing_model: pricing.pricing_model,
    aggregation: null,
    quantity: '1',
    skipped_events: 0,
    credits_applied: '0',
    billable_quantity: '1',
    tiers: null,
    amount,
    period_start: period.period_start,
    period_end: period.period_end,
    discounts,
    amount_before,
    ...by_quantity,
    full_period_start,
  };
}

/**
 * The line of a flat amount in arrears: the rounded amount of the full period up to the end of the part, less the
 * rounded amount up to its start. No part is below zero, and the parts add up to the full amount (billing.md 1).
 */
export function arrearsLine(
  charge: TitledCharge,
  { period, full_period, discounting, quantities, currency, timezone }: InvoicedPeriod,
): ComposedLine {
  const fee = { charge, quantities };
  const discounts = discountsOn(discounting, charge, full_period);
  const percents = percentsOf(discounts);
  const { period_start, period_end } = period;
  const amountWith = (percents: readonly string[]) => {
    const upTo = (end: string) => worthUpTo(fee, full_period, { period_end: end, percents, currency });
    return toAmount(upTo(period_end).minus(upTo(period_start)), currency);
  };
  const before = worthUpTo(fee, full_period, { period_end: period_start, percents, currency });
  return flatLine(charge, {
    period,
    full_period_start: full_period.period_start,
    amount: amountWith(percents),
    discounts,
    amount_before: discounts.length === 0 ? null : amountWith([]),
    stretches: stretchesOf(fee, full_period, { period_end, percents, currency }),
    billed_before: toAmount(before, currency),
    currency,
    timezone,
  });
}
