import { Type, type Static } from 'typebox';
import { PAUSE_REASONS } from '../domain/invoice/collection-pause.ts';
import { nullable, oneOf, ResponseDecimal, ResponseInstant, responseObject } from './parts.ts';

/** Invoices that a statement lists; its sums are of all. */
export const STATEMENT_INVOICES_MAX = 1000;

export const DaysOverdue = Type.Integer({
  description: 'Whole days after the due date, by the day of the customer; 0 up to the due date.',
});

const StatementLine = responseObject('StatementLine', {
  invoice_id: Type.String(),
  number: Type.String(),
  issued_at: ResponseInstant,
  due_date: Type.String(),
  total: ResponseDecimal,
  amount_due: ResponseDecimal,
  days_overdue: DaysOverdue,
  pause_reason: nullable(
    oneOf(PAUSE_REASONS, {
      description: 'Of the invoice, or else of its customer; null if neither is paused.',
    }),
  ),
});
/** An open invoice of a statement. */
export type StatementLine = Static<typeof StatementLine>;

/** The open invoices of a customer, and their sums (contract.md 14). */
export const StatementObject = responseObject('Statement', {
  object: Type.Literal('statement'),
  customer_id: Type.String(),
  currency: Type.String(),
  as_of: { ...ResponseInstant, description: 'The now of the customer.' },
  amount_due: { ...ResponseDecimal, description: 'Of all open invoices.' },
  overdue_amount: { ...ResponseDecimal, description: 'The part of it whose due date is over.' },
  balance: {
    ...ResponseDecimal,
    description: 'Money in advance, which covers the next invoices; it is not taken off.',
  },
  data: Type.Array(StatementLine, {
    description: `Open invoices by due date, the first ${STATEMENT_INVOICES_MAX}; the sums are of all.`,
  }),
});
export type Statement = Static<typeof StatementObject>;
