import { setTimeout as delay } from 'node:timers/promises';
import type { Running } from './processes.ts';

export type HealthTimes = {
  /** Interval between two requests, and timeout of each. */
  ask_ms: number;
  /** Time for which a part may still be starting: no response is no failure until then. */
  start_ms: number;
};

const TIMES: HealthTimes = { ask_ms: 5000, start_ms: 180_000 };
/** Consecutive requests without a response: fifteen seconds, unless `ask_ms` is another. */
const UNANSWERED_MAX = 3;

/**
 * Polls a part's health until the returned function is called, and kills the part if it stops responding: a hanging
 * process does not handle SIGTERM and is as bad as a dead one. Counts requests instead of measuring time alone, because
 * this process may have been suspended too.
 */
export function watchHealth(
  { name, pid, responds }: Running,
  say: (line: string) => void,
  times: Partial<HealthTimes>,
): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { ask_ms, start_ms } = { ...TIMES, ...times };

  async function watch(respond: NonNullable<Running['responds']>): Promise<void> {
    let has_answered = false;
    let unanswered = 0;
    const started_at = performance.now();
    while (!signal.aborted) {
      const pausing = delay(ask_ms, undefined, { signal }).catch(() => undefined);
      const answers = await respond(ask_ms);
      has_answered ||= answers;
      const may_be_starting = !has_answered && performance.now() - started_at < start_ms;
      unanswered = answers || may_be_starting ? 0 : unanswered + 1;
      if (unanswered === UNANSWERED_MAX && !signal.aborted) {
        say(`${name} does not respond; stopping it`);
        return kill(pid);
      }
      await pausing;
    }
  }

  if (responds !== undefined) void watch(responds);
  return () => stopping.abort();
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return; // it ended in the meantime
  }
}
