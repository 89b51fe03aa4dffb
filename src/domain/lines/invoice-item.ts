import { NO_STRETCHES } from './stretches.ts';
import { decimal } from '../money/decimal.ts';
import type { ComposedLine } from './line-item.ts';
import { toAmount } from '../money/money.ts';
import { ALL } from '../pricing/series.ts';

export const INVOICE_ITEM_STATUSES = ['pending', 'invoiced'] as const;
export type InvoiceItemStatus = (typeof INVOICE_ITEM_STATUSES)[number];

/** An amount that a person puts on an invoice; `amount` in the currency's minor digits. */
export type ItemToBill = {
  id: string;
  description: string;
  quantity: string;
  unit_amount: string;
  amount: string;
};

/** The period of the invoice that takes the item. */
type BilledPeriod = Pick<ComposedLine, 'period_start' | 'period_end' | 'full_period_start'>;

/** Quantity times unit amount, rounded once, half away from zero (billing.md 3). */
export function itemAmount(quantity: string, unit_amount: string, currency: string): string {
  return toAmount(decimal(quantity).times(unit_amount), currency);
}

/** The line of an item. No credit covers it: credit counts units of usage. */
export function itemLine(
  { id, description, quantity, unit_amount, amount }: ItemToBill,
  { period_start, period_end, full_period_start }: BilledPeriod,
): ComposedLine {
  return {
    type: 'item',
    charge_id: null,
    ...ALL,
    invoice_item: { id, unit_amount },
    event_name: null,
    description,
    pricing_model: null,
    aggregation: null,
    quantity,
    skipped_events: 0,
    credits_applied: '0',
    billable_quantity: quantity,
    tiers: null,
    amount,
    period_start,
    period_end,
    discounts: [],
    amount_before: null,
    ...NO_STRETCHES,
    full_period_start,
  };
}
