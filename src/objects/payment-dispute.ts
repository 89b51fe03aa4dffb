import { Type, type Static } from 'typebox';
import { DISPUTE_STATUSES } from '../domain/collection/refund.ts';
import { identity, nullable, oneOf, ResponseDecimal, ResponseInstant, responseObject } from './parts.ts';

/** Money of a charge that the payer's bank takes back, or asks about (contract.md 19). */
export const PaymentDisputeObject = responseObject('PaymentDispute', {
  ...identity('payment_dispute'),
  payment_id: Type.String({ description: 'The payment that stood when it was found.' }),
  invoice_id: nullable(Type.String({ description: 'Null for a payment in advance.' })),
  customer_id: Type.String(),
  amount: ResponseDecimal,
  currency: Type.String(),
  reason: Type.String({ description: "The provider's word, such as `fraudulent`." }),
  status: oneOf(DISPUTE_STATUSES),
  provider_reference: Type.String({ description: 'The dispute at the provider.' }),
  ended_at: nullable(ResponseInstant),
});
export type PaymentDispute = Static<typeof PaymentDisputeObject>;
