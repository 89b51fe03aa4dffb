import type { Db } from './pool.ts';

/** Name of the lock under which partitions are made and dropped. */
export const PARTITION_LOCK = 'tidemark.partitions';
/** The longest time for which a statement that stores rows waits for a partition that comes or goes. */
const LOCK_MS = 2000;

/**
 * Takes the turn to make or drop a partition of a table until the end of the caller's transaction. Returns whether the
 * partition is there; null while another transaction has the turn.
 */
export async function partitionTurn(
  db: Db,
  { table, name }: { table: string; name: string },
): Promise<{ is_there: boolean } | null> {
  const { rows } = await db.query<{ is_mine: boolean }>(
    `select pg_try_advisory_xact_lock(hashtext('${PARTITION_LOCK}')) as is_mine`,
  );
  if (!rows[0]!.is_mine) return null;
  await db.query(`set local lock_timeout = ${LOCK_MS}`);
  // By a statement after that of the lock: another transaction may have made or dropped it just before.
  const { rowCount } = await db.query(
    `select from pg_inherits join pg_class c on c.oid = inhrelid
     where inhparent = $1::regclass and c.relname = $2`,
    [table, name],
  );
  return { is_there: rowCount !== 0 };
}
