import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../src/message-of.ts';

const REPEAT_AFTER_MS = 500;
/** Two minutes: an outage is lived through, a service that is gone is not waited for. */
const TRIES_MAX = 240;

/** What failed and was repeated, by its message, and how often. */
export type Failures = Map<string, number>;

/** Does something until it succeeds, as the client of an API does that may be away. Throws what fails for two minutes. */
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
