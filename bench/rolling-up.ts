import { keepRollingUp } from '../worker/rollup.ts';
import { createPool } from '../src/db/connection/pool.ts';

const LATE_USAGE_DAYS = 35;

/** Runs `work` while the stored events are rolled up, as the worker does. Throws if a rollup fails. */
export async function rollingUp<Result>(database_url: string, work: () => Promise<Result>): Promise<Result> {
  const pool = createPool(database_url, 1, { is_prepared: true });
  const stopping = new AbortController();
  const failures: unknown[] = [];
  const rolling = keepRollingUp(
    pool,
    { signal: stopping.signal, late_usage_days: LATE_USAGE_DAYS, look: () => Promise.resolve(false) },
    (error) => failures.push(error),
  );
  const result = await work().finally(async () => {
    stopping.abort();
    await rolling;
    await pool.end();
  });
  if (failures.length > 0) throw failures[0];
  return result;
}
