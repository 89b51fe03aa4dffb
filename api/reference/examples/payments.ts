import type { Examples } from '../../routing/route.ts';
import { MISTAKEN_PAYMENT, NEW_INVOICE, PAYMENT } from './ids.ts';
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

export const list: Examples = {
  'By reference': {
    query: { reference: 'transfer 4711' },
    status: 200,
    response: page(full_payment),
  },
};

export const read: Examples = {
  'A payment by transfer': { path: { id: PAYMENT }, status: 200, response: full_payment },
};
