import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { endTurn, holdTurn } from '../src/db/invariants/check-turn.ts';
import { sweepOn } from '../src/db/invariants/slices.ts';
import { createSizes } from '../src/db/invariants/sizes.ts';
import { dueKinds, type SweptKind } from '../src/db/invariants/sweep.ts';
import type { Pool } from '../src/db/connection/pool.ts';
import { checkWhatIsNew, reportOpened, retryWhileBusy, type Report } from '../src/checks/what-is-new.ts';

/** Interval between two checks of the changes. */
const EVERY_MS = 30_000;
const TURN_MS = 120_000;
/** A worker without the turn, or without anything to sweep, looks again after this. */
const IDLE_MS = 10_000;

/**
 * Checks until the signal: what is new every half minute, and in between the next part of everything, which takes at
 * most `share_percent` of one processor's time. One worker at a time does it. Reports breaches and failures.
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
