import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '../src/db/pool.ts';
import { rollUp } from '../src/db/rollup.ts';

const INTERVAL_MS = 500;

/** Keeps the rollup close behind what is stored, until it is stopped. */
export async function keepRollingUp(pool: Pool, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // A database that is away just now is met again; how far behind this is, /metrics says.
    const has_more = await rollUp(pool).catch(() => false);
    if (!has_more) await pause(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
}
