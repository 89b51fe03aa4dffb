import type { Db } from '../connection/pool.ts';

/** How long rows of the log stay, so that `reconcile --since` can go back to them. */
export const CHANGES_KEPT_DAYS = 2;

/**
 * Deletes at most `limit` rows of the log that are old and that every consumer has read, the first in the order of
 * storing: a row was noted before its transaction got its id, so that no old row waits behind a young one for long.
 * Returns how many.
 */
export async function forgetChanges(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from row_changes where ctid = any(array(
       select r.ctid
       from (select ctid, * from row_changes order by epoch, created_xid, id limit $1) as r
       where r.noted_at < now() - interval '${CHANGES_KEPT_DAYS} days' and not exists (
         select from consumers c where not event_in_cut_off(r.epoch, r.created_xid, c.epoch, c.snapshot))))`,
    [limit],
  );
  return rowCount ?? 0;
}
