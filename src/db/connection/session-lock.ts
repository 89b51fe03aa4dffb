import { onConnection, type Pool } from './pool.ts';

/**
 * Runs `work` while this process holds an advisory lock, on a connection of its own. Waits for the lock as long as the
 * pool's sessions wait for locks, then fails.
 */
export async function whileLocked<T>(pool: Pool, name: string, work: () => Promise<T>): Promise<T> {
  return onConnection(pool, async (db) => {
    await db.query('select pg_advisory_lock(hashtext($1))', [name]);
    try {
      return await work();
    } finally {
      await db.query('select pg_advisory_unlock(hashtext($1))', [name]);
    }
  });
}
