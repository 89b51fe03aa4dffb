import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../message-of.ts';
import { watchHealth, type HealthTimes } from './health-watch.ts';
import type { Running } from './processes.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** The back-off begins with the third end in so short a time. */
const PATIENT_ENDS = 2;
const RECENT_MS = 60_000;

/**
 * Starts a part again whenever it ends by itself: after 0.5 s, and from its third end within a minute on after twice as long each
 * time, 15 s at most. One that has a `health_url` and does not answer there for 15 s is ended. Returns how to stop it for good.
 */
export function supervise(
  part: Running,
  startAgain: () => Promise<Running>,
  say: (line: string) => void,
  times: Partial<HealthTimes> = {},
): () => Promise<void> {
  const stopping = new AbortController();
  let running = part;
  /** By the clock of performance.now(). */
  let recent_ends: number[] = [];

  async function keepRunning(): Promise<void> {
    const stopWatching = watchHealth(running, say, times);
    const how = await running.exited;
    stopWatching();
    if (stopping.signal.aborted) return;
    const now = performance.now();
    recent_ends = [...recent_ends.filter((ended_at) => now - ended_at < RECENT_MS), now];
    const wait_ms = waitAfter(recent_ends.length);
    say(`${part.name} ended (${how}); starting it again in ${wait_ms / 1000} s`);
    await delay(wait_ms, undefined, { signal: stopping.signal }).catch(() => undefined);
    if (stopping.signal.aborted) return;
    running = await startAgain().catch((error: unknown) => neverRan(part, messageOf(error)));
    return keepRunning();
  }

  const kept = keepRunning();
  return async () => {
    stopping.abort();
    await running.stop();
    await kept;
    await running.stop(); // what was being started again meanwhile
  };
}

function waitAfter(ends: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.max(0, ends - PATIENT_ENDS), LONGEST_WAIT_MS);
}

function neverRan({ name, pid }: Running, reason: string): Running {
  return { name, pid, exited: Promise.resolve(reason), stop: () => Promise.resolve() };
}
