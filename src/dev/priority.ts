import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A third of the weight of the others. At 10, a tenth, what is started on a busy machine is not ready for a minute. */
const LEVEL = 5;

/**
 * Lets the others of the machine go first where processors are scarce. A process that has just started: the threads that it
 * already has keep their level. Throws nothing: where it is not allowed all are equal, and slower together.
 */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, LEVEL);
    // On Linux a level counts among the processes of one session only, and each of ours is launched in its own. This is the session's.
    writeFileSync(`/proc/${pid}/autogroup`, `${LEVEL}`);
  } catch {
    return;
  }
}
