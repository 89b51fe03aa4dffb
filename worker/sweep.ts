import { setTimeout as pause } from 'node:timers/promises';

/** How many rows a sweep changes at once. */
const SWEPT_AT_ONCE = 500;
const REST_MS = 10_000;

/**
 * Runs a sweep until the signal: again at once while it finds as many rows as it may, else after ten seconds. `sweep`
 * returns how many it found. Reports a failure and retries. Several workers may run it at the same time.
 */
export async function keepSweeping(
  sweep: (limit: number) => Promise<number>,
  signal: AbortSignal,
  reportFailure: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    const found = await sweep(SWEPT_AT_ONCE).catch((error: unknown) => {
      reportFailure(error);
      return 0;
    });
    if (found < SWEPT_AT_ONCE) await pause(REST_MS, undefined, { signal }).catch(() => undefined);
  }
}
