import { refuseToStart } from './config.ts';

/**
 * A fault that no retry can fix, such as a wrong setting. The message is one sentence for an operator and has no
 * password.
 */
export class Refusal extends Error {}

/** Awaits a step of a process's start. On a Refusal, prints its sentence and exits with 2. */
export async function orRefuse<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof Refusal) return refuseToStart(error.message);
    throw error;
  }
}
