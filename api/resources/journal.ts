import { Type, type Static } from 'typebox';
import { datevFile, datevFileName, datevRefusal } from '../../src/billing/owed/datev.ts';
import { findAccount } from '../../src/db/account/accounts.ts';
import { latestNow } from '../../src/db/customers/customer-now.ts';
import { readJournalDocuments } from '../../src/db/invoicing/journal-documents.ts';
import { sumJournal } from '../../src/db/invoicing/journal.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { invalid } from '../../src/domain/money/errors.ts';
import { monthIn } from '../../src/domain/time/local-time.ts';
import { JournalDocuments, JournalSummary } from '../../src/objects/journal.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import { BOOKED_DAY } from '../csv/booked.ts';
import { csvRoute, type OtherFile } from '../csv/csv-route.ts';
import { JournalRow, journalRows } from '../csv/journal-file.ts';
import * as examples from '../reference/examples/invoices.ts';
import { boundsOf, checkMonth } from '../routing/account-month.ts';
import { route } from '../routing/route.ts';
import { AccountMonth, Currency, Instant, Month } from '../schema/schemas.ts';

const RANGE = {
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
  month: Type.Optional(AccountMonth),
};
const Range = exactly(RANGE);
const FileQuery = exactly({
  ...RANGE,
  format: oneOf(['csv', 'datev'], {
    default: 'csv',
    description:
      '`datev`: the file of a `month` for DATEV, EXTF 700, Buchungsstapel, version 13, in Windows-1252. It needs `datev` and ' +
      '`account_numbers` of the account: 409 has a detail `missing` for each that is not there, `too_many` above 99,999 rows.',
  }),
  currency: Type.Optional({
    ...Currency,
    description: 'By default all, in a file for DATEV that of the account; there with two decimals at most.',
  }),
});

const RECORDED =
  'An entry is booked when it is recorded, `at`, so that a closed month does not change. `from` is inclusive, `to` is exclusive; both are ' +
  'required without `month`.';

/** Throws invalid_request for less than a range or a month, and for both. */
async function rangeOf(
  db: Db,
  environment_id: number,
  query: Static<typeof Range>,
): Promise<{ from: string; to: string }> {
  checkMonth(query);
  const { from, to } = await boundsOf(db, environment_id, {
    from: query.from,
    to: query.to,
    month: query.month,
  });
  if (from === undefined) throw missing('from');
  if (to === undefined) throw missing('to');
  return { from, to };
}

function missing(bound: string) {
  return invalid(bound, 'missing', `${bound} is missing; send from and to, or month`);
}

const csv = csvRoute({
  path: '/v1/journal.csv',
  operation_id: 'exportJournal',
  tag: 'Invoices',
  summary:
    'Double entry for what was recorded in a range, as a CSV file, oldest first, or as a file for DATEV',
  description: `The lines of one \`entry\` add up to equal debits and credits. \`paid_at\` is the date of a payment. ${BOOKED_DAY} ${RECORDED}`,
  query: FileQuery,
  row: JournalRow,
  refusals: ['conflict'],
  // A file for DATEV is read to its end before it is sent.
  may_take_long: true,
  otherFile: ({ db, caller, query }) => fileForDatev(db, caller.environment_id, query),
  pages: async function* ({ db, caller: { environment_id }, query }) {
    const range = await rangeOf(db, environment_id, query);
    yield* journalRows(db, environment_id, { ...range, currency: query.currency });
  },
});

/** The file for DATEV that a query asks for; null for none. Throws invalid_request without a month. */
async function fileForDatev(
  db: Db,
  environment_id: number,
  query: Static<typeof FileQuery>,
): Promise<OtherFile | null> {
  const { format, month } = query;
  if (format !== 'datev') return null;
  checkMonth(query);
  if (month === undefined)
    throw invalid('month', 'missing', 'month is missing: a file for DATEV is of a month');
  const { currency: own, timezone } = await findAccount(db, environment_id);
  const asked = { month, ...monthIn(month, timezone), currency: query.currency ?? own };
  const pieces = async function* () {
    const refusal = await datevRefusal(db, environment_id, asked);
    if (refusal !== null) throw refusal;
    const { latest_now: created_at } = await latestNow(db, environment_id);
    yield* datevFile(db, environment_id, { ...asked, created_at });
  };
  return { name: datevFileName(asked), character_set: 'windows-1252', pieces: pieces() };
}

const summary = route({
  method: 'get',
  path: '/v1/journal/summary',
  operation_id: 'getJournalSummary',
  tag: 'Invoices',
  summary: 'Add up the journal of a range by currency and account: the trial balance of a month',
  description: `Debits and credits of a currency are equal. ${RECORDED}`,
  query: Range,
  examples: examples.journalSummary,
  responses: { 200: JournalSummary },
  may_take_long: true,
  handle: async ({ db, caller: { environment_id }, query }) => {
    const range = await rangeOf(db, environment_id, query);
    const data = await sumJournal(db, environment_id, range);
    return { status: 200, body: { object: 'journal_summary', ...range, data } };
  },
});

const documents = route({
  method: 'get',
  path: '/v1/journal/documents',
  operation_id: 'getJournalDocuments',
  tag: 'Invoices',
  summary: 'Compare the documents of a month with the journal',
  description:
    'A document prints a day of its own time zone, and is booked by that of the account: an invoice of 1 November in Tokyo may be booked on 31 ' +
    'October. Totals of invoices less those of credit notes, void or not, and the documents that are in another month.',
  query: exactly({
    month: Type.String({ ...Month, description: 'A month by the time zone of the account.' }),
  }),
  examples: examples.journalDocuments,
  responses: { 200: JournalDocuments },
  may_take_long: true,
  handle: async ({ db, caller: { environment_id }, query: { month } }) => {
    const { timezone } = await findAccount(db, environment_id);
    const of_month = { month, timezone, ...monthIn(month, timezone) };
    const found = await readJournalDocuments(db, environment_id, of_month);
    return { status: 200, body: { object: 'journal_documents', ...found } };
  },
});

export const journalRoutes = [csv, summary, documents];
