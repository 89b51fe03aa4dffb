import {
  composeInvoice,
  type ComposedInvoice,
  type InvoiceInput,
} from '../../../src/domain/invoice/invoice.ts';
import { NO_DISCOUNTS, type Discounting } from '../../../src/domain/pricing/discount.ts';
import type { Usage } from '../../../src/domain/lines/line-item.ts';
import type { Period } from '../../../src/domain/time/period.ts';
import type { RatedCharge } from '../../../src/domain/pricing/series.ts';
import { taxTermsOf } from '../../../src/domain/money/tax.ts';
import { aCharge } from './plans.ts';
import { aPeriod, midnight } from './schedules.ts';
import { TIERS } from './tiers.ts';

export const APRIL = aPeriod('2026-04-01', '2026-05-01');

/** Usage of a charge that has no other line. */
export const used = (
  quantity: string,
  quantity_before: Record<string, string> = {},
  skipped_events = 0,
): Usage => ({
  quantity,
  skipped_events,
  quantity_before: new Map(Object.entries(quantity_before).map(([date, units]) => [midnight(date), units])),
  others: [],
  previous_draws: [],
});

/** One graduated charge on T with 15,000 events in April 2026, without credit and tax, unless `parts` says otherwise. */
export function compose(
  parts: Partial<
    Omit<InvoiceInput, 'plans'> & { charges: RatedCharge[]; usage: Map<string, Usage>; period: Period } & {
      discounting: Discounting;
    }
  > = {},
): ComposedInvoice {
  const { usage = new Map([['chg_1', used('15000')]]), period = APRIL, currency = 'USD' } = parts;
  const { discounting = NO_DISCOUNTS } = parts;
  const { charges = [aCharge({ pricing: { pricing_model: 'graduated', tiers: TIERS } })], ...rest } = parts;
  return composeInvoice({
    periods: [],
    plans: new Map([['plan_1', charges]]),
    own: {
      period,
      full_period: { ...period, kind: 'billing', plan_id: 'plan_1' },
      usage,
      discounting,
      currency,
      timezone: 'UTC',
    },
    ...{ late: [], items: [], grants: [], billed: null },
    ...{ fees: { coming: null, ending: null }, is_opening: false, timezone: 'UTC' },
    currency,
    tax: taxTermsOf('standard', '0'),
    ...rest,
  });
}
