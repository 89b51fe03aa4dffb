import { createPool, type Pool } from '../../src/db/pool.ts';
import { createDatabase } from './cluster.ts';
import { pretend } from './pretend.ts';

/** A database whose clock stands still, so that no bucket fills up while a busy machine takes its time. */
export async function createTimelessDatabase(): Promise<string> {
  const database_url = await createDatabase();
  const pool = createPool(database_url, 1);
  await pretend(
    pool,
    `create function clock_timestamp() returns timestamptz language sql return timestamptz '2026-01-01 00:00:00Z'`,
  );
  await pool.end();
  return database_url;
}

/** Lets buckets fill up as if so much time had passed since they were last asked. */
export async function letPass(pool: Pool, seconds: number): Promise<void> {
  await pool.query(`update rate_buckets set counted_at = counted_at - $1 * interval '1 second'`, [seconds]);
}
