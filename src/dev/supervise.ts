import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../message-of.ts';
import type { Running } from './processes.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
const STEADY_MS = 60_000;

/**
 * Starts a part again whenever it ends by itself: after 0.5 s, then after twice as long each time, 15 s at most, until
 * it has run for a minute. Returns how to stop it for good.
 */
export function supervise(
  part: Running,
  startAgain: () => Promise<Running>,
  say: (line: string) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  let running = part;
  let wait_ms = FIRST_WAIT_MS;

  async function keepRunning(): Promise<void> {
    const started_at = Date.now();
    const how = await running.exited;
    if (stopping.signal.aborted) return;
    if (Date.now() - started_at > STEADY_MS) wait_ms = FIRST_WAIT_MS;
    say(`${part.name} ended (${how}); starting it again in ${wait_ms / 1000} s`);
    await delay(wait_ms, undefined, { signal: stopping.signal }).catch(() => undefined);
    if (stopping.signal.aborted) return;
    wait_ms = Math.min(2 * wait_ms, LONGEST_WAIT_MS);
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

function neverRan(part: Running, reason: string): Running {
  return { ...part, exited: Promise.resolve(reason), stop: () => Promise.resolve() };
}
