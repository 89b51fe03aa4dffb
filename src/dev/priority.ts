import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const LEVEL = constants.priority.PRIORITY_BELOW_NORMAL;

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
