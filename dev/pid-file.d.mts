/**
 * Identity of a process: its pid and its start time, so that a later process with the same pid is not mistaken for it. Null if
 * there is none.
 */
export function identityOf(pid: number): string | null;

/** The pid of the process whose identity is in the file at `path`, if that process still runs; else null. */
export function holderOf(path: string): number | null;

/**
 * Writes the identity of this process to `path` and returns null, or returns the pid of the running process that holds the file.
 * Takes over the file of a dead process. Remove the file to release it.
 */
export function claim(path: string): number | null;
