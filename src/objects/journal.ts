import { Type, type Static } from 'typebox';
import { JOURNAL_ACCOUNTS, JOURNAL_TYPES } from '../domain/invoice/journal.ts';
import { nullable, oneOf, ResponseDecimal, ResponseInstant, responseObject } from './parts.ts';

/** The debits and the credits of an account in a currency. */
export const JournalSum = responseObject('JournalSum', {
  currency: Type.String(),
  account: oneOf(JOURNAL_ACCOUNTS),
  debit: ResponseDecimal,
  credit: ResponseDecimal,
});
export type JournalSum = Static<typeof JournalSum>;

/** billing.md 7: the debits and the credits of the journal in a range, by currency and account. */
export const JournalSummary = responseObject('JournalSummary', {
  object: Type.Literal('journal_summary'),
  from: ResponseInstant,
  to: ResponseInstant,
  data: Type.Array(JournalSum, {
    description:
      'By currency, then in the order of the accounts of an entry; an account that nothing moved is not in it.',
  }),
});

/** The totals of documents in a currency, less those of credit notes, by the two months that a document may be in. */
const DocumentSum = responseObject('JournalDocumentSum', {
  currency: Type.String(),
  documents: { ...ResponseDecimal, description: 'Of the documents that print a day of the month.' },
  booked: { ...ResponseDecimal, description: 'Of the documents that the journal has in the month.' },
  difference: { ...ResponseDecimal, description: '`booked` less `documents`.' },
});

/** A document whose day is in another month than its entry of the journal. */
const DifferingDocument = responseObject('DifferingDocument', {
  object_id: Type.String({ description: 'An invoice or a credit note.' }),
  number: Type.String(),
  currency: Type.String(),
  amount: { ...ResponseDecimal, description: 'The total; of a credit note below 0.' },
  printed_month: Type.String({ description: 'That of the day that it prints, such as 2026-11.' }),
  booked_month: Type.String({ description: 'That of its entry, by the time zone of the account.' }),
});

/** contract.md 4: a month by documents and by the journal. */
export const JournalDocuments = responseObject('JournalDocuments', {
  object: Type.Literal('journal_documents'),
  data: Type.Array(DocumentSum, { description: 'By currency.' }),
  differing: Type.Array(DifferingDocument, { description: 'The oldest first, at most 100.' }),
  has_more: Type.Boolean({ description: 'Whether more documents differ.' }),
});
export type JournalDocuments = Static<typeof JournalDocuments>;

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
