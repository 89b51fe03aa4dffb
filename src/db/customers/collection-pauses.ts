import type { PauseReason } from '../../domain/invoice/collection-pause.ts';
import type { Db } from '../connection/pool.ts';
import { CUSTOMER_NOW } from './customer-now.ts';

/** The row of a pause: an invoice `i`, or a customer `c`. */
export type PausedRow = 'i' | 'c';

/**
 * SQL: the collection of the invoice `i`, or of the customer `c`, is paused at `now`. A pause is over with its last
 * day, `until`, in the customer's time zone: at `ends_at`.
 */
export function isPaused(row: PausedRow, now = CUSTOMER_NOW): string {
  const pause = `${row}.collection_pause`;
  return `(${pause} is not null and (${pause} ->> 'ends_at' is null
      or (${pause} ->> 'ends_at')::timestamptz > ${now}))`;
}

/** SQL: the pause of the invoice `i`, or of the customer `c`, as the API shows it; null for none that lasts. */
export function pauseOf(row: PausedRow): string {
  return `case when ${isPaused(row)}
      then ${row}.collection_pause - 'ends_at' || jsonb_build_object('note', ${row}.collection_note) end`;
}

/** SQL: why the invoice `i` of the customer `c` is paused, by its own pause or that of its customer; null if not. */
export const PAUSE_REASON = `case when ${isPaused('i')} then i.collection_pause ->> 'reason'
      when ${isPaused('c')} then c.collection_pause ->> 'reason' end`;

const TABLES: Readonly<Record<PausedRow, string>> = { i: 'invoices', c: 'customers' };

/** A pause to store. `ends_at` is null without a last day; `created_at` is the customer's now. */
export type NewPause = {
  reason: PauseReason;
  until: string | null;
  ends_at: string | null;
  note: string | null;
  created_at: string;
  created_by: string;
};

/**
 * Pauses the collection of an invoice that is open, or of a customer. Returns false for another one, and for one that
 * is paused.
 */
export async function writePause(
  db: Db,
  environment_id: number,
  { row, id }: { row: PausedRow; id: string },
  { note, ...pause }: NewPause,
): Promise<boolean> {
  const is_open = row === 'i' ? "i.status = 'open'" : 'true';
  const { rowCount } = await db.query(
    `update ${TABLES[row]} ${row} set collection_pause = $3, collection_note = $4
     where environment_id = $1 and id = $2 and ${is_open} and not ${isPaused(row, '$5::timestamptz')}`,
    [environment_id, id, JSON.stringify(pause), note, pause.created_at],
  );
  return rowCount === 1;
}

/** Ends the pause of an invoice or a customer. Returns false for one that is not paused at `now`, the customer's. */
export async function endPause(
  db: Db,
  environment_id: number,
  { row, id }: { row: PausedRow; id: string },
  now: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update ${TABLES[row]} ${row} set collection_pause = null, collection_note = null,
       collection_resumed_at = $3
     where environment_id = $1 and id = $2 and ${isPaused(row, '$3::timestamptz')}`,
    [environment_id, id, now],
  );
  return rowCount === 1;
}
