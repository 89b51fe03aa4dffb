import { Type, type Static } from 'typebox';
import { listJournal, sumJournal, type JournalEntry } from '../../src/db/invoicing/journal.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { decimal } from '../../src/domain/money/decimal.ts';
import { invalid } from '../../src/domain/money/errors.ts';
import { isZero, negated } from '../../src/domain/money/figures.ts';
import { JOURNAL_ACCOUNTS } from '../../src/domain/invoice/journal.ts';
import { toAmount } from '../../src/domain/money/money.ts';
import { JournalLine, JournalSummary } from '../../src/objects/journal.ts';
import { exactly } from '../../src/objects/parts.ts';
import { csvRoute } from '../csv/csv-route.ts';
import * as examples from '../reference/examples/invoices.ts';
import { boundsOf, checkMonth } from '../routing/account-month.ts';
import { route } from '../routing/route.ts';
import { AccountMonth, Instant } from '../schema/schemas.ts';

const PAGE_SIZE = 500;

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

const csv = csvRoute({
  path: '/v1/journal.csv',
  operation_id: 'exportJournal',
  tag: 'Invoices',
  summary: 'Double entry for what was recorded in a range, as a CSV file, oldest first',
  description: `The lines of one \`entry\` add up to equal debits and credits. \`paid_at\` is the date of a payment. ${BOOKED}`,
  query: Range,
  row: JournalLine,
  pages: async function* ({ db, caller, query }) {
    yield* pagesOf(db, caller.environment_id, await rangeOf(db, caller.environment_id, query));
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
    const data = (await sumJournal(db, environment_id, range)).map(({ debit, credit, ...of }) => ({
      ...of,
      debit: toAmount(decimal(debit), of.currency),
      credit: toAmount(decimal(credit), of.currency),
    }));
    return { status: 200, body: { object: 'journal_summary', ...range, data } };
  },
});

async function* pagesOf(db: Db, environment_id: number, range: { from: string; to: string }) {
  for (let after: JournalEntry | null = null; ;) {
    const entries: JournalEntry[] = await listJournal(db, environment_id, {
      ...range,
      after,
      limit: PAGE_SIZE,
    });
    yield entries.flatMap(linesOf);
    after = entries.at(-1) ?? null;
    if (entries.length < PAGE_SIZE) return;
  }
}

/** A line for each account that the entry moves. */
function linesOf({ amounts, ...entry }: JournalEntry): object[] {
  return JOURNAL_ACCOUNTS.flatMap((account) => {
    const amount = amounts[account] ?? '0';
    if (isZero(amount)) return [];
    const is_credit = amount.startsWith('-');
    return {
      ...entry,
      account,
      debit: is_credit ? null : amount,
      credit: is_credit ? negated(amount) : null,
    };
  });
}

export const journalRoutes = [csv, summary];
