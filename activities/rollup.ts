import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '../src/db/pool.ts';
import { rollUp } from '../src/db/events/rollup.ts';
import { fillDimensions } from '../src/db/events/rollup-cells.ts';
import { retryRollup } from '../src/db/events/rollup-set-aside.ts';

/**
 * One statement adds up all new events of a day, so fewer, larger rounds are cheaper: with half a second of rest, ten thousand
 * events a second took three times as long.
 */
const REST_MS = 1500;
/** Longer rounds get longer rests: under load the rollup takes a fifth of a processor and adds up many events of a day at once. */
const REST_STEPS = 4;
const REST_AFTER_FAILURE_MS = 5000;

/** Longest time of a round that fills new dimensions. */
const FILL_MS = 1000;

async function fill(pool: Pool, signal: AbortSignal): Promise<void> {
  const started_at = performance.now();
  while (!signal.aborted && performance.now() - started_at < FILL_MS) if (!(await fillDimensions(pool))) return;
}

/**
 * Keeps the rollup close behind the stored events until the signal. Reports a failure and retries: invoices are right without the
 * rollup, and /metrics shows its lag.
 */
export async function keepRollingUp(
  pool: Pool,
  signal: AbortSignal,
  reportFailure: (error: unknown) => void,
): Promise<void> {
  const rest = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);
  while (!signal.aborted) {
    const started_at = performance.now();
    try {
      await rollUp(pool);
      await retryRollup(pool);
      await fill(pool, signal);
      await rest(Math.max(REST_MS, REST_STEPS * (performance.now() - started_at)));
    } catch (error) {
      reportFailure(error);
      await rest(REST_AFTER_FAILURE_MS);
    }
  }
}
