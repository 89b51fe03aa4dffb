import { addNode, LOCK_MS } from '../src/db/cluster/add-node.ts';
import type { Counts } from '../src/db/cluster/counts.ts';
import { refuseWithoutDisk } from '../src/db/cluster/disk.ts';
import { moveBack, moveToNodes, type Comparison } from '../src/db/cluster/move.ts';
import { listNodes } from '../src/db/cluster/nodes.ts';
import { RESTING_CONNECTIONS } from '../src/db/cluster/rest.ts';
import { bytesOnNodes, isRunning, lastRebalance } from '../src/db/cluster/state.ts';
import { bytesHere, distributedTables, TABLES } from '../src/db/cluster/tables.ts';
import { createPool, type Pool } from '../src/db/connection/pool.ts';
import type { Config } from '../src/settings/config.ts';
import { hostText, parseDatabaseUrl, withDatabase, type Host } from '../src/settings/database-address.ts';
import type { AddOptions, MoveOptions } from './cluster.ts';
import { askFirst } from './confirmation.ts';
import { adminUrls } from './database.ts';
import { Failure } from './failure.ts';
import { inColumns, printResult, type Printed } from './output.ts';
import { createProgress } from './progress.ts';

/** Why a command cannot begin whose events must rest. */
export const ARCHIVING = 'another process archives, restores or moves events';

/** Makes a server a node. */
export async function add(config: Config, node: Host, options: AddOptions): Promise<void> {
  const { coordinator = null, withoutTls: without_tls } = options;
  const added = await addNode({ ...adminUrls(config), node, coordinator, without_tls });
  const name = hostText(node);
  printResult(
    options,
    { object: 'cluster_node', ...node, ...added },
    `${name} ${added.was_added ? 'is a node now' : 'was a node already'}; ${added.functions} functions of Tidemark are on all nodes`,
  );
}

/** Moves the events to the nodes. */
export async function move(config: Config, options: MoveOptions): Promise<void> {
  await inCluster(config, async (pool) => {
    if ((await listNodes(pool)).length === 0)
      throw new Failure('there is no node: add one with tidemark cluster add HOST');
    if ((await distributedTables(pool)).size === TABLES.length)
      return printNothing(options, 'The events are on the nodes already.');
    await refuseWhileSpreading(pool);
    await askFirst(
      options,
      'Move all events to the nodes? Redaction and archive rest meanwhile, and the nodes need disk for all events.',
    );
    const progress = createProgress('megabytes moved', megabytes(await bytesHere(pool)));
    const comparison = await moveToNodes(pool, (bytes) => progress.show(megabytes(bytes))).finally(
      progress.end,
    );
    printComparison(options, comparison);
  });
}

/** Moves the events back to the coordinator. */
export async function back(config: Config, options: MoveOptions): Promise<void> {
  await inCluster(config, async (pool) => {
    if ((await listNodes(pool)).length === 0 || (await distributedTables(pool)).size === 0)
      return printNothing(options, 'The events are on one machine already.');
    await refuseWhileSpreading(pool);
    await refuseWithoutDisk(pool, await bytesOnNodes(pool));
    await askFirst(options, 'Move all events back to the coordinator? Nothing can be stored meanwhile.');
    printComparison(options, await moveBack(pool));
  });
}

/** Runs `work` as a superuser of the coordinator, in the database of the product. */
export async function inCluster(config: Config, work: (pool: Pool) => Promise<void>): Promise<void> {
  const { admin_url, database_url } = adminUrls(config);
  const { database } = parseDatabaseUrl(database_url);
  const limits = { statement_ms: 0, lock_ms: LOCK_MS };
  const pool = createPool(withDatabase(admin_url, database), RESTING_CONNECTIONS + 2, limits);
  try {
    await work(pool);
  } finally {
    await pool.end();
  }
}

async function refuseWhileSpreading(pool: Pool): Promise<void> {
  if (isRunning(await lastRebalance(pool)))
    throw new Failure('shards move between the nodes: wait until tidemark cluster spread has ended');
}

function printNothing(options: Printed, text: string): void {
  printResult(options, { object: 'cluster_move', before: null, after: null, is_equal: true }, text);
}

function printComparison(options: Printed, comparison: Comparison | null): void {
  if (comparison === null) throw new Failure(ARCHIVING);
  const { before, after } = comparison;
  const buckets = [...new Set([before, after].flatMap(({ events }) => Object.keys(events)))];
  const rows = [
    ...buckets.map((bucket) => [monthOf(bucket), ...both(comparison, ({ events }) => events[bucket] ?? 0)]),
    ['keys', ...both(comparison, ({ keys }) => keys ?? '-')],
  ];
  const is_equal =
    buckets.every((bucket) => before.events[bucket] === after.events[bucket]) && sameKeys(comparison);
  const table = inColumns([['EVENTS', 'BEFORE', 'AFTER'], ...rows]);
  printResult(
    options,
    { object: 'cluster_move', before, after, is_equal },
    is_equal ? `${table}\nNothing is missing.` : table,
  );
  if (!is_equal) throw new Failure('the counts before and after differ: keep this output');
}

/** Keys that were on the nodes before the command began were not counted. */
function sameKeys({ before, after }: Comparison): boolean {
  return before.keys === null || before.keys === after.keys;
}

function both({ before, after }: Comparison, of: (counts: Counts) => number | string): [string, string] {
  return [`${of(before)}`, `${of(after)}`];
}

/** The month of a bucket such as 202612; bucket 0 has the events of test data, and others. */
function monthOf(bucket: string): string {
  return bucket === '0' ? 'others' : `${bucket.slice(0, 4)}-${bucket.slice(4)}`;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}
