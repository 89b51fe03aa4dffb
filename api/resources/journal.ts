import { listJournal, type JournalEntry } from '../../src/db/invoicing/journal.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { isZero, negated } from '../../src/domain/figures.ts';
import { JOURNAL_ACCOUNTS } from '../../src/domain/journal.ts';
import { JournalLine } from '../../src/objects/journal.ts';
import { exactly } from '../../src/objects/parts.ts';
import { csvRoute } from '../csv/csv-route.ts';
import { checkOrder } from '../schema/range.ts';
import { Instant } from '../schema/schemas.ts';

const PAGE_SIZE = 500;

const csv = csvRoute({
  path: '/v1/journal.csv',
  operation_id: 'exportJournal',
  tag: 'Invoices',
  summary: 'Double entry for what was recorded in a range, as a CSV file, oldest first',
  description:
    'The lines of one `entry` add up to equal debits and credits. An entry is booked when it is recorded, `at`, so that a closed month does not ' +
    'change; `paid_at` is the date of a payment. `from` is inclusive, `to` is exclusive.',
  query: exactly({ from: Instant, to: Instant }),
  row: JournalLine,
  pages: ({ db, caller, query }) => {
    checkOrder(query);
    return pagesOf(db, caller.environment_id, query);
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

export const journalRoutes = [csv];
