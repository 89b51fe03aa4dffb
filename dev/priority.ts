import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Nice level: a third of the normal weight. At ten levels, beside programs that never sleep, billing stands still
 * (decision 17).
 */
const LEVEL = 5;

/**
 * Lowers the priority of a process, so that other processes go first when processors are scarce. Ignores errors: if the
 * system refuses, all processes stay equal and are slower together.
 */
export function lowerPriority({ pid }: { readonly pid: number }): void {
  for (const thread of threadsOf(pid)) whereAllowed(() => setPriority(thread, LEVEL));
  // Linux weighs nice levels only within one session, and each of our processes has its own: also set the level of the
  // session.
  whereAllowed(() => writeFileSync(`/proc/${pid}/autogroup`, `${LEVEL}`));
}

/** The threads of a process: on Linux each thread has its own nice level. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}

function whereAllowed(act: () => void): void {
  try {
    act();
  } catch {
    return;
  }
}
