import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MS = 100;

/** Polls until `isSo` is true. Throws an error that names `what` when the time is up. */
export async function waitUntil(
  what: string,
  limit_ms: number,
  isSo: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + limit_ms;
  while (!(await isSo())) {
    if (Date.now() > deadline)
      throw new Error(`${what} took longer than the ${Math.round(limit_ms / 1000)} s that were left`);
    await delay(INTERVAL_MS);
  }
}

/** Whole numbers from 0 to count - 1. */
export function numbersBelow(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}
