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

/**
 * Runs `work` while this process holds an advisory lock, on a connection of its own. Returns null, without running it,
 * if another process holds it.
 */
export async function ifUnlocked<T>(pool: Pool, name: string, work: () => Promise<T>): Promise<T | null> {
  return onConnection(pool, async (db) => {
    const { rows } = await db.query<{ is_mine: boolean }>(
      'select pg_try_advisory_lock(hashtext($1)) as is_mine',
      [name],
    );
    if (!rows[0]!.is_mine) return null;
    try {
      return await work();
    } finally {
      await db.query('select pg_advisory_unlock(hashtext($1))', [name]);
    }
  });
}
