import type { PaymentSession } from '../../../src/objects/payment-session.ts';
import type { Examples } from '../../routing/route.ts';
import { PAID_INVOICE, PAYMENT_SESSION } from './ids.ts';
import { page } from './list.ts';

const session: PaymentSession = {
  id: PAYMENT_SESSION,
  object: 'payment_session',
  livemode: false,
  created_at: '2026-03-01T09:10:00.000Z',
  invoice_id: PAID_INVOICE,
  customer_id: 'initech',
  amount: '49.00',
  currency: 'USD',
  save: false,
  url: 'https://checkout.stripe.com/c/pay/cs_test_b2C3d4E5f6G7h8I9',
  status: 'open',
  payment_id: null,
  expires_at: '2026-03-01T09:41:00.000Z',
};

export const create: Examples = {
  'A page on which an invoice is paid': {
    path: { id: PAID_INVOICE },
    body: { save: false },
    status: 201,
    response: session,
  },
};

export const list: Examples = {
  'Of an invoice': { query: { invoice_id: PAID_INVOICE }, status: 200, response: page(session) },
};

export const read: Examples = {
  'A page that can be paid': { path: { id: PAYMENT_SESSION }, status: 200, response: session },
};

export const refresh: Examples = {
  'A page that nobody has paid yet': { path: { id: PAYMENT_SESSION }, status: 200, response: session },
};
