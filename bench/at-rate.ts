import { setTimeout as delay } from 'node:timers/promises';

const TICK_MS = 2;

/** Calls `act` at a steady rate, without waiting for earlier calls. `due_at` is the time when the call was due, by performance.now(). */
export async function atRate(
  { per_second, seconds }: { per_second: number; seconds: number },
  act: (due_at: number) => void,
): Promise<void> {
  const started_at = performance.now();
  let elapsed_seconds = 0;
  for (let acted = 0; elapsed_seconds < seconds; await delay(TICK_MS)) {
    elapsed_seconds = Math.min(seconds, (performance.now() - started_at) / 1000);
    for (; acted < elapsed_seconds * per_second; acted++) act(started_at + (acted * 1000) / per_second);
  }
}
