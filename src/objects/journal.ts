import { Type, type Static } from 'typebox';
import { JOURNAL_ACCOUNTS, JOURNAL_TYPES } from '../domain/invoice/journal.ts';
import { nullable, oneOf, ResponseDecimal, ResponseInstant, responseObject } from './parts.ts';

/** billing.md 7: the debits and the credits of the journal in a range, by currency and account. */
export const JournalSummary = responseObject('JournalSummary', {
  object: Type.Literal('journal_summary'),
  from: ResponseInstant,
  to: ResponseInstant,
  data: Type.Array(
    responseObject('JournalSum', {
      currency: Type.String(),
      account: oneOf(JOURNAL_ACCOUNTS),
      debit: ResponseDecimal,
      credit: ResponseDecimal,
    }),
    {
      description:
        'By currency, then in the order of the accounts of an entry; an account that nothing moved is not in it.',
    },
  ),
});
/** The debits and the credits of an account in a currency. */
export type JournalSum = Static<typeof JournalSummary>['data'][number];

/** billing.md 7: a line of the journal; one of `debit` and `credit` is null. */
export const JournalLine = responseObject('JournalLine', {
  at: ResponseInstant,
  entry: Type.String(),
  type: oneOf(JOURNAL_TYPES),
  object_id: Type.String(),
  customer_id: Type.String(),
  currency: Type.String(),
  account: oneOf(JOURNAL_ACCOUNTS),
  debit: nullable(ResponseDecimal),
  credit: nullable(ResponseDecimal),
  paid_at: nullable(ResponseInstant),
});
