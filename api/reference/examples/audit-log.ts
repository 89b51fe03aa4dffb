import type { Examples } from '../../routing/route.ts';
import { AUDIT_ENTRY, FEBRUARY_INVOICE, KEY } from './ids.ts';
import { page } from './list.ts';

const entry = {
  id: AUDIT_ENTRY,
  object: 'audit_entry',
  livemode: false,
  action: 'invoice.voided',
  object_type: 'invoice',
  object_id: FEBRUARY_INVOICE,
  customer_id: 'acme',
  invoice_id: FEBRUARY_INVOICE,
  actor: { type: 'key', id: KEY, name: 'Created at the first start' },
  before: { status: 'open' },
  after: { status: 'void' },
  reason: 'Waived for the outage',
  request_id: 'req_01kjkxfnw0f259hrss4p7k2m9d',
  address: '127.0.0.1',
  created_at: '2026-03-01T09:00:00.000Z',
};

export const list: Examples = {
  'Who voided an invoice': {
    query: { object_id: FEBRUARY_INVOICE, action: 'invoice.voided' },
    status: 200,
    response: page(entry),
  },
};
