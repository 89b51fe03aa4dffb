import { listNodes, onNodes, type ClusterNode } from './nodes.ts';
import { hostText, type Host } from '../../settings/database-address.ts';
import type { Db } from '../connection/pool.ts';

/** Older than this many seconds, a prepared transaction needs a person: its coordinator should have ended it. */
export const PREPARED_SECONDS_MAX = 10;

/** A transaction that is prepared on a node and not committed there yet. */
export type PreparedTransaction = Host & { gid: string; age_seconds: number };

/** The answers of all nodes; `settling_seconds` is the time in which all have answered. */
export type Prepared = {
  transactions: PreparedTransaction[];
  unreachable: (Host & { fault: string })[];
  settling_seconds: number;
};

/** Asks all nodes for their prepared transactions, those of this database. */
export async function preparedTransactions(db: Db): Promise<Prepared> {
  const from_ms = performance.now();
  const answers = await onNodes<Omit<PreparedTransaction, 'host' | 'port'>[]>(
    db,
    `select json_agg(p) from (
       select gid, extract(epoch from clock_timestamp() - prepared)::float8 as age_seconds from pg_prepared_xacts
       where database = current_database() order by prepared limit 1000) as p`,
  );
  return {
    settling_seconds: (performance.now() - from_ms) / 1000,
    transactions: answers.flatMap(({ host, port, result }) =>
      (result ?? []).map((transaction) => ({ host, port, ...transaction })),
    ),
    unreachable: answers.flatMap(({ host, port, fault }) => (fault === null ? [] : [{ host, port, fault }])),
  };
}

/** A node with its part of the events. Sizes are in bytes, with indexes. */
export type NodeSize = ClusterNode & { shards: number; event_bytes: number; key_bytes: number };

/** The nodes with what lies on each: shards of the keys, as many as of the events of a month, and bytes. */
export async function nodeSizes(db: Db): Promise<NodeSize[]> {
  const nodes = await listNodes(db);
  if (nodes.length === 0) return [];
  const { rows } = await db.query<Host & { shards: number; event_bytes: string; key_bytes: string }>(
    `select nodename as host, nodeport as port,
       count(*) filter (where table_name = 'event_keys'::regclass)::integer as shards,
       coalesce(sum(shard_size) filter (where table_name <> 'event_keys'::regclass), 0)::text as event_bytes,
       coalesce(sum(shard_size) filter (where table_name = 'event_keys'::regclass), 0)::text as key_bytes
     from citus_shards where citus_table_type = 'distributed' group by nodename, nodeport`,
  );
  return nodes.map((node) => {
    const found = rows.find((row) => hostText(row) === hostText(node));
    return {
      ...node,
      shards: found?.shards ?? 0,
      event_bytes: Number(found?.event_bytes ?? 0),
      key_bytes: Number(found?.key_bytes ?? 0),
    };
  });
}

/** The bytes of events and keys on all nodes, without indexes, those too that a move has not finished. */
export async function bytesOnNodes(db: Db): Promise<number> {
  const answers = await onNodes<number | null>(
    db,
    `select sum(pg_table_size(oid)) from pg_class
     where relkind = 'r' and relname ~ '^(event_keys|events(_[0-9a-z]+)?)_[0-9]{6,}$'`,
  );
  return answers.reduce((sum, { result }) => sum + (result ?? 0), 0);
}

/** A run that moves shards between the nodes, the last one. */
export type Rebalance = { job: string; state: string; moves_done: number; moves: number };

/** States of a run that goes on. */
const RUNNING = ['scheduled', 'running', 'cancelling', 'failing'];

/** Whether a run goes on. */
export function isRunning(rebalance: Rebalance | null): rebalance is Rebalance {
  return rebalance !== null && RUNNING.includes(rebalance.state);
}

/** The last run that moves shards; null if there was none. */
export async function lastRebalance(db: Db): Promise<Rebalance | null> {
  const { rows } = await db.query<Rebalance>(
    `select j.job_id::text as job, j.state::text as state,
       count(*) filter (where t.status = 'done')::integer as moves_done, count(t.task_id)::integer as moves
     from pg_dist_background_job j left join pg_dist_background_task t on t.job_id = j.job_id
     where j.job_id = (select max(job_id) from pg_dist_background_job where job_type = 'rebalance')
     group by j.job_id, j.state`,
  );
  return rows[0] ?? null;
}

/**
 * Begins to spread the shards evenly over the nodes, in the background of the coordinator. Returns false if they are
 * spread so already. Deletes and updates of events fail on a shard that moves, because copies follow inserts alone:
 * redaction and archive should rest. As a superuser.
 */
export async function startRebalance(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ job: string | null }>(
    `select citus_rebalance_start(shard_transfer_mode => 'force_logical') as job`,
  );
  return rows[0]!.job !== null;
}
