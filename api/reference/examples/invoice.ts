import {
  CHARGE,
  FEBRUARY_INVOICE,
  FEBRUARY_LINE,
  GENERATED_INVOICE,
  GENERATED_LINE,
  INVOICE,
  KEY,
  LINE,
  MISTAKEN_PAYMENT,
  NEW_INVOICE,
  NEW_LINE,
  PAYMENT,
  PLAN,
  SUBSCRIPTION,
} from './ids.ts';
import { ADDRESS } from './customers.ts';

const FEBRUARY = '2026-02-01T00:00:00.000Z';
const MARCH = '2026-03-01T00:00:00.000Z';

export const january = { period_start: '2026-01-01T00:00:00.000Z', period_end: FEBRUARY };
const PARTIES = {
  customer_id: 'acme',
  subscription_id: SUBSCRIPTION,
  plan_id: PLAN,
  kind: 'period',
  currency: 'USD',
  timezone: 'UTC',
};

/** The line of the plan "API calls": the counted events less the events covered by credit, at 0.10 each. */
const line = {
  type: 'usage',
  charge_id: CHARGE,
  price_index: null,
  group: null,
  others: false,
  invoice_item: null,
  event_name: 'api_call',
  description: 'API calls: 3 events, 2 of them covered by credit, from 1 to 31 January 2026',
  pricing_model: 'graduated',
  aggregation: { type: 'count' },
  quantity: '3',
  skipped_events: 0,
  credits_applied: '2',
  billable_quantity: '1',
  tiers: [{ up_to: '1000', quantity: '1', unit_amount: '0.1', flat_amount: '0.00', amount: '0.10' }],
  amount: '0.10',
  ...january,
  discounts: [],
  amount_before: null,
  stretches: null,
  billed_before: null,
};
const tax = { rate: '20', treatment: 'standard', note: null };
const sums = { subtotal: '0.10', tax: { ...tax, amount: '0.02' }, total: '0.12' };

export const upcoming = {
  object: 'upcoming_invoice',
  livemode: false,
  ...PARTIES,
  ...january,
  line_items: [line],
  ...sums,
  credits_applied: '2',
};

export const open = {
  id: INVOICE,
  object: 'invoice',
  livemode: false,
  created_at: FEBRUARY,
  number: 'INV-000001',
  status: 'open',
  payment_status: 'unpaid',
  ...PARTIES,
  cause: null,
  ...january,
  line_items: [{ id: LINE, ...line }],
  ...sums,
  amount_due: '0.12',
  amount_paid: '0.00',
  balance_applied: '0.00',
  balance_at_issue: '0.00',
  opening_number: null,
  credited: '0.00',
  credits_applied: '2',
  replaces: null,
  replaced_by: null,
  issued_at: FEBRUARY,
  due_date: '2026-02-01',
  overdue: false,
  collection_pause: null,
  collection: { status: 'none', attempts: 0, next_attempt_at: null, workflow_id: null },
  timezone: 'UTC',
  sent_at: null,
  paid_at: null,
  voided_at: null,
  void_reason: null,
  payment_reference: null,
  payments: [],
  credit_notes: [],
  hide_zero_lines: false,
  seller: { name: 'Tidemark', address: null, tax_ids: [], footer: null },
  customer: {
    external_id: 'acme',
    name: 'Acme Limited',
    email: 'billing@acme.example',
    address: ADDRESS,
    tax_ids: [],
    tax_treatment: 'standard',
    buyer_reference: null,
  },
  logo_sha256: null,
};

/** The January invoice, regenerated with the late event. */
export const regenerated = {
  ...open,
  id: NEW_INVOICE,
  number: 'INV-000002',
  line_items: [
    {
      ...line,
      id: NEW_LINE,
      description: 'API calls: 4 events, 2 of them covered by credit, from 1 to 31 January 2026',
      quantity: '4',
      billable_quantity: '2',
      tiers: [{ ...line.tiers[0], quantity: '2', amount: '0.20' }],
      amount: '0.20',
    },
  ],
  subtotal: '0.20',
  tax: { ...tax, amount: '0.04' },
  total: '0.24',
  amount_due: '0.24',
  replaces: INVOICE,
};

const payment = {
  object: 'payment',
  livemode: false,
  created_at: FEBRUARY,
  invoice_id: NEW_INVOICE,
  customer_id: 'acme',
  transfer_id: null,
  currency: 'USD',
  created_by: KEY,
};

/** A payment that was recorded for the wrong customer. */
export const mistaken_payment = {
  ...payment,
  id: MISTAKEN_PAYMENT,
  amount: '0.10',
  to_balance: '0.00',
  reference: 'cheque 12',
  paid_at: FEBRUARY,
  reversed_at: null,
  reversal_reason: null,
  reversed_by: null,
};

export const reversed_payment = {
  ...mistaken_payment,
  reversed_at: FEBRUARY,
  reversal_reason: 'Paid by another customer',
  reversed_by: KEY,
};

export const full_payment = {
  ...mistaken_payment,
  id: PAYMENT,
  amount: '0.24',
  reference: 'transfer 4711',
};

export const paid = {
  ...regenerated,
  status: 'paid',
  payment_status: 'paid',
  amount_due: '0.00',
  amount_paid: '0.24',
  paid_at: FEBRUARY,
  payment_reference: 'transfer 4711',
  payments: [reversed_payment, full_payment],
};

const february = { period_start: FEBRUARY, period_end: MARCH };
const february_line = {
  ...line,
  ...february,
  id: FEBRUARY_LINE,
  description: 'API calls: 1 event, from 1 to 28 February 2026',
  quantity: '1',
  credits_applied: '0',
};

/** The February invoice, a draft held for late events. */
export const draft = {
  ...open,
  ...february,
  id: FEBRUARY_INVOICE,
  created_at: MARCH,
  number: null,
  status: 'draft',
  line_items: [february_line],
  credits_applied: '0',
  issued_at: null,
  due_date: null,
};

export const finalized = {
  ...draft,
  number: 'INV-000003',
  status: 'open',
  issued_at: MARCH,
  due_date: '2026-03-01',
};

export const voided = {
  ...finalized,
  status: 'void',
  payment_status: 'void',
  amount_due: '0.00',
  voided_at: MARCH,
  void_reason: 'Waived for the outage',
};

export const generated = {
  ...finalized,
  id: GENERATED_INVOICE,
  replaces: FEBRUARY_INVOICE,
  number: 'INV-000004',
  line_items: [{ ...february_line, id: GENERATED_LINE }],
};
