import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '../src/db/connection/pool.ts';
import { FEED } from '../src/db/feed/consumer.ts';
import { isComparisonDue } from '../src/db/invoicing/numbering.ts';
import { sleepersWithChanges } from '../src/db/webhooks/endpoints.ts';
import type { Temporal } from '../src/temporal/temporal.ts';
import { consumeAll } from '../src/db/changes/consume.ts';

const REST_MS = 250;
const REST_AFTER_FAILURE_MS = 5000;

/**
 * Numbers the changes of the feed until the signal, and wakes the webhook endpoints that sleep. Several workers may;
 * one at a time numbers. Reports a failure and retries.
 */
export async function keepNumbering(
  { pool, temporal }: { pool: Pool; temporal: Pick<Temporal, 'wakeEndpoints'> },
  signal: AbortSignal,
  reportFailure: (error: unknown) => void,
): Promise<void> {
  const rest = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);
  while (!signal.aborted) {
    try {
      // After a start of the server, which may be a restore, a number could be given twice until the last ones are
      // compared.
      if (!(await isComparisonDue(pool))) await consumeAll(pool, FEED, signal);
      await temporal.wakeEndpoints(await sleepersWithChanges(pool));
      await rest(REST_MS);
    } catch (error) {
      reportFailure(error);
      await rest(REST_AFTER_FAILURE_MS);
    }
  }
}
