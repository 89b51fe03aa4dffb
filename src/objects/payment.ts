import { Type, type Static } from 'typebox';
import { identity, nullable, ResponseDecimal, ResponseInstant, responseObject } from './parts.ts';

/** A payment of a customer, reversed or not (contract.md 4). */
export const PaymentObject = responseObject('Payment', {
  ...identity('payment'),
  invoice_id: nullable(Type.String({ description: 'Null for a payment in advance.' })),
  customer_id: Type.String(),
  transfer_id: nullable(Type.String({ description: 'The transfer of which the payment is a part.' })),
  currency: Type.String(),
  amount: ResponseDecimal,
  to_balance: {
    ...ResponseDecimal,
    description:
      "The part above what was due, which went to the customer's balance; of a payment in advance all of it.",
  },
  reference: nullable(Type.String()),
  paid_at: ResponseInstant,
  created_by: nullable(Type.String({ description: 'The key or the person that recorded the payment.' })),
  reversed_at: nullable(ResponseInstant),
  reversal_reason: nullable(Type.String()),
  reversed_by: nullable(
    Type.String({ description: 'The key or the person, or the refund or the dispute that reversed it.' }),
  ),
  refunded: { ...ResponseDecimal, description: 'What refunds of it give back that have not failed.' },
  refundable: {
    ...ResponseDecimal,
    description:
      'What is left to refund: 0 of a payment that is reversed, or that the payment provider did not make.',
  },
});
export type Payment = Static<typeof PaymentObject>;
