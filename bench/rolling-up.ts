import { keepRollingUp } from '../activities/rollup.ts';
import { createPool } from '../src/db/pool.ts';

/** Does something while what is stored is rolled up beside it, as the worker does. */
export async function rollingUp<Result>(database_url: string, work: () => Promise<Result>): Promise<Result> {
  const pool = createPool(database_url, 1, { is_prepared: true });
  const stopping = new AbortController();
  const rolling = keepRollingUp(pool, stopping.signal);
  try {
    return await work();
  } finally {
    stopping.abort();
    await rolling;
    await pool.end();
  }
}
