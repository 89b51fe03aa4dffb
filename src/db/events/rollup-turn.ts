import type { Db } from '../pool.ts';

/** The sums of a step, while they are made. */
const WORK_MEMORY = '64MB';

/** Makes this transaction the only one that rolls up, with the settings for it; false where another is at it. */
export async function takeTurn(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ is_mine: boolean }>(
    `select pg_try_advisory_xact_lock(hashtext('tidemark.rollup')) as is_mine`,
  );
  if (!rows[0]!.is_mine) return false;
  await db.query(`set local work_mem = '${WORK_MEMORY}'`);
  // By hashes: to sort a step takes three times as long, which the planner does where it knows nothing of the table yet.
  await db.query('set local enable_sort = off');
  return true;
}

/** Makes this transaction the only one that rolls up, once the others are done. */
export async function waitForTurn(db: Db): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtext('tidemark.rollup'))`);
}
