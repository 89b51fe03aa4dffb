import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Pool } from '../../src/db/connection/pool.ts';
import { gaugePools } from '../../src/telemetry/pool-metrics.ts';
import { addClusterGauges } from './cluster-gauges.ts';
import { addDatabaseGauges } from './database-gauges.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Makes the metrics of GET /metrics. `events` counts created, duplicate and refused events. */
export function createMetrics(pool: Pool) {
  const registry = new Registry();
  const registers = [registry];
  gaugePools(registry, { requests: pool });
  addDatabaseGauges(registry, pool);
  addClusterGauges(registry, pool);
  return {
    registry,
    requests: new Counter({
      name: 'tidemark_http_requests_total',
      help: 'Requests by method, route pattern and status.',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    durations: new Histogram({
      name: 'tidemark_http_request_duration_seconds',
      help: 'Time from the request headers to the end of the response, by method and route pattern.',
      labelNames: ['method', 'route'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
      registers,
    }),
    events: new Counter({
      name: 'tidemark_events_total',
      help: 'Events by outcome: created, duplicate, refused.',
      labelNames: ['outcome'],
      registers,
    }),
  };
}

/** Adds the gauge of requests that wait in the queues of ingest, each queue by its name. */
export function gaugeQueues(registry: Registry, queues: Readonly<Record<string, () => number>>): void {
  new Gauge({
    name: 'tidemark_ingest_waiting',
    help: 'Single events and batches that wait to be stored, by queue.',
    labelNames: ['queue'],
    registers: [registry],
    collect() {
      for (const [queue, waiting] of Object.entries(queues)) this.set({ queue }, waiting());
    },
  });
}
