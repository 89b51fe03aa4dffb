import { Gauge, Histogram, type Registry } from 'prom-client';
import type { Part } from '../src/billing/close/load.ts';

/** Measures the closes of a worker. */
export type CloseMetrics = {
  onGroup: (group: { members: number }) => void;
  onPart: (part: Part | 'queue', ms: number) => void;
  gaugeWaiting: (waiting: () => number) => void;
  /** Adds the metrics to a registry. */
  register: (registry: Registry) => void;
};

/** Metrics of groups of closes (docs/operations.md). */
export function createCloseMetrics(): CloseMetrics {
  const registers: Registry[] = [];
  const group_size = new Histogram({
    name: 'tidemark_close_group_size',
    help: 'Subscriptions whose next step was done in one transaction.',
    buckets: [1, 2, 5, 10, 20, 50],
    registers,
  });
  const seconds = new Histogram({
    name: 'tidemark_close_seconds',
    help: 'Time of a group of closes by part: waiting for a group, loading, deciding, writing, and holding the invoice numbers.',
    labelNames: ['part'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60],
    registers,
  });
  let waiting = () => 0;
  const closes_waiting = new Gauge({
    name: 'tidemark_closes_waiting',
    help: 'Steps of subscriptions that wait for a group of closes.',
    registers,
    collect() {
      this.set(waiting());
    },
  });
  return {
    onGroup: ({ members }) => group_size.observe(members),
    onPart: (part, ms) => seconds.observe({ part }, ms / 1000),
    gaugeWaiting: (count) => void (waiting = count),
    register: (registry) => {
      for (const metric of [group_size, seconds, closes_waiting]) registry.registerMetric(metric);
    },
  };
}
