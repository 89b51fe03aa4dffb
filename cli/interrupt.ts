/**
 * A signal that aborts at Ctrl-C, for a command that runs until then. Ctrl-C comes twice where npm passes it on: a
 * further one must not end the process before it has said its last line.
 */
export function untilInterrupted(): AbortSignal {
  const interrupted = new AbortController();
  process.on('SIGINT', () => interrupted.abort());
  return interrupted.signal;
}
