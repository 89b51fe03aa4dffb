import { setTimeout as pause } from 'node:timers/promises';
import { atRest } from '../src/db/cluster/rest.ts';
import {
  isRunning,
  lastRebalance,
  nodeSizes,
  preparedTransactions,
  startRebalance,
  type NodeSize,
  type PreparedTransaction,
  type Rebalance,
} from '../src/db/cluster/state.ts';
import { distributedTables, TABLES } from '../src/db/cluster/tables.ts';
import { createPool, SHORT_STATEMENT_MS, type Pool } from '../src/db/connection/pool.ts';
import type { Config } from '../src/settings/config.ts';
import { hostText } from '../src/settings/database-address.ts';
import { ARCHIVING, inCluster } from './cluster-moves.ts';
import { databaseUrl } from './database.ts';
import { Failure } from './failure.ts';
import { untilInterrupted } from './interrupt.ts';
import { inColumns, printResult, type Printed } from './output.ts';
import { createProgress } from './progress.ts';

const ONE_MACHINE = 'All events are on one machine.';

/** Shows the nodes, what lies on each, what is prepared, and a run that moves shards. */
export async function show(config: Config, options: Printed): Promise<void> {
  const pool = createPool(databaseUrl(config), 2, { statement_ms: SHORT_STATEMENT_MS });
  try {
    const nodes = await nodeSizes(pool);
    if (nodes.length === 0) return printResult(options, ofOneMachine(), ONE_MACHINE);
    const state = { ...ofOneMachine(), nodes, ...(await stateOf(pool)) };
    printResult(options, state, stateText(state));
  } finally {
    await pool.end();
  }
}

type State = {
  object: 'cluster';
  nodes: NodeSize[];
  are_events_distributed: boolean;
  prepared_transactions: PreparedTransaction[];
  unreachable: { host: string; port: number; fault: string }[];
  /** The time in which all nodes answer with their prepared transactions; null on one machine. */
  settling_seconds: number | null;
  rebalance: Rebalance | null;
};

function ofOneMachine(): State {
  return {
    object: 'cluster',
    nodes: [],
    are_events_distributed: false,
    prepared_transactions: [],
    unreachable: [],
    settling_seconds: null,
    rebalance: null,
  };
}

async function stateOf(pool: Pool): Promise<Omit<State, 'object' | 'nodes'>> {
  const { transactions, unreachable, settling_seconds } = await preparedTransactions(pool);
  return {
    are_events_distributed: (await distributedTables(pool)).size === TABLES.length,
    prepared_transactions: transactions,
    unreachable,
    settling_seconds,
    rebalance: await lastRebalance(pool),
  };
}

function stateText(state: State): string {
  const { nodes, unreachable, prepared_transactions: prepared, settling_seconds, rebalance } = state;
  const rows = nodes.map((node) => [
    hostText(node),
    node.is_active ? 'active' : 'not active',
    `${node.shards}`,
    `${node.event_bytes}`,
    `${node.key_bytes}`,
  ]);
  return [
    inColumns([['NODE', 'STATE', 'SHARDS', 'BYTES OF EVENTS', 'BYTES OF KEYS'], ...rows]),
    state.are_events_distributed
      ? 'The events are on the nodes.'
      : 'The events are not on the nodes: cluster move.',
    ...unreachable.map((node) => `${hostText(node)} does not answer: ${node.fault}`),
    `${prepared.length} transactions are prepared.`,
    ...prepared.map((one) => `${hostText(one)} ${one.gid}, for ${one.age_seconds.toFixed(1)} s`),
    `All nodes answered within ${Math.round((settling_seconds ?? 0) * 1000)} ms.`,
    ...(rebalance === null ? [] : [`The last spreading is ${rebalance.state}: ${movesText(rebalance)}.`]),
  ].join('\n');
}

function movesText({ moves_done, moves }: Rebalance): string {
  return `${moves_done} of ${moves} shards moved`;
}

const POLL_MS = 1000;

/** Spreads the events evenly, or follows what does. */
export async function spread(config: Config, options: Printed): Promise<void> {
  const signal = untilInterrupted();
  await inCluster(config, async (pool) => {
    if ((await nodeSizes(pool)).length === 0)
      throw new Failure('there is no node: add one with tidemark cluster add HOST');
    const followed = await atRest(pool, async () => {
      if (!isRunning(await lastRebalance(pool)) && !(await startRebalance(pool))) return { rebalance: null };
      return { rebalance: await follow(pool, signal) };
    });
    if (followed === null) throw new Failure(ARCHIVING);
    const { rebalance } = followed;
    printResult(options, { object: 'cluster_rebalance', rebalance }, spreadText(rebalance));
    if (rebalance !== null && rebalance.state !== 'finished' && !isRunning(rebalance))
      throw new Failure('the events are not spread evenly; the log of the coordinator has the reason');
  });
}

function spreadText(rebalance: Rebalance | null): string {
  if (rebalance === null) return 'The events are spread evenly already.';
  const goes_on = isRunning(rebalance) ? '; it goes on, and cluster spread follows it again' : '';
  return `${rebalance.state}: ${movesText(rebalance)}${goes_on}`;
}

/** Shows how many shards have moved until all have, or until Ctrl-C. */
async function follow(pool: Pool, signal: AbortSignal): Promise<Rebalance | null> {
  const progress = createProgress('shards moved', null);
  try {
    for (;;) {
      const rebalance = await lastRebalance(pool);
      progress.show(rebalance?.moves_done ?? 0);
      if (signal.aborted || !isRunning(rebalance)) return rebalance;
      await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    progress.end();
  }
}
