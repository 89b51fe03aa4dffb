import { DefaultLogger, Runtime, type LogEntry } from '@temporalio/worker';

type Logged = Pick<LogEntry, 'message'> & { meta: LogEntry['meta'] | undefined };

/** Errors that this process logged: the message and its fields. */
export const loggedErrors: Logged[] = [];

let is_installed = false;

/** Installs Temporal's runtime, of which a process can have only one, whatever the number of stacks; it logs errors only. */
export function quietRuntime(): void {
  if (!is_installed) Runtime.install({ logger: new DefaultLogger('ERROR', keep) });
  is_installed = true;
}

function keep({ message, meta }: LogEntry): void {
  loggedErrors.push({ message, meta });
  console.error(message, meta);
}
