import { Type, type Static } from 'typebox';
import { ATTEMPT_ORIGINS, ATTEMPT_STATUSES } from '../domain/collection/attempt.ts';
import { identity, nullable, oneOf, ResponseDecimal, ResponseInstant, responseObject } from './parts.ts';

/** One charge of an invoice (contract.md 16). */
export const PaymentAttemptObject = responseObject('PaymentAttempt', {
  ...identity('payment_attempt'),
  invoice_id: Type.String(),
  customer_id: Type.String(),
  number: Type.Integer({ description: 'From 1, of the invoice.' }),
  amount: {
    ...ResponseDecimal,
    description:
      'What it is to charge, which follows what is due until it is confirmed; what it has charged.',
  },
  currency: Type.String(),
  payment_method_id: Type.String(),
  by: oneOf(ATTEMPT_ORIGINS),
  status: oneOf(ATTEMPT_STATUSES),
  decline_code: nullable(Type.String({ description: "The provider's word for why it was declined." })),
  provider_reference: nullable(Type.String({ description: 'The charge at the provider.' })),
  payment_id: nullable(Type.String({ description: 'The payment of one that succeeded.' })),
  ended_at: nullable(ResponseInstant),
});
export type PaymentAttempt = Static<typeof PaymentAttemptObject>;
