import { Counter, type Registry } from 'prom-client';
import type { Outcome } from '../src/webhooks/try.ts';

/** Counts the deliveries of a worker. */
export type WebhookMetrics = { count: (outcome: Outcome) => void; register: (registry: Registry) => void };

/** Metrics of webhooks (docs/operations.md). */
export function createWebhookMetrics(): WebhookMetrics {
  const deliveries = new Counter({
    name: 'tidemark_webhook_deliveries_total',
    help: 'Tries of webhook deliveries by outcome.',
    labelNames: ['outcome'],
    registers: [],
  });
  return {
    count: (outcome) => deliveries.inc({ outcome }),
    register: (registry) => registry.registerMetric(deliveries),
  };
}
