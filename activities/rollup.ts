import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '../src/db/pool.ts';
import { rollUp } from '../src/db/events/rollup.ts';
import { retryRollup } from '../src/db/events/rollup-set-aside.ts';

/** Events of one day are added up in one go: with half a second, ten thousand events a second took it thrice as long. */
const REST_MS = 1500;
/** Longer steps have longer rests: under load it takes a fifth of a processor, and many events of a day in one go. */
const REST_STEPS = 4;
const REST_AFTER_FAILURE_MS = 5000;

/**
 * Keeps the rollup close behind what is stored, until it is stopped. A failure is told and tried again: bills are right without
 * it, and how far behind it is, /metrics says.
 */
export async function keepRollingUp(
  pool: Pool,
  signal: AbortSignal,
  tellFailure: (error: unknown) => void,
): Promise<void> {
  const rest = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);
  while (!signal.aborted) {
    const started_at = performance.now();
    try {
      await rollUp(pool);
      await retryRollup(pool);
      await rest(Math.max(REST_MS, REST_STEPS * (performance.now() - started_at)));
    } catch (error) {
      tellFailure(error);
      await rest(REST_AFTER_FAILURE_MS);
    }
  }
}
