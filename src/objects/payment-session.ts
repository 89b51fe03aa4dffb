import { Type, type Static } from 'typebox';
import { SESSION_STATUSES } from '../domain/collection/payment-session.ts';
import { identity, nullable, oneOf, ResponseDecimal, ResponseInstant, responseObject } from './parts.ts';

/** A page of the provider on which an invoice is paid (contract.md 18). */
export const PaymentSessionObject = responseObject('PaymentSession', {
  ...identity('payment_session'),
  invoice_id: Type.String(),
  customer_id: Type.String(),
  amount: { ...ResponseDecimal, description: 'What is paid there.' },
  currency: Type.String(),
  save: Type.Boolean({ description: 'Whether the method is saved for later charges.' }),
  url: nullable(
    Type.String({
      description:
        'Where the payer pays; null once nobody can pay there. An `open` session without one is a debit that takes days.',
      examples: ['https://checkout.stripe.com/c/pay/cs_test_a1B2c3D4'],
    }),
  ),
  status: oneOf(SESSION_STATUSES),
  payment_id: nullable(Type.String({ description: 'The payment of one that is paid.' })),
  expires_at: ResponseInstant,
});
export type PaymentSession = Static<typeof PaymentSessionObject>;
