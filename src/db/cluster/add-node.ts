import {
  atHost,
  firstHost,
  parseDatabaseUrl,
  withDatabase,
  type Host,
} from '../../settings/database-address.ts';
import { Refusal } from '../../settings/refusal.ts';
import { messageOf } from '../../process/message-of.ts';
import { makeRoleAndDatabase } from '../connection/owner.ts';
import { createPool, onConnection, type Db, type Pool } from '../connection/pool.ts';
import { distributeFunctions } from './functions.ts';
import { coordinatorHost, listNodes } from './nodes.ts';
import { prepareServer } from './prepare-server.ts';
import { nodeName, refuseServers } from './refused-servers.ts';
import { clocksApart, hasDatabase, hasTables, installedCitus, readServer } from './server.ts';

/** The longest wait for a lock of a command that changes the cluster: readers of events wait as long. */
export const LOCK_MS = 5000;

/** A node gets the tables of the cluster, a shard of each month's partition among them. */
const STATEMENT_MS = 600_000;
/** A database that every server has; that of the product may be missing on a node. */
const ANY_DATABASE = 'postgres';

export type Adding = {
  /** A superuser of the coordinator, who exists with the same password on the node. */
  admin_url: string;
  /** The role and the database of the product on the coordinator. */
  database_url: string;
  node: Host;
  /** Where nodes reach the coordinator; null: where admin_url does. */
  coordinator: Host | null;
  /** Allows connections between the servers that are not encrypted. */
  without_tls: boolean;
};

/** Pools of an administrator: of the product's database on both sides, and of any database of the node. */
type Sides = { coordinator: Pool; server: Pool; node: Pool };

/**
 * Makes a server a node of the cluster: the extension on both sides, the role and the database on the node, the
 * passwords, and our functions. Twice is once, and an interrupted call is completed by the next one. All checks come
 * first: throws a Refusal with one sentence, and has changed nothing.
 */
export async function addNode(adding: Adding): Promise<{ was_added: boolean; functions: number }> {
  const { admin_url, database_url, node } = adding;
  const { database } = parseDatabaseUrl(database_url);
  const at_node = atHost(admin_url, node);
  const limits = { statement_ms: STATEMENT_MS, lock_ms: LOCK_MS, may_be_node: true };
  const sides: Sides = {
    coordinator: createPool(withDatabase(admin_url, database), 1, { ...limits, may_be_node: false }),
    server: createPool(withDatabase(at_node, ANY_DATABASE), 1, limits),
    node: createPool(withDatabase(at_node, database), 1, limits),
  };
  try {
    await reach(sides.coordinator, 'the coordinator');
    const address = await addressOfCoordinator(sides.coordinator, adding);
    await reach(sides.server, nodeName(node));
    const is_node = await refuse(sides, adding);
    await makeNode(sides, adding);
    await prepareServer(sides.coordinator, { ...adding, name: 'the coordinator' });
    await setCoordinator(sides.coordinator, address);
    if (!is_node) await sides.coordinator.query('select citus_add_node($1, $2)', [node.host, node.port]);
    await makeActive(sides.coordinator, node);
    return { was_added: !is_node, functions: await distributeFunctions(sides.coordinator) };
  } finally {
    await Promise.all(Object.values(sides).map((pool) => pool.end()));
  }
}

async function reach(pool: Pool, name: string): Promise<void> {
  await pool.query('select 1').catch((error: unknown) => {
    throw new Refusal(`${name} cannot be reached as the role of DATABASE_ADMIN_URL: ${messageOf(error)}`);
  });
}

const LOOPBACK = /^(?:localhost|127\..*)$/;

/** The address of the coordinator for its nodes. Throws a Refusal if there is none that a node could use. */
async function addressOfCoordinator(
  db: Db,
  { admin_url, node, coordinator }: Pick<Adding, 'admin_url' | 'node' | 'coordinator'>,
): Promise<Host> {
  const known = (await installedCitus(db)) === null ? null : await coordinatorHost(db);
  const address = coordinator ?? known ?? firstHost(admin_url);
  if (address === null || (LOOPBACK.test(address.host) && !LOOPBACK.test(node.host)))
    throw new Refusal(
      'nodes cannot reach the coordinator at the address of DATABASE_ADMIN_URL: name one that they reach with --coordinator HOST:PORT',
    );
  return address;
}

/** Checks both servers. Returns whether the node is one already. Throws a Refusal; changes nothing. */
async function refuse(sides: Sides, { database_url, node, without_tls }: Adding): Promise<boolean> {
  const compared = {
    coordinator: await readServer(sides.coordinator),
    node: await readServer(sides.server),
    clocks_apart_ms: await clocksApart(sides.coordinator, sides.server),
  };
  refuseServers(compared, { node, without_tls });
  const nodes = await listNodes(sides.coordinator);
  const is_node = nodes.some(({ host, port }) => host === node.host && port === node.port);
  const { database } = parseDatabaseUrl(database_url);
  const installed = [{ name: 'the coordinator', version: await installedCitus(sides.coordinator) }];
  if (await hasDatabase(sides.server, database)) {
    if (!is_node && (await hasTables(sides.node)))
      throw new Refusal(`${nodeName(node)} has a database ${database} with tables of its own`);
    installed.push({ name: nodeName(node), version: await installedCitus(sides.node) });
  }
  for (const { name, version } of installed)
    if (version !== null && version !== compared.coordinator.citus)
      throw new Refusal(
        `the extension on ${name} has the version ${version}: run alter extension citus update there`,
      );
  return is_node;
}

/** The role and the database on the node, and what every server of a cluster has. */
async function makeNode({ server, node: pool }: Sides, adding: Adding): Promise<void> {
  await onConnection(server, async (db) => {
    // Of these, the coordinator tells its nodes; a node tells nobody.
    await db.query('set citus.enable_ddl_propagation = off');
    await makeRoleAndDatabase(db, adding.database_url);
  });
  await prepareServer(pool, { ...adding, name: nodeName(adding.node) });
}

/** Sets where nodes reach the coordinator, unless it is set so. */
async function setCoordinator(db: Db, { host, port }: Host): Promise<void> {
  const known = await coordinatorHost(db);
  if (known?.host === host && known.port === port) return;
  await db.query('select citus_set_coordinator_host($1, $2)', [host, port]);
}

/** A node that an operator has taken out of use is one again. */
async function makeActive(db: Db, { host, port }: Host): Promise<void> {
  await db.query(
    `select citus_activate_node(nodename, nodeport) from pg_dist_node
     where nodename = $1 and nodeport = $2 and not isactive`,
    [host, port],
  );
}
