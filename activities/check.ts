import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CHECK } from '../src/db/invariants/check-queue.ts';
import { endTurn, holdTurn } from '../src/db/invariants/check-turn.ts';
import { keepCheck, readNow } from '../src/db/invariants/checks.ts';
import {
  checkQueued,
  queueStoredEvents,
  queueWhatStands,
  SliceBusy,
  sweepOn,
  type Slice,
} from '../src/db/invariants/slices.ts';
import { createSizes, type Sizes } from '../src/db/invariants/sizes.ts';
import { dueKinds, type SweptKind } from '../src/db/invariants/sweep.ts';
import type { Pool } from '../src/db/connection/pool.ts';
import { consumeAll } from './consume.ts';

/** Interval between two checks of the changes. */
const EVERY_MS = 30_000;
const TURN_MS = 120_000;
/** A worker without the turn, or without anything to sweep, looks again after this. */
const IDLE_MS = 10_000;
const BUSY_MS = 200;
const ROWS_LOGGED_MAX = 50;

type Report = (message: string, cause: object) => void;

export type NewCheck = {
  sizes: Sizes;
  report: Report;
  signal?: AbortSignal;
  /** Rest after a slice, as a multiple of the time that the slice took: 1 takes half of one connection's time at most. */
  rest_factor?: number;
};

/**
 * Checks everything that was stored and changed since the last time, in slices. Notes it in the database when all of it is checked. What one
 * process has queued another checks, too.
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

function reportOpened({ opened }: Slice, report: Report): void {
  if (opened.length === 0) return;
  const rows = opened.slice(0, ROWS_LOGGED_MAX).map(({ invariant, row }) => `${invariant} ${row}`);
  report('invariants are breached', { rows, count: opened.length });
}

/**
 * Checks until the signal: what is new every half minute, and in between the next part of everything, which takes at most
 * `share_percent` of one processor's time. One worker at a time does it. Reports breaches and failures.
 */
export async function keepChecking(
  { pool, share_percent }: { pool: Pool; share_percent: number },
  signal: AbortSignal,
  report: Report,
): Promise<void> {
  const rest = (ms: number) => pause(Math.max(0, ms), undefined, { signal }).catch(() => undefined);
  const holder = randomUUID();
  const work = createRounds({ pool, share_percent, signal }, report);
  while (!signal.aborted) {
    try {
      if (await holdTurn(pool, holder, TURN_MS)) await rest((await work()) - performance.now());
      else await rest(IDLE_MS);
    } catch (error) {
      report('the invariants cannot be checked', { error });
      await rest(IDLE_MS);
    }
  }
  await endTurn(pool, holder).catch(() => undefined);
}

/** Returns a function that does what is due, and returns when it is to be called again. */
function createRounds(
  { pool, share_percent, signal }: { pool: Pool; share_percent: number; signal: AbortSignal },
  report: Report,
): () => Promise<number> {
  const sizes = createSizes();
  let [new_at, sweep_at] = [performance.now(), performance.now()];
  let last: SweptKind | null = null;
  return async () => {
    if (performance.now() >= new_at) {
      new_at = performance.now() + EVERY_MS;
      await checkWhatIsNew(pool, { sizes, report, signal });
    } else if (performance.now() >= sweep_at) {
      last = nextOf(await dueKinds(pool), last);
      const slice = last === null ? null : await retryWhileBusy(() => sweepOn(pool, last!, sizes));
      if (slice !== null) reportOpened(slice, report);
      const rest_ms = slice === null ? IDLE_MS : slice.took_ms * (100 / share_percent - 1);
      sweep_at = performance.now() + rest_ms;
    }
    return Math.min(new_at, sweep_at);
  };
}

/** The kinds take turns, so that none waits for the end of a long round of another. */
function nextOf(due: readonly SweptKind[], last: SweptKind | null): SweptKind | null {
  const place = last === null ? -1 : due.indexOf(last);
  return due[(place + 1) % due.length] ?? null;
}
