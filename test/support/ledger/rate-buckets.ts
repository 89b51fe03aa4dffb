import { createPool, type Pool } from '../../../src/db/connection/pool.ts';
import { createDatabase } from '../servers/cluster.ts';
import { shadowFunction } from './pretend.ts';

/** A database with a stopped clock, so that no token bucket refills while a busy machine is slow. */
export async function createTimelessDatabase(): Promise<string> {
  const database_url = await createDatabase();
  const pool = createPool(database_url, 1);
  await shadowFunction(
    pool,
    `create function clock_timestamp() returns timestamptz language sql return timestamptz '2026-01-01 00:00:00Z'`,
  );
  await pool.end();
  return database_url;
}

/** Refills the token buckets as if this many seconds had passed. */
export async function letPass(pool: Pool, seconds: number): Promise<void> {
  await pool.query(`update rate_buckets set counted_at = counted_at - $1 * interval '1 second'`, [seconds]);
}
