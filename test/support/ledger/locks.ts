import type { Pool } from '../../../src/db/connection/pool.ts';
import { eventually } from '../servers/eventually.ts';

/** Time limit for a test that holds a lock: shorter than mocha's limit, so that the test still releases the lock. */
export const WAIT_LIMIT_MS = 10_000;

/** Resolves once a session of the pool's database waits for a lock. Throws after ten seconds. */
export async function untilSomebodyWaits(pool: Pool): Promise<void> {
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await eventually(async () => (await pool.query(waiting)).rowCount!, Boolean, WAIT_LIMIT_MS);
}
