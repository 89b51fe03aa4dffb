import type { Examples } from '../../routing/route.ts';
import {
  CHARGE,
  FEBRUARY_INVOICE,
  INVOICE,
  LATE_EVENT,
  NEW_INVOICE,
  PROPOSED_INVOICE,
  PROPOSED_LINE,
  REGENERATION,
  SUBSCRIPTION,
} from './ids.ts';
import { regenerated as comparison } from './comparisons.ts';
import { draft, finalized, generated, january, open, regenerated, voided } from './invoice.ts';
import { page } from './list.ts';

export const list: Examples = {
  'Open invoices of a customer': {
    query: { customer_id: 'acme', status: 'open', from: '2026-01-01', to: '2026-03-01' },
    status: 200,
    response: page(open),
  },
  'Invoices issued in February': {
    query: { issued_month: '2026-02' },
    status: 200,
    response: page(open),
  },
};

export const summary: Examples = {
  'Open invoices of a customer': {
    query: { customer_id: 'acme', status: 'open' },
    status: 200,
    response: {
      object: 'invoice_summary',
      data: [
        {
          status: 'open',
          currency: 'USD',
          count: 1,
          total: '0.12',
          tax: '0.02',
          amount_due: '0.12',
          amount_paid: '0.00',
        },
      ],
    },
  },
};

export const journalSummary: Examples = {
  'The trial balance of a month': {
    query: { month: '2026-02' },
    status: 200,
    response: {
      object: 'journal_summary',
      from: '2026-02-01T00:00:00.000Z',
      to: '2026-03-01T00:00:00.000Z',
      data: [
        { currency: 'USD', account: 'receivable', debit: '0.12', credit: '0.00' },
        { currency: 'USD', account: 'revenue', debit: '0.00', credit: '0.10' },
        { currency: 'USD', account: 'tax_payable', debit: '0.00', credit: '0.02' },
      ],
    },
  },
};

export const journalDocuments: Examples = {
  'A month whose documents are all booked in it': {
    query: { month: '2026-02' },
    status: 200,
    response: {
      object: 'journal_documents',
      data: [{ currency: 'USD', documents: '0.12', booked: '0.12', difference: '0.00' }],
      differing: [],
      has_more: false,
    },
  },
};

export const read: Examples = {
  'Three calls, two of them covered by credit': { path: { id: INVOICE }, status: 200, response: open },
};

export const finalize: Examples = {
  'A draft': { path: { id: FEBRUARY_INVOICE }, status: 200, response: finalized },
};

export const voidInvoice: Examples = {
  'For goodwill': {
    path: { id: FEBRUARY_INVOICE },
    body: { reason: 'Waived for the outage' },
    status: 200,
    response: voided,
  },
};

export const generate: Examples = {
  'A period with a void invoice': {
    body: { subscription_id: SUBSCRIPTION },
    status: 201,
    response: page(generated),
  },
  'No period is due': { body: { subscription_id: SUBSCRIPTION }, status: 200, response: page() },
};

const ALL = { price_index: null, group: null, others: false };
const line_item = {
  type: 'usage',
  charge_id: CHARGE,
  ...ALL,
  invoice_item: null,
  discounts: [],
  event_name: 'api_call',
  ...january,
};

export const regenerate: Examples = {
  'Preview of the changes': {
    path: { id: INVOICE },
    body: { dry_run: true },
    status: 200,
    response: {
      object: 'regeneration_preview',
      current: open,
      proposed: {
        ...regenerated,
        id: PROPOSED_INVOICE,
        number: null,
        line_items: [{ ...regenerated.line_items[0], id: PROPOSED_LINE }],
      },
      changes: [
        { line_item, field: 'quantity', before: '3', after: '4' },
        { line_item, field: 'billable_quantity', before: '1', after: '2' },
        { line_item, field: 'amount', before: '0.10', after: '0.20' },
        { line_item: null, field: 'subtotal', before: '0.10', after: '0.20' },
        { line_item: null, field: 'tax.amount', before: '0.02', after: '0.04' },
        { line_item: null, field: 'total', before: '0.12', after: '0.24' },
      ],
      comparison,
      events_added: [
        { charge_id: CHARGE, ...ALL, period_start: january.period_start, count: 1, event_ids: [LATE_EVENT] },
      ],
    },
  },
  'With a late event': {
    path: { id: INVOICE },
    body: { reason: 'A call came late' },
    status: 201,
    response: regenerated,
  },
};

export const readRegeneration: Examples = {
  Done: {
    path: { id: REGENERATION },
    status: 200,
    response: {
      id: REGENERATION,
      object: 'regeneration',
      livemode: false,
      created_at: '2026-02-01T00:00:00.000Z',
      status: 'done',
      invoice_id: INVOICE,
      new_invoice_id: NEW_INVOICE,
      reason: 'A call came late',
      refusal: null,
      details: null,
      requested_at: '2026-02-01T00:00:00.000Z',
      finished_at: '2026-02-01T00:00:00.000Z',
    },
  },
};

export const advance: Examples = {
  'To the end of January': {
    body: { customer_id: 'acme', to: '2026-02-01' },
    status: 200,
    response: {
      object: 'test_clock',
      customer_id: 'acme',
      now: '2026-02-01T00:00:00.000Z',
      invoices: [open],
    },
  },
  'To the end of February, with held drafts': {
    body: { customer_id: 'acme', to: '2026-03-01', hold_drafts: true },
    status: 200,
    response: {
      object: 'test_clock',
      customer_id: 'acme',
      now: '2026-03-01T00:00:00.000Z',
      invoices: [draft],
    },
  },
};
