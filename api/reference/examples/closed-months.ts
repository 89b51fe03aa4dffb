import type { Examples } from '../../routing/route.ts';
import { KEY } from './ids.ts';
import { page } from './list.ts';

const february = {
  object: 'closed_month',
  month: '2026-02',
  livemode: false,
  from: '2026-02-01T00:00:00.000Z',
  to: '2026-03-01T00:00:00.000Z',
  closed_at: '2026-03-02T09:00:00.000Z',
  closed_by: KEY,
  entries: 1,
  journal_sha256: '5c1d0a7b0d1d5d6f0c0e7f1d2b8a9c3e4f5061728394a5b6c7d8e9f00112233a',
  data: [
    { currency: 'USD', account: 'receivable', debit: '0.12', credit: '0.00' },
    { currency: 'USD', account: 'revenue', debit: '0.00', credit: '0.10' },
    { currency: 'USD', account: 'tax_payable', debit: '0.00', credit: '0.02' },
  ],
};

export const close: Examples = {
  'A month with one invoice': { body: { month: '2026-02' }, status: 201, response: february },
};

export const list: Examples = {
  'The latest first': { status: 200, response: page(february) },
};

export const read: Examples = {
  'A month that is closed': { path: { month: '2026-02' }, status: 200, response: february },
};

export const open: Examples = {
  'A wrong price': {
    path: { month: '2026-02' },
    body: { reason: 'The price of February was wrong' },
    status: 200,
    response: february,
  },
};
