import { DefaultLogger, Runtime, type LogEntry } from '@temporalio/worker';

type Logged = Pick<LogEntry, 'message'> & { meta: LogEntry['meta'] | undefined };

/** What was logged as an error by this process: the words, and what belongs to them. */
export const loggedErrors: Logged[] = [];

let is_installed = false;

/** Temporal's runtime is one for the process, whatever number of stacks it starts; it speaks only of what is wrong. */
export function quietRuntime(): void {
  if (!is_installed) Runtime.install({ logger: new DefaultLogger('ERROR', keep) });
  is_installed = true;
}

function keep({ message, meta }: LogEntry): void {
  loggedErrors.push({ message, meta });
  console.error(message, meta);
}
