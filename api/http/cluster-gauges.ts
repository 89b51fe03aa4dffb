import { Gauge, type Registry } from 'prom-client';
import { nodeSizes, preparedTransactions } from '../../src/db/cluster/state.ts';
import { mayHaveNodes } from '../../src/db/events/group-on-nodes.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import { hostText } from '../../src/settings/database-address.ts';

type Read = {
  sizes: Awaited<ReturnType<typeof nodeSizes>>;
  /** Null where a node does not answer: what it has prepared is not known. */
  answers: { prepared_seconds: number; settling_seconds: number } | null;
};

/**
 * Adds the metrics of a cluster. On one machine they have no values, and nothing is asked but what the storing of
 * events asks once a minute too.
 */
export function addClusterGauges(registry: Registry, pool: Pool): void {
  // The gauges of one scrape share one question to the nodes.
  let reading: Promise<Read | null> | null = null;
  const read = () =>
    (reading ??= readNodes(pool)
      .catch(() => null)
      .finally(() => (reading = null)));
  const registers = [registry];
  new Gauge({
    name: 'tidemark_cluster_prepared_seconds',
    help: 'Age of the oldest transaction that is prepared on a node and not committed; 0 if there is none.',
    registers,
    async collect() {
      setOrRemove(this, (await read())?.answers?.prepared_seconds);
    },
  });
  new Gauge({
    name: 'tidemark_cluster_settling_seconds',
    help: 'Time in which all nodes answer with their prepared transactions.',
    registers,
    async collect() {
      setOrRemove(this, (await read())?.answers?.settling_seconds);
    },
  });
  new Gauge({
    name: 'tidemark_cluster_node_bytes',
    help: 'Bytes of events and of their keys by node, with indexes.',
    labelNames: ['node', 'content'],
    registers,
    async collect() {
      const found = await read();
      this.reset();
      for (const size of found?.sizes ?? []) {
        this.set({ node: hostText(size), content: 'events' }, size.event_bytes);
        this.set({ node: hostText(size), content: 'keys' }, size.key_bytes);
      }
    },
  });
}

/** Null where there is no node. */
async function readNodes(pool: Pool): Promise<Read | null> {
  if (!(await mayHaveNodes(pool))) return null;
  const sizes = await nodeSizes(pool);
  if (sizes.length === 0) return null;
  const { transactions, unreachable, settling_seconds } = await preparedTransactions(pool);
  if (unreachable.length > 0) return { sizes, answers: null };
  const prepared_seconds = Math.max(0, ...transactions.map(({ age_seconds }) => age_seconds));
  return { sizes, answers: { prepared_seconds, settling_seconds } };
}

function setOrRemove(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}
