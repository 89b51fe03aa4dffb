import { setTimeout as pause } from 'node:timers/promises';
import { analyzeEvents, makePartitions } from '../src/db/events/partitions.ts';
import { keepFeedPartitions } from '../src/db/feed/partitions.ts';
import type { Pool } from '../src/db/connection/pool.ts';

const REST_MS = 3_600_000;
const REST_AFTER_FAILURE_MS = 60_000;

/**
 * Keeps the partitions of events ahead of the months, and their statistics fresh, and the partitions of the feed, until
 * the signal. Reports a failure and retries.
 */
export async function keepPartitions(
  { pool, feed_kept_days }: { pool: Pool; feed_kept_days: number },
  signal: AbortSignal,
  reportFailure: (error: unknown) => void,
): Promise<void> {
  const rest = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);
  while (!signal.aborted) {
    try {
      await makePartitions(pool);
      await analyzeEvents(pool);
      await keepFeedPartitions(pool, feed_kept_days);
      await rest(REST_MS);
    } catch (error) {
      reportFailure(error);
      await rest(REST_AFTER_FAILURE_MS);
    }
  }
}
