import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../src/process/message-of.ts';

const REPEAT_AFTER_MS = 500;
/** Two minutes: bridges an outage, but does not wait for a service that is gone. */
const TRIES_MAX = 240;

/** Failures that were retried: message and count. */
export type Failures = Map<string, number>;

/** Retries until success, as a client of an API with outages would. Throws after two minutes of failures. */
export async function untilItSucceeds<Result>(
  act: () => Promise<Result>,
  failures: Failures,
): Promise<{ result: Result; tries: number }> {
  for (let tries = 1; ; tries++) {
    try {
      return { result: await act(), tries };
    } catch (error) {
      if (tries === TRIES_MAX) throw new Error(`${TRIES_MAX} tries failed`, { cause: error });
      const message = messageOf(error);
      failures.set(message, (failures.get(message) ?? 0) + 1);
      await delay(REPEAT_AFTER_MS);
    }
  }
}
