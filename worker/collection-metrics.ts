import { Counter, type Registry } from 'prom-client';
import type { Charger } from '../src/collection/collect.ts';

/** Counts the attempts of a worker. */
export type CollectionMetrics = Pick<Charger, 'count'> & { register: (registry: Registry) => void };

/** Metrics of charges (docs/operations.md). */
export function createCollectionMetrics(): CollectionMetrics {
  const attempts = new Counter({
    name: 'tidemark_payment_attempts_total',
    help: 'Attempts to charge invoices that have ended, by outcome.',
    labelNames: ['outcome'],
    registers: [],
  });
  return {
    count: (outcome) => attempts.inc({ outcome }),
    register: (registry) => registry.registerMetric(attempts),
  };
}
