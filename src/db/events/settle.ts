import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../connection/pool.ts';

/** SQL: whether events may lie on other machines (decision 59). */
export const HAS_NODES = `to_regclass('pg_catalog.pg_dist_transaction') is not null`;

/** Whether events may lie on other machines. */
export async function hasNodes(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ has_nodes: boolean }>(`select ${HAS_NODES} as has_nodes`);
  return rows[0]!.has_nodes;
}

/** The longest wait for the nodes, as for a lock. */
const SETTLING_MS = 5000;
const FIRST_PAUSE_MS = 5;
const PAUSE_MS_MAX = 100;

/**
 * Waits until every node shows the events of the transactions that a snapshot of the coordinator includes. `db` is the
 * session that took the snapshot and compares events with it afterwards; `has_nodes` was read with it (HAS_NODES), and
 * where there are none this sends nothing. A transaction is prepared on its nodes, then committed on the coordinator,
 * which records it, then on each node: in between the snapshot includes events that a node does not show yet. Blocks
 * nobody. Throws an error that isUnavailable knows if a node has a prepared transaction, or does not answer, after 5 s.
 */
export async function settle(db: Db, has_nodes: boolean): Promise<void> {
  if (!has_nodes) return;
  const committed = await recordedTransactions(db);
  if (committed.length === 0) return;
  const started_at = performance.now();
  for (let pause_ms = FIRST_PAUSE_MS; ; pause_ms = Math.min(2 * pause_ms, PAUSE_MS_MAX)) {
    const waiting = await preparedOf(db, committed);
    if (waiting === null) return;
    if (performance.now() - started_at >= SETTLING_MS) throw unsettled(waiting);
    await pause(pause_ms);
  }
}

/** The transactions that the coordinator has committed, and of which a node may not know it yet. */
async function recordedTransactions(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ gid: string }>('select gid from pg_catalog.pg_dist_transaction');
  return rows.map(({ gid }) => gid);
}

const PREPARED = `select coalesce(string_agg(gid, ' '), '') from pg_prepared_xacts where database = current_database()`;

/**
 * A sentence about one of these transactions that is still prepared on a node, or about a node that does not answer;
 * null if there is none. Each node is asked on a connection of its own, so that no snapshot of this transaction begins
 * there.
 */
async function preparedOf(db: Db, gids: readonly string[]): Promise<string | null> {
  const { rows } = await db.query<{ node: string; success: boolean; result: string }>(
    `select nodename || ':' || nodeport as node, success, result from run_command_on_workers($1)`,
    [PREPARED],
  );
  const committed = new Set(gids);
  for (const { node, success, result } of rows) {
    if (!success) return `the node ${node} does not answer: ${result}`;
    const gid = result.split(' ').find((prepared) => committed.has(prepared));
    if (gid !== undefined) return `the node ${node} has not yet committed ${gid}`;
  }
  return null;
}

const LOCK_NOT_AVAILABLE = '55P03';

function unsettled(reason: string): Error {
  const message = `events of a snapshot are not on all nodes after ${SETTLING_MS / 1000} s: ${reason}`;
  return Object.assign(new Error(message), { code: LOCK_NOT_AVAILABLE });
}
