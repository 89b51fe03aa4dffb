import type { Db } from './pool.ts';

const NAMES = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_material', 'jit'];

/**
 * Runs statements of a transaction that join a large table to a few rows of others, each of which has its rows there by
 * an index. Of a range, such as a day, the planner expects a ninth of a table, and would rather read all of it. A full
 * join still uses a hash. Without compiled plans, which the cost of what is off would ask for.
 */
export async function byIndex<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await db.query(NAMES.map((name) => `set local ${name} = off`).join('; '));
  const result = await work();
  await db.query(NAMES.map((name) => `set local ${name} to default`).join('; '));
  return result;
}
