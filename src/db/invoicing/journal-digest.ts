import { createHash } from 'node:crypto';
import { linesOf } from '../../domain/invoice/journal.ts';
import { csvOf, headerOf } from '../../objects/csv-text.ts';
import type { Db } from '../connection/pool.ts';
import { bareJournalPages } from './journal.ts';

/** Columns of the text: hashes of closed months depend on them, whatever columns files get. */
const COLUMNS = 'at entry type object_id customer_id currency account debit credit paid_at'
  .split(' ')
  .map((name) => ({ name, path: [name] }));

/**
 * Counts the entries of a half-open range that have lines, and hashes these as a CSV file with a header line. One page
 * at a time is in memory.
 */
export async function digestJournal(
  db: Db,
  environment_id: number,
  range: { from: string; to: string },
): Promise<{ entries: number; journal_sha256: string }> {
  const hash = createHash('sha256').update(headerOf(COLUMNS));
  let entries = 0;
  for await (const page of bareJournalPages(db, environment_id, range)) {
    const lines = page.map(linesOf);
    entries += lines.filter((of_entry) => of_entry.length > 0).length;
    hash.update(csvOf(COLUMNS, lines.flat()));
  }
  return { entries, journal_sha256: hash.digest('hex') };
}
