const SHUTDOWN_LIMIT_MS = 25_000;

/**
 * Calls `shutdown` once, at the first SIGINT, SIGTERM or SIGHUP or when the parent process is gone, then exits: 0 if it
 * succeeded, 1 if it failed or took longer than 25 s. `drain_ms` is the time that `shutdown` waits before it closes
 * anything; the limit grows by it.
 */
export function exitWithParent(shutdown: () => Promise<void>, drain_ms = 0): void {
  let leaving = false;
  const leave = () => {
    if (leaving) return;
    leaving = true;
    setTimeout(() => process.exit(1), drain_ms + SHUTDOWN_LIMIT_MS).unref();
    shutdown().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, leave);
  process.on('disconnect', leave);
}

/** Reports to the one-command stack that this process is ready. Does nothing if another program started it. */
export function announceReady(): void {
  process.send?.({ ready: true });
}
