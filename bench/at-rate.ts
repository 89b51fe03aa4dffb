import { setTimeout as delay } from 'node:timers/promises';

const TICK_MS = 2;

/** Acts at a steady rate, whatever became of the acts before. Each hears when it was due, by the clock of performance.now(). */
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
