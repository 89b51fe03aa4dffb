import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '../src/db/connection/pool.ts';
import { FEED } from '../src/db/feed/consumer.ts';
import { consumeAll } from './consume.ts';

const REST_MS = 250;
const REST_AFTER_FAILURE_MS = 5000;

/** Numbers the changes of the feed until the signal. Several workers may; one at a time does. Reports a failure and retries. */
export async function keepNumbering(
  pool: Pool,
  signal: AbortSignal,
  reportFailure: (error: unknown) => void,
): Promise<void> {
  const rest = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);
  while (!signal.aborted) {
    try {
      await consumeAll(pool, FEED, signal);
      await rest(REST_MS);
    } catch (error) {
      reportFailure(error);
      await rest(REST_AFTER_FAILURE_MS);
    }
  }
}
