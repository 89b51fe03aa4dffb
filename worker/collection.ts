import { setTimeout as pause } from 'node:timers/promises';
import type { Collector } from '../src/collection/opened.ts';
import { readDue } from '../src/collection/read-due.ts';
import { ifUnlocked } from '../src/db/connection/session-lock.ts';

const REST_MS = 1000;
const REST_AFTER_FAILURE_MS = 5000;

type Report = (fault: string, cause: object) => void;

/**
 * Reads at payment providers what is due until the signal: pages, methods, and what is ended or blanked there. One
 * worker at a time does, by an advisory lock.
 */
export async function keepReadingProviders(
  collector: Collector,
  signal: AbortSignal,
  report: Report,
): Promise<void> {
  const reporting = (error: unknown) => report('a payment provider cannot be read', { error });
  while (!signal.aborted) {
    const rest_ms = await ifUnlocked(collector.pool, 'tidemark.payment_providers', () =>
      readDue(collector, { signal, report: reporting }),
    ).then(
      () => REST_MS,
      (error: unknown) => {
        reporting(error);
        return REST_AFTER_FAILURE_MS;
      },
    );
    await pause(rest_ms, undefined, { signal }).catch(() => undefined);
  }
}
