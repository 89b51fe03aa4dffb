import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { lastCheck } from '../../src/db/invariants/checks.ts';
import type { Pool } from '../../src/db/pool.ts';
import { countUnrolled } from '../../src/db/events/rollup.ts';
import { countSetAside } from '../../src/db/set-aside.ts';
import { countAttention } from '../../src/db/subscription-context.ts';
import { gaugePools } from '../../src/metrics.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Makes the metrics of GET /metrics. `events` counts created, duplicate and refused events. */
export function createMetrics(pool: Pool) {
  const registry = new Registry();
  const registers = [registry];
  gaugePools(registry, { requests: pool });
  gaugeLastCheck(registry, pool);
  gaugeUnrolled(registry, pool);
  gaugeAttention(registry, pool);
  gaugeSetAside(registry, pool);
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

/** The last invariant check, read from the database, so that every API process shows the same. No values if the database is down. */
function gaugeLastCheck(registry: Registry, pool: Pool): void {
  const registers = [registry];
  // The two gauges of one scrape share one query.
  let reading: ReturnType<typeof lastCheck> | null = null;
  const read = () =>
    (reading ??= lastCheck(pool)
      .catch(() => null)
      .finally(() => (reading = null)));
  new Gauge({
    name: 'tidemark_invariants_checked_timestamp_seconds',
    help: 'Time of the last check of the invariants.',
    registers,
    async collect() {
      const check = await read();
      this.reset();
      if (check !== null) this.set(Date.parse(check.finished_at) / 1000);
    },
  });
  new Gauge({
    name: 'tidemark_invariant_breaches',
    help: 'Breaches found by the last check, by invariant.',
    labelNames: ['invariant'],
    registers,
    async collect() {
      const check = await read();
      this.reset();
      for (const [invariant, count] of Object.entries(check?.counts ?? {}))
        if (count !== null) this.set({ invariant }, count);
    },
  });
}

const UNROLLED_SHOWN_MAX = 100_000;

/** Backlog of the rollup. Without a running worker it grows, and bills read more and more events. No value if the database is down. */
function gaugeUnrolled(registry: Registry, pool: Pool): void {
  new Gauge({
    name: 'tidemark_events_not_rolled_up',
    help: `Events that are not in the daily totals yet, counted up to ${UNROLLED_SHOWN_MAX}.`,
    registers: [registry],
    async collect() {
      const count = await countUnrolled(pool, UNROLLED_SHOWN_MAX).catch(() => null);
      this.reset();
      if (count !== null) this.set(count);
    },
  });
}

/** No values if the database is down. */
function gaugeAttention(registry: Registry, pool: Pool): void {
  new Gauge({
    name: 'tidemark_subscriptions_needing_attention',
    help: 'Subscriptions that cannot be billed without manual action, by environment.',
    labelNames: ['environment'],
    registers: [registry],
    async collect() {
      const counts = await countAttention(pool).catch(() => ({}));
      this.reset();
      for (const [environment, count] of Object.entries(counts)) this.set({ environment }, count);
    },
  });
}

/** No values if the database is down; a job that set no customer aside has no value either. */
function gaugeSetAside(registry: Registry, pool: Pool): void {
  new Gauge({
    name: 'tidemark_customers_set_aside',
    help: 'Customers that a background job skips because it fails for them, by job and environment.',
    labelNames: ['job', 'environment'],
    registers: [registry],
    async collect() {
      const counts = await countSetAside(pool).catch(() => []);
      this.reset();
      for (const { count, ...labels } of counts) this.set(labels, count);
    },
  });
}
