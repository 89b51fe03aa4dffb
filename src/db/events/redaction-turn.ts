import type { Db, Pool } from '../connection/pool.ts';
import { whileLocked } from '../connection/session-lock.ts';

const LOCK = 'tidemark.redaction';

/** Whether events may be redacted in this transaction: false while they move between servers. */
export async function mayRedact(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ may_redact: boolean }>(
    'select pg_try_advisory_xact_lock_shared(hashtext($1)) as may_redact',
    [LOCK],
  );
  return rows[0]!.may_redact;
}

/** Runs `work` while no event is redacted; waits for the slice that is being redacted. */
export async function withoutRedaction<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  return whileLocked(pool, LOCK, work);
}
