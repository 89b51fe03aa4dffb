import type { Pool } from '../connection/pool.ts';
import { ifUnlocked } from '../connection/session-lock.ts';

/**
 * Runs `work` while this process holds the archive's lock. Returns null, without running it, if another process holds
 * it.
 */
export async function withArchiveLock<T>(pool: Pool, work: () => Promise<T>): Promise<T | null> {
  return ifUnlocked(pool, 'tidemark.archive', work);
}
