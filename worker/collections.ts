import { collectionsConsumer } from '../src/collection/consumer.ts';
import type { Pool } from '../src/db/connection/pool.ts';
import type { Temporal } from '../src/temporal/temporal.ts';
import { keepConsuming, type Report } from './repeat.ts';

/** Starts and wakes the workflows of open attempts until the signal, by what the log says. */
export function keepCollecting(
  { pool, temporal, report }: { pool: Pool; temporal: Pick<Temporal, 'wakeCollections'>; report: Report },
  signal: AbortSignal,
): Promise<void> {
  const failed = (error: unknown) => report('charges cannot be woken', { error });
  return keepConsuming(
    { pool, consumer: collectionsConsumer(temporal.wakeCollections), report: failed },
    signal,
  );
}
