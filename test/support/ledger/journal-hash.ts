import { createHash } from 'node:crypto';

/** The columns of a journal whose hash a closed month keeps (contract.md 4). */
export const JOURNAL_COLUMNS = 'at,entry,type,object_id,customer_id,currency,account,debit,credit,paid_at';

type Kept = { entries: number; journal_sha256: string };

/** The number of entries and the hash that a closed month has of the rows of its journal. */
export function keptOf(rows: readonly Readonly<Record<string, string>>[]): Kept {
  const lines = rows.map((row) => JOURNAL_COLUMNS.split(',').map((name) => row[name]!));
  const text = [JOURNAL_COLUMNS, ...lines.map((cells) => cells.join(','))]
    .map((line) => `${line}\r\n`)
    .join('');
  const journal_sha256 = createHash('sha256').update(text).digest('hex');
  return { entries: new Set(rows.map(({ entry }) => entry)).size, journal_sha256 };
}
