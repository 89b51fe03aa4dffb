import type { PaymentAttempt } from '../../../src/objects/payment-attempt.ts';
import type { Examples } from '../../routing/route.ts';
import { ATTEMPT, CHARGE_PAYMENT, CHARGED_INVOICE, CHARGED_METHOD } from './ids.ts';
import { page } from './list.ts';

const attempt: PaymentAttempt = {
  id: ATTEMPT,
  object: 'payment_attempt',
  livemode: false,
  created_at: '2026-03-01T09:00:00.000Z',
  invoice_id: CHARGED_INVOICE,
  customer_id: 'globex',
  number: 1,
  amount: '49.00',
  currency: 'USD',
  payment_method_id: CHARGED_METHOD,
  by: 'person',
  status: 'succeeded',
  decline_code: null,
  provider_reference: 'pi_3QK1v2Lk3mZ8a9Bc0dEfGhIj',
  payment_id: CHARGE_PAYMENT,
  ended_at: '2026-03-01T09:00:02.000Z',
};

export const charge: Examples = {
  'With the default method': { path: { id: CHARGED_INVOICE }, body: {}, status: 201, response: attempt },
};

export const list: Examples = {
  'Attempts under way': { query: { status: 'processing' }, status: 200, response: page() },
};

export const read: Examples = {
  'A charge that succeeded': { path: { id: ATTEMPT }, status: 200, response: attempt },
};
