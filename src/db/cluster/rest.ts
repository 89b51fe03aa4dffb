import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { withArchiveLock } from '../archive/lock.ts';
import { onConnection, type Pool } from '../connection/pool.ts';
import { withoutNewPartitions } from '../events/partitions.ts';
import { withoutRedaction } from '../events/redaction-turn.ts';
import { LOCK_MS } from './add-node.ts';

/** Connections that `atRest` holds while its work uses others. */
export const RESTING_CONNECTIONS = 3;

/**
 * Runs `work` while no event is redacted, archived or restored, and no partition is made: the copies that move follow
 * inserts alone. Meanwhile every session that Citus opens as this role waits for locks no longer than LOCK_MS, because
 * all readers of events wait behind it. Returns null, without running it, if another process archives.
 */
export async function atRest<T>(pool: Pool, work: () => Promise<T>): Promise<T | null> {
  return withArchiveLock(pool, () =>
    withoutNewPartitions(pool, () => withoutRedaction(pool, () => withShortWaits(pool, work))),
  );
}

/** The setting of the role reaches sessions to the nodes and to the coordinator itself, which ours does not. */
async function withShortWaits<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const { rows } = await pool.query<{ place: string }>(
    `select format('%I in database %I', current_user, current_database()) as place`,
  );
  const { place } = rows[0]!;
  await pool.query(`alter role ${place} set lock_timeout = ${LOCK_MS}`);
  try {
    return await work();
  } finally {
    await pool.query(`alter role ${place} reset lock_timeout`);
  }
}

const TRIES_MAX = 20;
/** Time in which the statements that waited behind this one are served. */
const TRY_REST_MS = 1000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs a long statement, and again if it waited too long for a lock, at most 20 times. The server ends it soon after
 * this process has ended.
 */
export async function patiently(pool: Pool, work: (db: pg.PoolClient) => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return await onConnection(pool, async (db) => {
        await db.query('set client_connection_check_interval = 1000');
        await work(db);
      });
    } catch (error) {
      const is_lock = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (!is_lock || tries === TRIES_MAX) throw error;
      await pause(TRY_REST_MS);
    }
}
