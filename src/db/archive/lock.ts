import { onConnection, type Pool } from '../connection/pool.ts';

/**
 * Runs `work` while this process holds the archive's lock. Returns null, without running it, if another process holds
 * it.
 */
export async function withArchiveLock<T>(pool: Pool, work: () => Promise<T>): Promise<T | null> {
  return onConnection(pool, async (db) => {
    const { rows } = await db.query<{ is_mine: boolean }>(
      `select pg_try_advisory_lock(hashtext('tidemark.archive')) as is_mine`,
    );
    if (!rows[0]!.is_mine) return null;
    try {
      return await work();
    } finally {
      await db.query(`select pg_advisory_unlock(hashtext('tidemark.archive'))`);
    }
  });
}
