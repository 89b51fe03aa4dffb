import { setTimeout as pause } from 'node:timers/promises';
import { changeLateUsageDays } from '../src/db/reports/report-settings.ts';
import { fillDimensions } from '../src/db/events/rollup-cells.ts';
import { retryRollup } from '../src/db/reports/rollup-set-aside.ts';
import type { Pool } from '../src/db/connection/pool.ts';
import { REPORTS, retryFold } from '../src/db/reports/fold.ts';
import { rollUp } from '../src/db/reports/roll-up.ts';
import { consumeNext } from '../src/db/changes/consume.ts';

/**
 * One statement adds up all new events of a day, so fewer, larger rounds are cheaper: with half a second of rest, ten
 * thousand events a second took three times as long.
 */
const REST_MS = 1500;
/**
 * Longer rounds get longer rests: under load the rollup takes a fifth of a processor and adds up many events of a day
 * at once.
 */
const REST_STEPS = 4;
/** Pause while the rollup is behind by more than a step: bills and lists read events until it has caught up. */
const REST_STEPS_BEHIND = 1;
const REST_AFTER_FAILURE_MS = 5000;
/**
 * Time of a round for changes of causes, so that the next events do not wait: at the end of a month there are
 * thousands.
 */
const CHANGES_MS = 500;

/** Longest time of a round that fills new dimensions. */
const FILL_MS = 1000;

async function fill(pool: Pool, signal: AbortSignal): Promise<void> {
  const started_at = performance.now();
  while (!signal.aborted && performance.now() - started_at < FILL_MS)
    if (!(await fillDimensions(pool))) return;
}

/**
 * Keeps the rollup close behind the stored events, and the counts by cause close behind what changes causes, until the
 * signal. Reports a failure and retries: invoices are right without the rollup, and /metrics shows its lag.
 * `late_usage_days` is the worker's setting. After each step `look` bills what the usage of its customers has come to;
 * it returns true if some is left.
 */
export async function keepRollingUp(
  pool: Pool,
  {
    signal,
    late_usage_days,
    look,
  }: { signal: AbortSignal; late_usage_days: number; look: (signal: AbortSignal) => Promise<boolean> },
  reportFailure: (error: unknown) => void,
): Promise<void> {
  const rest = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);
  while (!signal.aborted) {
    const started_at = performance.now();
    try {
      await changeLateUsageDays(pool, late_usage_days);
      const rolled_up = await rollUp(pool);
      const has_looks_left = await look(signal);
      await retryRollup(pool);
      await fill(pool, signal);
      await retryFold(pool);
      const folding_at = performance.now();
      while ((await consumeNext(pool, REPORTS)) === 'more' && performance.now() - folding_at < CHANGES_MS);
      const rest_steps = rolled_up?.is_full || has_looks_left ? REST_STEPS_BEHIND : REST_STEPS;
      await rest(Math.max(REST_MS, rest_steps * (performance.now() - started_at)));
    } catch (error) {
      reportFailure(error);
      await rest(REST_AFTER_FAILURE_MS);
    }
  }
}
