import { hostText, type Host } from '../../settings/database-address.ts';
import type { Db } from '../connection/pool.ts';
import { hasNodes } from '../events/settle.ts';

/** A server that holds events; the coordinator holds none. */
export type ClusterNode = Host & { is_active: boolean };

/** The nodes of a cluster, in the order in which they were added; none on one machine, with Citus or without. */
export async function listNodes(db: Db): Promise<ClusterNode[]> {
  if (!(await hasNodes(db))) return [];
  const { rows } = await db.query<ClusterNode>(
    `select nodename as host, nodeport as port, isactive as is_active from pg_dist_node
     where groupid <> 0 and noderole = 'primary' order by nodeid`,
  );
  return rows;
}

/** The address at which nodes reach the coordinator; null before it is set. The database has Citus. */
export async function coordinatorHost(db: Db): Promise<Host | null> {
  const { rows } = await db.query<Host>(
    'select nodename as host, nodeport as port from pg_dist_node where groupid = 0',
  );
  return rows[0] ?? null;
}

/** An answer of a node: what its statement returned, or why it did not. */
export type NodeAnswer<Result> = { node: string } & Host &
  ({ result: Result; fault: null } | { result: null; fault: string });

/** The longest time for a connection to a node, in milliseconds. */
const CONNECT_MS = 2000;

/**
 * Asks all nodes at once; the statement returns one value of JSON, or null. On a connection of its own outside a
 * transaction: a question inside one that has changed the two tables would wait for itself.
 */
export async function onNodes<Result>(db: Db, statement: string): Promise<NodeAnswer<Result>[]> {
  const { rows } = await db.query<Host & { success: boolean; result: string }>(
    // The limit holds for this statement; the nodes are asked once it is set.
    `with limited as materialized (
       select set_config('citus.node_connection_timeout', '${CONNECT_MS}', true) as value)
     select nodename as host, nodeport as port, success, result
     from limited cross join lateral run_command_on_workers(case when value <> '' then $1 end)
     order by nodename, nodeport`,
    [statement],
  );
  return rows.map(({ host, port, success, result }) => {
    const node = hostText({ host, port });
    if (!success) return { host, port, node, result: null, fault: result };
    return { host, port, node, result: result === '' ? null : JSON.parse(result), fault: null };
  });
}
