import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '../src/db/pool.ts';
import { rollUp } from '../src/db/rollup.ts';

const INTERVAL_MS = 500;
const INTERVAL_AFTER_FAILURE_MS = 5000;

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
    try {
      if (!(await rollUp(pool))) await rest(INTERVAL_MS);
    } catch (error) {
      tellFailure(error);
      await rest(INTERVAL_AFTER_FAILURE_MS);
    }
  }
}
