import type { Examples } from '../../routing/route.ts';
import { renamed } from './customers.ts';
import { INVOICE, KEY } from './ids.ts';
import { open } from './invoice.ts';
import { page } from './list.ts';

const FEBRUARY = '2026-02-01T00:00:00.000Z';

const promised = { reason: 'promised', until: '2026-02-20', note: 'Ada pays with the wages' };
const disputed = { reason: 'disputed', note: 'By letter of 30 January' };
const recorded = { created_at: FEBRUARY, created_by: KEY };
const paused = { ...open, collection_pause: { ...promised, ...recorded } };

export const pauseInvoice: Examples = {
  'A promise to pay': { path: { id: INVOICE }, body: promised, status: 200, response: paused },
};

export const resumeInvoice: Examples = {
  'The promise was not kept': { path: { id: INVOICE }, body: {}, status: 200, response: open },
};

const customer = { ...renamed, credit_remaining: 0, test_clock: FEBRUARY };

export const pauseCustomer: Examples = {
  'Everything is disputed': {
    path: { id: 'acme' },
    body: disputed,
    status: 200,
    response: { ...customer, collection_pause: { until: null, ...disputed, ...recorded } },
  },
};

export const resumeCustomer: Examples = {
  'Nothing is disputed any more': { path: { id: 'acme' }, body: {}, status: 200, response: customer },
};

const due = { currency: 'USD', amount_due: '0.12' };
const line = {
  invoice_id: INVOICE,
  number: 'INV-000001',
  due_date: '2026-02-01',
  total: '0.12',
  amount_due: '0.12',
  days_overdue: 0,
};

export const statement: Examples = {
  'One open invoice': {
    path: { id: 'acme' },
    status: 200,
    response: {
      object: 'statement',
      customer_id: 'acme',
      as_of: FEBRUARY,
      ...due,
      overdue_amount: '0.00',
      balance: '0.00',
      data: [{ ...line, issued_at: FEBRUARY, pause_reason: 'promised' }],
    },
  },
};

export const list: Examples = {
  'What is paused': {
    query: { paused: 'true' },
    status: 200,
    response: page({
      object: 'collection_case',
      livemode: false,
      customer_id: 'acme',
      customer_name: 'Acme Limited',
      ...line,
      ...due,
      overdue: false,
      invoice_pause: paused.collection_pause,
      customer_pause: null,
      last_reminder: null,
    }),
  },
};
