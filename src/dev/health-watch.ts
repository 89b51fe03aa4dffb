import { setTimeout as delay } from 'node:timers/promises';
import { isOk } from './ports.ts';
import type { Running } from './processes.ts';

export type HealthTimes = {
  /** Between two questions, and how long one waits for its answer. */
  ask_ms: number;
  /** A part that has never answered may still be starting. */
  start_ms: number;
};

const TIMES: HealthTimes = { ask_ms: 5000, start_ms: 60_000 };
/** So many questions in a row without an answer: fifteen seconds. */
const UNANSWERED_MAX = 3;

/**
 * Asks a part for its health until the returned function is called, and ends it where it does not answer: what hangs does not hear
 * SIGTERM, and is as bad as what has ended. Questions are counted and not time alone, because this process may have stood still too.
 */
export function watchHealth(
  { name, pid, health_url }: Running,
  say: (line: string) => void,
  times: Partial<HealthTimes>,
): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { ask_ms, start_ms } = { ...TIMES, ...times };

  async function watch(url: string): Promise<void> {
    let has_answered = false;
    let unanswered = 0;
    const started_at = performance.now();
    while (!signal.aborted) {
      const pausing = delay(ask_ms, undefined, { signal }).catch(() => undefined);
      const answers = await isOk(url, ask_ms);
      has_answered ||= answers;
      const may_be_starting = !has_answered && performance.now() - started_at < start_ms;
      unanswered = answers || may_be_starting ? 0 : unanswered + 1;
      if (unanswered === UNANSWERED_MAX && !signal.aborted) {
        say(`${name} does not answer; ending it`);
        return kill(pid);
      }
      await pausing;
    }
  }

  if (health_url !== undefined) void watch(health_url);
  return () => stopping.abort();
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return; // it ended in between
  }
}
