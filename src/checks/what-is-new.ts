import { setTimeout as pause } from 'node:timers/promises';
import { consumeAll } from '../db/changes/consume.ts';
import type { Pool } from '../db/connection/pool.ts';
import { CHECK } from '../db/invariants/check-queue.ts';
import { keepCheck, readNow } from '../db/invariants/checks.ts';
import type { Sizes } from '../db/invariants/sizes.ts';
import {
  checkQueued,
  queueStoredEvents,
  queueWhatStands,
  SliceBusy,
  type Slice,
} from '../db/invariants/slices.ts';

const BUSY_MS = 200;
const ROWS_LOGGED_MAX = 50;

/** Receives a sentence and what it is about. */
export type Report = (message: string, cause: object) => void;

export type NewCheck = {
  sizes: Sizes;
  report: Report;
  signal?: AbortSignal;
  /**
   * Rest after a slice, as a multiple of the time that the slice took: 1 takes half of one connection's time at most.
   */
  rest_factor?: number;
};

/**
 * Checks everything that was stored and changed since the last time, in slices. Notes it in the database when all of it
 * is checked. What one process has queued another checks, too.
 */
export async function checkWhatIsNew(
  pool: Pool,
  { sizes, report, signal, rest_factor = 1 }: NewCheck,
): Promise<void> {
  while (await retryWhileBusy(() => queueStoredEvents(pool)));
  const started_at = await queueWhatChanged(pool, signal);
  for (;;) {
    // The rest stays in the queue.
    if (signal?.aborted === true) return;
    const slice = await retryWhileBusy(() => checkQueued(pool, sizes));
    if (slice === null) break;
    reportOpened(slice, report);
    await pause(slice.took_ms * rest_factor);
  }
  await keepCheck(pool, started_at);
}

/** Queues everything that changed since the last time, and what is checked each time. Returns when it began. */
export async function queueWhatChanged(pool: Pool, signal?: AbortSignal): Promise<string> {
  const started_at = await readNow(pool);
  await consumeAll(pool, CHECK, signal);
  await retryWhileBusy(() => queueWhatStands(pool));
  return started_at;
}

/** Repeats a step until no other process is in the middle of one. */
export async function retryWhileBusy<T>(step: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof SliceBusy)) throw error;
      await pause(BUSY_MS);
    }
  }
}

/** Reports the breaches that a slice opened, the first rows of them. */
export function reportOpened({ opened }: Slice, report: Report): void {
  if (opened.length === 0) return;
  const rows = opened.slice(0, ROWS_LOGGED_MAX).map(({ invariant, row }) => `${invariant} ${row}`);
  report('invariants are breached', { rows, count: opened.length });
}
