import type { Pool } from '../../src/db/pool.ts';
import { eventually } from './eventually.ts';

/** How long who holds a lock waits for others: less than a test may take, so that it is given back before that is over. */
export const WAIT_LIMIT_MS = 10_000;

/** Resolves once somebody in the pool's database waits for a lock. Throws after ten seconds. */
export async function untilSomebodyWaits(pool: Pool): Promise<void> {
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await eventually(async () => (await pool.query(waiting)).rowCount!, Boolean, WAIT_LIMIT_MS);
}
