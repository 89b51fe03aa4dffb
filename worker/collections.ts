import type { Charger } from '../src/collection/collect.ts';
import { collectionsConsumer } from '../src/collection/consumer.ts';
import { openProvider, type Collector } from '../src/collection/opened.ts';
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

/** The parts of a worker that charge: the provider of an environment, if it is the one that an attempt names. */
export function chargerOf(collector: Collector, { count }: Pick<Charger, 'count'>): Charger {
  return {
    pool: collector.pool,
    count,
    providerOf: async ({ environment_id, provider_id }) => {
      const opened = await openProvider(collector, environment_id);
      return opened?.access.id === provider_id ? opened : null;
    },
  };
}
