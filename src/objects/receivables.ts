import { Type, type Static } from 'typebox';
import { nullable, ResponseDecimal, responseObject } from './parts.ts';

const BY_AGE = {
  current: { ...ResponseDecimal, description: 'Not due, or due on the day itself.' },
  days_1_30: { ...ResponseDecimal, description: 'Due 1 to 30 days ago.' },
  days_31_60: ResponseDecimal,
  days_61_90: ResponseDecimal,
  days_over_90: ResponseDecimal,
  total: ResponseDecimal,
};

/** contract.md 4: a customer that owes something. */
export const Debtor = responseObject('Debtor', {
  customer_id: Type.String(),
  name: nullable(Type.String()),
  currency: Type.String(),
  ...BY_AGE,
  oldest_due_date: Type.String({ description: 'The earliest due date of what is owed, such as 2026-01-31.' }),
  invoices: Type.Integer({ description: 'How many invoices something is owed of.' }),
});
export type Debtor = Static<typeof Debtor>;

const ReceivableSum = responseObject('ReceivableSum', { currency: Type.String(), ...BY_AGE });
/** The sum of all debtors in a currency. */
export type ReceivableSum = Static<typeof ReceivableSum>;

/** billing.md 7: the amounts that customers owe, by the days since they were due. */
export const Receivables = responseObject('Receivables', {
  object: Type.Literal('receivables'),
  as_of: nullable(
    Type.String({ description: 'The day as sent; null for all that is booked, each customer at its today.' }),
  ),
  timezone: Type.String({ description: 'That of the account, whose days count.' }),
  sums: Type.Array(ReceivableSum, {
    description: 'Of all debtors that the filters find, on whatever page, by currency.',
  }),
  data: Type.Array(Debtor, { description: 'The most overdue first.' }),
  has_more: Type.Boolean(),
  next_cursor: nullable(Type.String()),
});
