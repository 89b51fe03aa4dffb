import type { Examples } from '../../routing/route.ts';
import { CREDIT_NOTE, KEY, NEW_INVOICE, NEW_LINE } from './ids.ts';
import { regenerated } from './invoice.ts';
import { page } from './list.ts';

const FEBRUARY = '2026-02-01T00:00:00.000Z';
const { livemode, customer_id, currency, timezone, line_items, tax, seller, customer } = regenerated;

const amounts = {
  lines: [{ line_item_id: NEW_LINE, description: line_items[0]!.description, amount: '0.10' }],
  subtotal: '0.10',
  tax: { ...tax, amount: '0.02' },
  total: '0.12',
  to_invoice: '0.00',
  to_balance: '0.12',
  outside: '0.00',
};
const of_invoice = { invoice_id: NEW_INVOICE, customer_id, currency };

const credit_note = {
  id: CREDIT_NOTE,
  object: 'credit_note',
  livemode,
  created_at: FEBRUARY,
  number: 'CN-000001',
  status: 'issued',
  automatic: false,
  ...of_invoice,
  invoice_number: 'INV-000002',
  timezone,
  ...amounts,
  reason: 'One call failed',
  issued_at: FEBRUARY,
  sent_at: null,
  created_by: KEY,
  voided_at: null,
  void_reason: null,
  voided_by: null,
  seller,
  customer,
};

const body = { lines: [{ line_item_id: NEW_LINE, amount: '0.10' }], reason: 'One call failed' };

export const create: Examples = {
  Preview: {
    path: { id: NEW_INVOICE },
    body: { ...body, dry_run: true },
    status: 200,
    response: { object: 'credit_note_preview', livemode, ...of_invoice, ...amounts },
  },
  'Half of a line of a paid invoice': {
    path: { id: NEW_INVOICE },
    body,
    status: 201,
    response: credit_note,
  },
};

export const list: Examples = {
  'Of a customer': { query: { customer_id: 'acme' }, status: 200, response: page(credit_note) },
};

export const read: Examples = {
  'A credit note': { path: { id: CREDIT_NOTE }, status: 200, response: credit_note },
};

export const voidNote: Examples = {
  'Issued by mistake': {
    path: { id: CREDIT_NOTE },
    body: { reason: 'The call had not failed' },
    status: 200,
    response: {
      ...credit_note,
      status: 'void',
      voided_at: FEBRUARY,
      void_reason: 'The call had not failed',
      voided_by: KEY,
    },
  },
};
