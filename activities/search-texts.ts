import { setTimeout as pause } from 'node:timers/promises';
import { withoutSearchText, writeSearchTexts } from '../src/db/customer-search.ts';
import type { Pool } from '../src/db/pool.ts';

const BATCH = 500;
const REST_MS = 10_000;

/**
 * Writes the search text of customers that have none, until the signal: of those that were there before search texts were, and of what a
 * process of an earlier release writes during an upgrade. Reports a failure and retries.
 */
export async function keepSearchable(
  pool: Pool,
  signal: AbortSignal,
  reportFailure: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    const written = await writeBatch(pool).catch((error: unknown) => {
      reportFailure(error);
      return 0;
    });
    if (written < BATCH) await pause(REST_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns how many customers it has seen. */
async function writeBatch(pool: Pool): Promise<number> {
  const customers = await withoutSearchText(pool, BATCH);
  if (customers.length > 0) await writeSearchTexts(pool, customers);
  return customers.length;
}
