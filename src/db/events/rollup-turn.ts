import type { QueryResult, QueryResultRow } from 'pg';
import type { Db } from '../connection/pool.ts';

/** Memory for the sums of a step. */
const SETTINGS = `set local work_mem = '64MB'`;

/**
 * Takes the rollup's lock for this transaction and applies its settings. Returns false if another process holds the
 * lock.
 */
export async function tryRollupLock(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ is_mine: boolean }>(
    `select pg_try_advisory_xact_lock(hashtext('tidemark.rollup')) as is_mine`,
  );
  if (rows[0]!.is_mine) await db.query(SETTINGS);
  return rows[0]!.is_mine;
}

/**
 * Runs a statement of the rollup with hash aggregates: without statistics the planner sorts, which is three times
 * slower. For this statement alone: where the rows must have an order, the planner would read a whole index of the
 * events in place of a sort.
 */
export async function queryWithHashes<Row extends QueryResultRow>(
  db: Db,
  text: string,
  values: unknown[],
): Promise<QueryResult<Row>> {
  await db.query('set local enable_sort = off');
  const result = await db.query<Row>(text, values);
  await db.query('set local enable_sort = on');
  return result;
}

/** Waits for the rollup's lock, takes it for this transaction and applies its settings. */
export async function waitForRollupLock(db: Db): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtext('tidemark.rollup'))`);
  await db.query(SETTINGS);
}
