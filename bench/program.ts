import { onNpmGone } from '../dev/npm-parent.ts';
import type { Stops } from './stops.ts';

const STOP_LIMIT_MS = 20_000;
const INTERRUPTED = 130;

/**
 * Runs a program and exits with the code that it resolves with. Whether it ends by itself, by an error, by Ctrl-C or with npm,
 * first runs `stops` in order.
 */
export async function runProgram(stops: readonly Stops[], work: () => Promise<number>): Promise<void> {
  let is_leaving = false;
  /** Leaves once: only the first call counts, because stopping may cause further errors. */
  const leave = async (code: number): Promise<void> => {
    if (is_leaving) return;
    is_leaving = true;
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    for (const { run } of stops) await run();
    process.exit(code);
  };
  const fail = async (error: unknown): Promise<void> => {
    // With the stack trace: repeating a figure takes minutes.
    if (!is_leaving) console.error(error);
    await leave(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void leave(INTERRUPTED));
  onNpmGone(() => void leave(INTERRUPTED));
  process.on('uncaughtException', (error) => void fail(error));
  await work().then(leave, fail);
}
