import { ALL } from '../../../src/domain/pricing/series.ts';
import type { PrintedInvoice } from '../../../src/documents/pdf/printed-invoice.ts';

export type Line = PrintedInvoice['invoice']['line_items'][number];

const AT = '2026-02-01T00:00:00.000Z';
const PERIOD = { period_start: '2026-01-01T00:00:00.000Z', period_end: AT };

/** A usage line of one unit at 1.00; `parts` overrides. */
export function aLine(parts: Partial<Line>): Line {
  return {
    id: 'li_1',
    type: 'usage',
    charge_id: 'chg_1',
    ...ALL,
    invoice_item: null,
    event_name: 'api_call',
    description: 'A line',
    pricing_model: 'per_unit',
    aggregation: { type: 'count' },
    quantity: '1',
    skipped_events: 0,
    credits_applied: '0',
    billable_quantity: '1',
    tiers: null,
    amount: '1.00',
    ...PERIOD,
    ...{ discounts: [], amount_before: null, stretches: null, billed_before: null },
    ...parts,
  };
}

const TAX = { rate: '0', amount: '0.00', treatment: 'standard', note: null } as const;

/** A seller without an address; `parts` overrides. */
export function aSeller(parts: Partial<PrintedInvoice['invoice']['seller']>) {
  return { name: 'Seller', address: null, tax_ids: [], footer: null, ...parts };
}

/** A customer with an external id alone; `parts` overrides. */
export function aBilledCustomer(parts: Partial<PrintedInvoice['invoice']['customer']>) {
  return {
    ...{ external_id: 'customer', name: null, email: null, address: null, tax_ids: [] },
    ...({ tax_treatment: 'standard', buyer_reference: null } as const),
    ...parts,
  };
}

export type Parts = Partial<Pick<PrintedInvoice['invoice'], 'seller' | 'customer'>> & { replaces?: string };

/** An open invoice as the PDF prints it. Its totals do not depend on the lines. */
export function aPrintedInvoice(line_items: Line[], { replaces, ...parties }: Parts = {}): PrintedInvoice {
  return {
    invoice: {
      ...{ id: 'inv_1', object: 'invoice', livemode: true, number: 'INV-000001', status: 'open' },
      ...{ payment_status: 'unpaid', customer_id: 'customer', subscription_id: 'sub_1', plan_id: 'plan_1' },
      ...{ currency: 'USD', ...PERIOD, line_items, subtotal: '1.00', tax: TAX },
      ...{
        total: '1.00',
        amount_due: '1.00',
        amount_paid: '0.00',
        balance_applied: '0.00',
        balance_at_issue: '0.00',
        credited: '0.00',
        credit_notes: [],
        kind: 'period',
        opening_number: null,
        cause: null,
        credits_applied: '0',
        created_at: AT,
      },
      ...{ replaces: null, replaced_by: null, issued_at: AT, sent_at: null, paid_at: null, voided_at: null },
      ...{ void_reason: null, payment_reference: null, payments: [], due_date: '2026-02-01', overdue: false },
      collection_pause: null,
      collection: { status: 'none', attempts: 0, next_attempt_at: null, workflow_id: null },
      ...{ timezone: 'UTC', hide_zero_lines: false },
      seller: aSeller({}),
      customer: aBilledCustomer({}),
      logo_sha256: null,
      ...parties,
    },
    logo: null,
    charges: [],
    replaces: replaces ?? null,
    replaced_by: null,
  };
}
