import { setTimeout as pause } from 'node:timers/promises';
import { consumeAll } from '../src/db/changes/consume.ts';
import type { Consumer } from '../src/db/changes/consumers.ts';
import type { Pool } from '../src/db/connection/pool.ts';

export const REST_MS = 1000;
export const REST_AFTER_FAILURE_MS = 5000;

/** Takes a sentence for each failure. */
export type Report = (fault: string, cause: object) => void;

/** Repeats a step until the signal, each time after the rest that it asks for, in milliseconds. */
export async function repeat(signal: AbortSignal, step: () => Promise<number>): Promise<void> {
  while (!signal.aborted) {
    const rest_ms = await step();
    await pause(rest_ms, undefined, { signal }).catch(() => undefined);
  }
}

/** Lets a consumer read the log until the signal. Several workers may; one at a time reads. Reports a failure. */
export async function keepConsuming(
  { pool, consumer, report }: { pool: Pool; consumer: Consumer; report: (error: unknown) => void },
  signal: AbortSignal,
): Promise<void> {
  await repeat(signal, async () => {
    try {
      await consumeAll(pool, consumer, signal);
      return REST_MS;
    } catch (error) {
      report(error);
      return REST_AFTER_FAILURE_MS;
    }
  });
}
