import type { Registry } from 'prom-client';
import { createCloseMetrics, type CloseMetrics } from '../activities/close-metrics.ts';
import { createCollectionMetrics, type CollectionMetrics } from './collection-metrics.ts';
import { createWebhookMetrics, type WebhookMetrics } from './webhook-metrics.ts';

export type WorkerMetrics = {
  closes: CloseMetrics;
  webhooks: WebhookMetrics;
  collections: CollectionMetrics;
};

/** Metrics of a worker. */
export function createWorkerMetrics(): WorkerMetrics {
  return {
    closes: createCloseMetrics(),
    webhooks: createWebhookMetrics(),
    collections: createCollectionMetrics(),
  };
}

/** Adds the metrics to a registry. */
export function registerMetrics(metrics: WorkerMetrics, registry: Registry): void {
  for (const { register } of Object.values(metrics)) register(registry);
}
