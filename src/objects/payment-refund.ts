import { Type, type Static } from 'typebox';
import { REFUND_STATUSES } from '../domain/collection/refund.ts';
import { identity, nullable, oneOf, ResponseDecimal, ResponseInstant, responseObject } from './parts.ts';

/** Money of a charge that goes back to its payer (contract.md 19). */
export const PaymentRefundObject = responseObject('PaymentRefund', {
  ...identity('payment_refund'),
  payment_id: Type.String({
    description: 'The payment that it was asked of, or that stood when it was found.',
  }),
  invoice_id: nullable(Type.String({ description: 'Null for a payment in advance.' })),
  customer_id: Type.String(),
  credit_note_id: nullable(
    Type.String({ description: 'The credit note that accounts for it; null: it reverses payments.' }),
  ),
  amount: ResponseDecimal,
  currency: Type.String(),
  reason: nullable(Type.String()),
  status: oneOf(REFUND_STATUSES),
  provider_reference: nullable(Type.String({ description: 'The refund at the provider.' })),
  created_by: nullable(
    Type.String({ description: 'The key or the person; null for one that was made at the provider.' }),
  ),
  ended_at: nullable(ResponseInstant),
});
export type PaymentRefund = Static<typeof PaymentRefundObject>;
