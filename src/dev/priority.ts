import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Nice levels: 5 is a third of the normal weight, 10 a tenth. */
const LEVELS = { starting: 5, ready: 10 };

/**
 * Lowers the priority of a process, so that other processes go first when processors are scarce: moderately while it starts,
 * because on a busy machine it would otherwise miss its start limit, and more once everything is ready. Ignores errors: if the
 * system refuses, all processes stay equal and are slower together.
 */
export function lowerPriority({ pid }: { readonly pid: number }, stage: keyof typeof LEVELS): void {
  const level = LEVELS[stage];
  for (const thread of threadsOf(pid)) whereAllowed(() => setPriority(thread, level));
  // Linux weighs nice levels only within one session, and each of our processes has its own: also set the level of the session.
  whereAllowed(() => writeFileSync(`/proc/${pid}/autogroup`, `${level}`));
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
