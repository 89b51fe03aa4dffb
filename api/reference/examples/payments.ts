import type { Examples } from '../../routing/route.ts';
import { DEPOSIT, KEY, MISTAKEN_PAYMENT, NEW_INVOICE, PAYMENT } from './ids.ts';
import { full_payment, mistaken_payment, paid, reversed_payment } from './invoice.ts';
import { page } from './list.ts';

export const create: Examples = {
  'A part': {
    path: { id: NEW_INVOICE },
    body: { amount: '0.10', reference: 'cheque 12', paid_at: '2026-02-01' },
    status: 201,
    response: mistaken_payment,
  },
};

export const reverse: Examples = {
  'Recorded by mistake': {
    path: { id: NEW_INVOICE, payment_id: MISTAKEN_PAYMENT },
    body: { reason: 'Paid by another customer' },
    status: 200,
    response: reversed_payment,
  },
};

export const pay: Examples = {
  'Paid by bank transfer': {
    path: { id: NEW_INVOICE },
    body: { reference: 'transfer 4711', paid_at: '2026-02-01' },
    status: 200,
    response: paid,
  },
};

/** Members that a payer does not read. */
const UNSEEN = { reference: null, created_by: null, reversal_reason: null, reversed_by: null };

export const list: Examples = {
  'By reference': {
    query: { reference: 'transfer 4711' },
    status: 200,
    response: page(full_payment),
  },
  'Of an invoice, with a portal link as the key': {
    query: { invoice_id: NEW_INVOICE },
    status: 200,
    response: page({ ...full_payment, ...UNSEEN }, { ...reversed_payment, ...UNSEEN }),
  },
};

export const read: Examples = {
  'A payment by transfer': { path: { id: PAYMENT }, status: 200, response: full_payment },
};

const MARCH = '2026-03-01T00:00:00.000Z';

const paid_in_advance = {
  ...full_payment,
  id: DEPOSIT,
  created_at: MARCH,
  invoice_id: null,
  amount: '50.00',
  to_balance: '50.00',
  reference: 'transfer 4750',
  paid_at: '2026-02-27T00:00:00.000Z',
};

export const deposit: Examples = {
  'A transfer in advance': {
    path: { id: 'acme' },
    body: { amount: '50', reference: 'transfer 4750', paid_at: '2026-02-27' },
    status: 201,
    response: paid_in_advance,
  },
};

export const reverseAny: Examples = {
  'Taken back by the bank': {
    path: { id: DEPOSIT },
    body: { reason: 'Returned by the bank' },
    status: 200,
    response: {
      ...paid_in_advance,
      reversed_at: MARCH,
      reversal_reason: 'Returned by the bank',
      reversed_by: KEY,
    },
  },
};
