import pg from 'pg';
import type { Db } from './pool.ts';

const QUERY_CANCELED = '57014';

/** True if a statement took longer than its time limit. */
export function isTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === QUERY_CANCELED;
}

/** A time limit that is set this much too short serves the next statements too, so that few statements set one. */
const STEP_MS = 100;

/** The time limit of statements that the session has now. */
type Session = { limit_ms: number };

/** Limits by the limited Db: the Db that it sends to, its session, and the end of its time by performance.now(). */
const limits = new WeakMap<Db, { db: Db; session: Session; ends_at: number }>();

/**
 * Statements of a transaction that together may take `limit_ms`: each has the rest of it, or up to 200 ms less, as its
 * time limit. What takes longer is cancelled (isTimeout). Of a Db that is limited already, the shorter time counts.
 */
export function timeLimited(db: Db, limit_ms: number): Db {
  const outer = limits.get(db);
  const sent_to = outer?.db ?? db;
  const session = outer?.session ?? { limit_ms: Infinity };
  const ends_at = Math.min(performance.now() + limit_ms, outer?.ends_at ?? Infinity);
  const query = sent_to.query.bind(sent_to) as (...parameters: unknown[]) => Promise<unknown>;
  const limited = async (...parameters: unknown[]) => {
    // 0 would be no limit.
    const rest_ms = Math.max(1, Math.ceil(ends_at - performance.now()));
    if (session.limit_ms > rest_ms || session.limit_ms <= rest_ms - 2 * STEP_MS) {
      session.limit_ms = rest_ms > STEP_MS ? rest_ms - STEP_MS : rest_ms;
      await query(`set local statement_timeout = ${session.limit_ms}`);
    }
    return query(...parameters);
  };
  const inner: Db = { query: limited as Db['query'] };
  limits.set(inner, { db: sent_to, session, ends_at });
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
    const outer = limits.get(db);
    await (outer?.db ?? db).query('rollback to savepoint limited_part');
    // The session has the limit of before the savepoint again.
    if (outer !== undefined) outer.session.limit_ms = Infinity;
    return null;
  }
}
