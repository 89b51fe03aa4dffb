import type { PaymentDispute } from '../../../src/objects/payment-dispute.ts';
import type { PaymentRefund } from '../../../src/objects/payment-refund.ts';
import type { Payment } from '../../../src/objects/payment.ts';
import type { Examples } from '../../routing/route.ts';
import { ATTEMPT, CHARGE_PAYMENT, CHARGED_INVOICE, DISPUTE, KEY, REFUND, REST_PAYMENT } from './ids.ts';
import { page } from './list.ts';

const CHARGE = 'pi_3QK1v2Lk3mZ8a9Bc0dEfGhIj';

const refunded: Payment = {
  id: CHARGE_PAYMENT,
  object: 'payment',
  livemode: false,
  created_at: '2026-03-01T09:00:02.000Z',
  invoice_id: CHARGED_INVOICE,
  customer_id: 'globex',
  transfer_id: null,
  currency: 'USD',
  amount: '49.00',
  to_balance: '0.00',
  reference: CHARGE,
  paid_at: '2026-03-01T09:00:02.000Z',
  created_by: ATTEMPT,
  reversed_at: '2026-03-02T09:00:00.000Z',
  reversal_reason: 'One week without service',
  reversed_by: REFUND,
  refunded: '9.00',
  refundable: '0.00',
};

export const refund: Examples = {
  'A part': {
    path: { id: CHARGE_PAYMENT },
    body: { amount: '9', reason: 'One week without service' },
    status: 200,
    response: refunded,
  },
};

const made: PaymentRefund = {
  id: REFUND,
  object: 'payment_refund',
  livemode: false,
  created_at: '2026-03-02T09:00:00.000Z',
  payment_id: CHARGE_PAYMENT,
  invoice_id: CHARGED_INVOICE,
  customer_id: 'globex',
  credit_note_id: null,
  amount: '9.00',
  currency: 'USD',
  reason: 'One week without service',
  status: 'succeeded',
  provider_reference: 're_3QK1v2Lk3mZ8a9Bc1aBcDeFg',
  created_by: KEY,
  ended_at: '2026-03-02T09:00:01.000Z',
};

export const list: Examples = {
  'Of a payment': { query: { payment_id: CHARGE_PAYMENT }, status: 200, response: page(made) },
};

export const read: Examples = {
  'One that the provider has given back': { path: { id: REFUND }, status: 200, response: made },
};

const dispute: PaymentDispute = {
  id: DISPUTE,
  object: 'payment_dispute',
  livemode: false,
  created_at: '2026-03-09T09:00:00.000Z',
  payment_id: REST_PAYMENT,
  invoice_id: CHARGED_INVOICE,
  customer_id: 'globex',
  amount: '40.00',
  currency: 'USD',
  reason: 'fraudulent',
  status: 'open',
  provider_reference: 'dp_1QK1v2Lk3mZ8a9BcHiJkLmNo',
  ended_at: null,
};

export const listOfDisputes: Examples = {
  'Of a customer': { query: { customer_id: 'globex' }, status: 200, response: page(dispute) },
};

export const readDispute: Examples = {
  'One that is open': { path: { id: DISPUTE }, status: 200, response: dispute },
};
