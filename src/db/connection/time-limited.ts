import pg from 'pg';
import type { Db } from './pool.ts';

const QUERY_CANCELED = '57014';

/** True if a statement took longer than its time limit. */
export function isTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === QUERY_CANCELED;
}

/** The limits by the limited Db: the Db that it sends statements to, and the end of its time by performance.now(). */
const limits = new WeakMap<Db, { db: Db; ends_at: number }>();

/**
 * Statements of a transaction that together may take `limit_ms`: each has the rest of it as its time limit. What takes
 * longer is cancelled (isTimeout). Of a Db that is limited already, the shorter time counts.
 */
export function timeLimited(db: Db, limit_ms: number): Db {
  const outer = limits.get(db);
  const sent_to = outer?.db ?? db;
  const ends_at = Math.min(performance.now() + limit_ms, outer?.ends_at ?? Infinity);
  const query = sent_to.query.bind(sent_to) as (...parameters: unknown[]) => Promise<unknown>;
  const limited = async (...parameters: unknown[]) => {
    // 0 would be no limit.
    await query(`set local statement_timeout = ${Math.max(1, Math.ceil(ends_at - performance.now()))}`);
    return query(...parameters);
  };
  const inner: Db = { query: limited as Db['query'] };
  limits.set(inner, { db: sent_to, ends_at });
  return inner;
}

/** Runs a part of a transaction that may take `limit_ms`. Returns null, as if it had not run, if it takes longer. */
export async function withinTime<T>(
  db: Db,
  limit_ms: number,
  part: (db: Db) => Promise<T>,
): Promise<T | null> {
  await db.query('savepoint limited_part');
  try {
    const result = await part(timeLimited(db, limit_ms));
    await db.query('release savepoint limited_part');
    return result;
  } catch (error) {
    if (!isTimeout(error)) throw error;
    // Not by a limited Db: until then the transaction takes no other statement, a time limit neither.
    await (limits.get(db)?.db ?? db).query('rollback to savepoint limited_part');
    return null;
  }
}
