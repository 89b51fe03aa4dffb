import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../src/process/message-of.ts';
import { watchHealth, type HealthTimes } from './health-watch.ts';
import type { Running } from './processes.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** Back-off begins with the third end within a minute. */
const PATIENT_ENDS = 2;
const RECENT_MS = 60_000;

/**
 * Restarts a part whenever it ends by itself: after 0.5 s, and from its third end within a minute on after twice the
 * previous delay, at most 15 s. Kills a part that does not respond to three requests in a row. Returns a function that
 * stops the part for good.
 */
export function supervise(
  part: Running,
  startAgain: () => Promise<Running>,
  { say, ...times }: { say: (line: string) => void } & Partial<HealthTimes>,
): () => Promise<void> {
  const stopping = new AbortController();
  let running = part;
  /** Times of performance.now(). */
  let recent_ends: number[] = [];

  async function keepRunning(): Promise<void> {
    const stopWatching = watchHealth(running, say, times);
    const how = await running.exited;
    stopWatching();
    if (stopping.signal.aborted) return;
    const now = performance.now();
    recent_ends = [...recent_ends.filter((ended_at) => now - ended_at < RECENT_MS), now];
    const wait_ms = waitAfter(recent_ends.length);
    say(`${part.name} ended (${how}); restarting it in ${wait_ms / 1000} s`);
    await delay(wait_ms, undefined, { signal: stopping.signal }).catch(() => undefined);
    if (stopping.signal.aborted) return;
    running = await startAgain().catch((error: unknown) => failedStart(part, messageOf(error)));
    return keepRunning();
  }

  const supervision = keepRunning();
  return async () => {
    stopping.abort();
    await running.stop();
    await supervision;
    await running.stop(); // stop the part that was being restarted meanwhile
  };
}

function waitAfter(ends: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.max(0, ends - PATIENT_ENDS), LONGEST_WAIT_MS);
}

function failedStart({ name, pid }: Running, reason: string): Running {
  return { name, pid, exited: Promise.resolve(reason), stop: () => Promise.resolve() };
}
