import type { Charger } from '../src/collection/collect.ts';
import { compareDue, type Difference } from '../src/collection/compare.ts';
import { collectionsConsumer } from '../src/collection/consumer.ts';
import { openerOf, type Collector } from '../src/collection/opened.ts';
import { readDue } from '../src/collection/read-due.ts';
import { ifUnlocked } from '../src/db/connection/session-lock.ts';
import type { Temporal } from '../src/temporal/temporal.ts';
import { keepConsuming, repeat, REST_AFTER_FAILURE_MS, REST_MS, type Report } from './repeat.ts';

type Services = {
  collector: Collector;
  temporal: Pick<Temporal, 'wakeCollections'>;
  report: Report;
  /** Counts what differs from a provider. */
  countDifference: (kind: Difference['kind']) => void;
};

/** Starts and signals the workflows of charges, and reads at payment providers what is due, until the signal. */
export function collectionWork(
  { collector, temporal, report, countDifference }: Services,
  signal: AbortSignal,
): Promise<void>[] {
  const { pool } = collector;
  const consumer = collectionsConsumer(temporal.wakeCollections);
  const failed = (error: unknown) => report('workflows of charges cannot be signaled', { error });
  return [
    keepConsuming({ pool, consumer, report: failed }, signal),
    keepReadingProviders({ collector, report, countDifference }, signal),
  ];
}

/**
 * Reads pages, methods, refunds, disputes, and what is ended or blanked there, and compares at night. One worker at a
 * time does, by an advisory lock.
 */
async function keepReadingProviders(
  { collector, report, countDifference }: Omit<Services, 'temporal'>,
  signal: AbortSignal,
): Promise<void> {
  const reporting = (error: unknown) => report('a payment provider cannot be read', { error });
  const differs = (difference: Difference) => {
    countDifference(difference.kind);
    report('a payment provider has something that is not booked here', difference);
  };
  await repeat(signal, async () => {
    try {
      await ifUnlocked(collector.pool, 'tidemark.payment_providers', async () => {
        await readDue(collector, { signal, report: reporting });
        await compareDue(collector, { signal, report: reporting, differs });
      });
      return REST_MS;
    } catch (error) {
      reporting(error);
      return REST_AFTER_FAILURE_MS;
    }
  });
}

/** The parts of a worker that charge. */
export function chargerOf(collector: Collector, { count }: Pick<Charger, 'count'>): Charger {
  return { pool: collector.pool, count, providerOf: openerOf(collector) };
}
