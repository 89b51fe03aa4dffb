import { Type, type Static } from 'typebox';
import { JournalSum } from './journal.ts';
import { ResponseInstant, responseObject } from './parts.ts';

/** contract.md 4: a month whose books are closed. */
export const ClosedMonthObject = responseObject('ClosedMonth', {
  object: Type.Literal('closed_month'),
  month: Type.String({ description: 'Such as 2026-10.' }),
  livemode: Type.Boolean(),
  from: ResponseInstant,
  to: ResponseInstant,
  closed_at: ResponseInstant,
  closed_by: Type.String({ description: 'The key or the user.' }),
  entries: Type.Integer({ description: 'How many entries the file of the journal has.' }),
  journal_sha256: Type.String({
    description:
      'SHA-256 of the journal of the month as a CSV file with a header line and the columns at, entry, type, object_id, customer_id, ' +
      'currency, account, debit, credit and paid_at.',
  }),
  data: Type.Array(JournalSum, { description: 'The trial balance.' }),
});
export type ClosedMonth = Static<typeof ClosedMonthObject>;
