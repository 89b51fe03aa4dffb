import { Type, type Static } from 'typebox';
import { findAccount } from '../../src/db/account/accounts.ts';
import { readJournalDocuments } from '../../src/db/invoicing/journal-documents.ts';
import { journalPages, sumJournal } from '../../src/db/invoicing/journal.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { invalid } from '../../src/domain/money/errors.ts';
import { linesOf } from '../../src/domain/invoice/journal.ts';
import { monthIn } from '../../src/domain/time/local-time.ts';
import { JournalDocuments, JournalLine, JournalSummary } from '../../src/objects/journal.ts';
import { exactly } from '../../src/objects/parts.ts';
import { flattened } from '../csv/csv-pages.ts';
import { csvRoute } from '../csv/csv-route.ts';
import * as examples from '../reference/examples/invoices.ts';
import { boundsOf, checkMonth } from '../routing/account-month.ts';
import { route } from '../routing/route.ts';
import { AccountMonth, Instant, Month } from '../schema/schemas.ts';

const Range = exactly({
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
  month: Type.Optional(AccountMonth),
});

const BOOKED =
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

/** The rows of the file of a range, in pages; its columns are those of JournalLine. */
export function journalRows(
  db: Db,
  environment_id: number,
  range: { from: string; to: string },
): AsyncGenerator<readonly object[]> {
  return flattened(journalPages(db, environment_id, range), linesOf);
}

const csv = csvRoute({
  path: '/v1/journal.csv',
  operation_id: 'exportJournal',
  tag: 'Invoices',
  summary: 'Double entry for what was recorded in a range, as a CSV file, oldest first',
  description: `The lines of one \`entry\` add up to equal debits and credits. \`paid_at\` is the date of a payment. ${BOOKED}`,
  query: Range,
  row: JournalLine,
  pages: async function* ({ db, caller, query }) {
    const { environment_id } = caller;
    yield* journalRows(db, environment_id, await rangeOf(db, environment_id, query));
  },
});

const summary = route({
  method: 'get',
  path: '/v1/journal/summary',
  operation_id: 'getJournalSummary',
  tag: 'Invoices',
  summary: 'Add up the journal of a range by currency and account: the trial balance of a month',
  description: `Debits and credits of a currency are equal. ${BOOKED}`,
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
