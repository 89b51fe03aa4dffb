import { type Decimal, decimal } from '../money/decimal.ts';
import { toAmount } from '../money/money.ts';
import type { Pricing } from '../pricing/definitions.ts';
import { discountsOn, percentsOf, type LineDiscount } from '../pricing/discount.ts';
import { price } from '../pricing/pricing.ts';
import { seriesOf } from '../pricing/series.ts';
import { fractionOf, type Period } from '../time/period.ts';
import type { TitledCharge } from './charge-title.ts';
import { describeFee } from './description.ts';
import type { ComposedLine, InvoicedPeriod } from './line-item.ts';

/** The content of a flat line; `amount_before` is null without discounts. */
type FlatLine = {
  period: Period;
  full_period_start: string;
  amount: string;
  discounts: LineDiscount[];
  amount_before: string | null;
  currency: string;
  timezone: string;
};

/** The line of a flat amount. */
export function flatLine(charge: TitledCharge, billed: FlatLine): ComposedLine {
  const { period, full_period_start, amount, discounts, amount_before, currency, timezone } = billed;
  const { id: charge_id, event_name, pricing, series } = charge;
  return {
    type: 'flat',
    charge_id,
    ...seriesOf(series),
    invoice_item: null,
    event_name,
    // The share that it is of the price of a period, whatever the percent.
    description: describeFee({ charge, amount: amount_before ?? amount, period, timezone, currency }),
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
    full_period_start,
  };
}

/** The rounded flat amount of a period up to an instant, by exact time. */
export function flatAmountUpTo(
  pricing: Pricing,
  period: Period,
  { period_end, percents, currency }: { period_end: string; percents: readonly string[]; currency: string },
): Decimal {
  const fraction = fractionOf({ ...period, period_end });
  return decimal(price(pricing, { quantity: '1', credit: '0', fraction, percents }, currency).amount);
}

/**
 * The line of a flat amount in arrears: the rounded amount of the full period up to the end of the part, less the
 * rounded amount up to its start. No part is below zero, and the parts add up to the full amount (billing.md 1).
 */
export function arrearsLine(
  charge: TitledCharge,
  { period, full_period, discounting, currency, timezone }: InvoicedPeriod,
): ComposedLine {
  const { pricing } = charge;
  const discounts = discountsOn(discounting, charge, full_period);
  const amountWith = (percents: readonly string[]) => {
    const upTo = (period_end: string) =>
      flatAmountUpTo(pricing, full_period, { period_end, percents, currency });
    return toAmount(upTo(period.period_end).minus(upTo(period.period_start)), currency);
  };
  return flatLine(charge, {
    period,
    full_period_start: full_period.period_start,
    amount: amountWith(percentsOf(discounts)),
    discounts,
    amount_before: discounts.length === 0 ? null : amountWith([]),
    currency,
    timezone,
  });
}
