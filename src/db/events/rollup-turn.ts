import type { Db } from '../pool.ts';

/** Memory for the sums of a step. */
const WORK_MEMORY = '64MB';

/** Takes the rollup's lock for this transaction and applies its settings. Returns false if another process holds the lock. */
export async function tryRollupLock(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ is_mine: boolean }>(
    `select pg_try_advisory_xact_lock(hashtext('tidemark.rollup')) as is_mine`,
  );
  if (!rows[0]!.is_mine) return false;
  await db.query(`set local work_mem = '${WORK_MEMORY}'`);
  // Force a hash aggregate: without statistics the planner sorts, which is three times slower.
  await db.query('set local enable_sort = off');
  return true;
}

/** Waits for the rollup's lock and takes it for this transaction. */
export async function waitForRollupLock(db: Db): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtext('tidemark.rollup'))`);
}
