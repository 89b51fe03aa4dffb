/** A process as text: its pid and when it started, so that a later process with the same pid is not taken for it. Null: there is none. */
export function identityOf(pid: number): string | null;

/** The pid of the process that the file at `path` names, while that very process lives; else null. */
export function holderOf(path: string): number | null;

/**
 * Writes the identity of this process to `path` and returns null, or returns the pid of the live process that holds it.
 * A file of a dead process is taken over. Removing the file gives it back.
 */
export function claim(path: string): number | null;
