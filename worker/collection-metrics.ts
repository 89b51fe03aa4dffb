import { Counter, type Registry } from 'prom-client';
import type { Charger } from '../src/collection/collect.ts';
import { COMPARED, type Compared } from '../src/db/collection/comparisons.ts';

const OUTCOMES = ['succeeded', 'declined', 'action_required', 'canceled'] as const;

/** Counts the attempts of a worker. */
export type CollectionMetrics = Pick<Charger, 'count'> & {
  countDifference: (kind: Compared) => void;
  register: (registry: Registry) => void;
};

/** Metrics of charges (docs/operations.md). */
export function createCollectionMetrics(): CollectionMetrics {
  const attempts = new Counter({
    name: 'tidemark_payment_attempts_total',
    help: 'Attempts to charge invoices that have ended, by outcome.',
    labelNames: ['outcome'],
    registers: [],
  });
  const differences = new Counter({
    name: 'tidemark_provider_differences_total',
    help: 'Charges, refunds and disputes at a payment provider that the night found otherwise here, by kind.',
    labelNames: ['kind'],
    registers: [],
  });
  // A series that is there from the start: a rate sees the first attempt and the first difference too.
  for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0);
  for (const kind of COMPARED) differences.inc({ kind }, 0);
  return {
    count: (outcome) => attempts.inc({ outcome }),
    countDifference: (kind) => differences.inc({ kind }),
    register: (registry) => {
      registry.registerMetric(attempts);
      registry.registerMetric(differences);
    },
  };
}
