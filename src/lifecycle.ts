const SHUTDOWN_LIMIT_MS = 25_000;

/**
 * Runs `shutdown` once, at the first SIGINT, SIGTERM or SIGHUP or when the process that started this one is gone,
 * and then exits: 0 when it succeeded, 1 when it failed or took longer than 25 s.
 */
export function exitWithParent(shutdown: () => Promise<void>): void {
  let leaving = false;
  const leave = () => {
    if (leaving) return;
    leaving = true;
    setTimeout(() => process.exit(1), SHUTDOWN_LIMIT_MS).unref();
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

/** Tells the one-command stack, if that is what started this process, that it is ready for work. */
export function announceReady(): void {
  process.send?.({ ready: true });
}
