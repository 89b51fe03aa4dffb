import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A third of the weight of the others, and a tenth. */
const LEVELS = { starting: 5, ready: 10 };

/**
 * Lets the others of the machine go before a process, where processors are scarce: a little while it starts, or else it would not be
 * ready in time on a busy machine, and more once all is ready. Throws nothing: where it is not allowed all are equal, and slower together.
 */
export function lowerPriority({ pid }: { readonly pid: number }, stage: keyof typeof LEVELS): void {
  const level = LEVELS[stage];
  for (const thread of threadsOf(pid)) whereAllowed(() => setPriority(thread, level));
  // On Linux a level counts among the processes of one session only, and each of ours is launched in its own. This is the session's.
  whereAllowed(() => writeFileSync(`/proc/${pid}/autogroup`, `${level}`));
}

/** On Linux each has a level of its own. */
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
