import { Type, type Static } from 'typebox';
import { identity, nullable, oneOf, ResponseDecimal, ResponseInstant, responseObject } from './parts.ts';
import { PaymentObject } from './payment.ts';

/** Money that a customer paid at once, such as for several invoices (contract.md 4). */
export const TransferObject = responseObject('Transfer', {
  ...identity('transfer'),
  customer_id: Type.String(),
  currency: Type.String(),
  amount: ResponseDecimal,
  reference: nullable(Type.String()),
  paid_at: ResponseInstant,
  payments: Type.Array(PaymentObject, {
    description: 'A payment of each invoice, and one in advance of what is left; reversed ones too.',
  }),
});
export type Transfer = Static<typeof TransferObject>;

/** The relations of a row of a bank's file to the invoices that are open (billing.md 7). */
const MATCH_STATUSES = ['ignored', 'booked', 'matched', 'partial', 'ambiguous', 'unmatched'] as const;

const MatchedRow = responseObject('MatchedRow', {
  status: oneOf(MATCH_STATUSES),
  customer_id: nullable(Type.String()),
  invoices: Type.Array(
    responseObject('MatchedInvoice', { id: Type.String(), number: Type.String(), amount: ResponseDecimal }),
    { description: 'What a transfer of the row would pay of each invoice.' },
  ),
  to_balance: {
    ...ResponseDecimal,
    description: 'What a transfer of the row would leave on the balance.',
  },
  transfer_id: nullable(
    Type.String({
      description: 'The transfer that has booked the row; null where a payment of its own has.',
    }),
  ),
  candidates: Type.Array(
    responseObject('MatchCandidate', {
      customer_id: Type.String(),
      id: Type.String(),
      number: Type.String(),
      amount: { ...ResponseDecimal, description: 'What is due.' },
    }),
  ),
});
export type MatchedRow = Static<typeof MatchedRow>;

/** The match of each row of a bank's file, in their order. */
export const TransferMatch = responseObject('TransferMatch', {
  object: Type.Literal('transfer_match'),
  data: Type.Array(MatchedRow),
});
