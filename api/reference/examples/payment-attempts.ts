import type { Examples } from '../../routing/route.ts';
import { ATTEMPT, FEBRUARY_INVOICE, METHOD } from './ids.ts';
import { finalized } from './invoice.ts';
import { page } from './list.ts';

const MARCH = '2026-03-01T09:00:00.000Z';

const declined = {
  id: ATTEMPT,
  object: 'payment_attempt',
  livemode: false,
  created_at: MARCH,
  invoice_id: FEBRUARY_INVOICE,
  customer_id: 'acme',
  number: 1,
  amount: finalized.amount_due,
  currency: 'USD',
  payment_method_id: METHOD,
  by: 'person',
  status: 'declined',
  decline_code: 'insufficient_funds',
  provider_reference: 'pi_3SqZ1a2B3c4D5e6F7g8H',
  payment_id: null,
  ended_at: MARCH,
};

export const charge: Examples = {
  'A card without the money': {
    path: { id: FEBRUARY_INVOICE },
    body: {},
    status: 201,
    response: declined,
  },
};

export const list: Examples = {
  'Of an invoice': { query: { invoice_id: FEBRUARY_INVOICE }, status: 200, response: page(declined) },
};

export const read: Examples = {
  'One that was declined': { path: { id: ATTEMPT }, status: 200, response: declined },
};
