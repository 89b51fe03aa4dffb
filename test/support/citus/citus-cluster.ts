import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { nativeFolder } from '../../../dev/postgres-home.ts';
import { LOOPBACK } from '../../../dev/ports.ts';
import { startPostgres, type Postgres } from '../../../dev/postgres.ts';
import { addNode, type Adding } from '../../../src/db/cluster/add-node.ts';
import { prepareServer } from '../../../src/db/cluster/prepare-server.ts';
import { distribute, TABLES } from '../../../src/db/cluster/tables.ts';
import { createPool, onConnection, type Pool } from '../../../src/db/connection/pool.ts';
import { prepareDatabase } from '../../../src/db/connection/prepare.ts';
import { makePartitions } from '../../../src/db/events/partitions.ts';
import { inheritedEnvironment } from '../../../src/settings/config.ts';
import { atEnd } from '../servers/at-end.ts';
import { aServerFolder } from '../servers/folder.ts';

const BUILD = fileURLToPath(new URL('../../citus/build', import.meta.url));
/** Exit code of BUILD where something is missing. */
const LACKING = 3;
/** A first build takes a minute of processor. */
export const BUILD_LIMIT_MS = 600_000;

/** Settings that an operator gives each server before `cluster add`, which sets the rest. */
export const CITUS_SETTINGS: Readonly<Record<string, string>> = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: '400',
  'citus.local_hostname': LOOPBACK,
};

/** The folder of PostgreSQL's programs with Citus; `lacking` is a sentence that says why there is none. */
export type CitusPrograms = { folder: string } | { lacking: string };

/** Builds PostgreSQL with Citus, or finds it in the user's cache. Throws if the build fails. */
export async function findCitus(): Promise<CitusPrograms> {
  try {
    const options = { env: inheritedEnvironment() };
    const { stdout } = await promisify(execFile)(BUILD, [await nativeFolder()], options);
    return { folder: stdout.trim() };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'stderr' in error)) throw error;
    if (error.code !== LACKING) throw new Error(String(error.stderr), { cause: error });
    return { lacking: String(error.stderr).trim() };
  }
}

/**
 * Starts a coordinator and this many nodes on loopback, and migrates the database; returns the coordinator. Events and their keys are
 * spread over the nodes by the hash of the key; without nodes the coordinator has all shards. They end with the run.
 */
export async function startCitus(folder: string, nodes: number): Promise<Postgres> {
  const servers = await Promise.all(
    Array.from({ length: nodes + 1 }, () => startCitusServer(folder, CITUS_SETTINGS)),
  );
  return formCluster(servers);
}

/** Makes a cluster of these servers, whose first one is the coordinator; returns it. */
export async function formCluster(servers: readonly Postgres[]): Promise<Postgres> {
  const [coordinator, ...others] = servers;
  await prepareDatabase(coordinator!.url);
  for (const node of others) await addNode(await addingTo(coordinator!, node));
  await administer(coordinator!, async (pool) => {
    if (others.length === 0) await holdShards(pool, coordinator!);
    for (const table of TABLES) await distribute(pool, table);
  });
  const pool = createPool(coordinator!.url, 1);
  await makePartitions(pool).finally(() => pool.end());
  return coordinator!;
}

/** Starts a server with these settings, which is of no cluster yet. */
export async function startCitusServer(
  programs: string,
  settings: Readonly<Record<string, string>>,
): Promise<Postgres> {
  const data_dir = await aServerFolder();
  const server = await startPostgres({ data_dir, durable: false, say: () => undefined, programs, settings });
  atEnd(server.stop);
  return server;
}

/** Values for addNode that make a server a node of a coordinator. There is no TLS here. */
export async function addingTo(coordinator: Postgres, { admin_url, port }: Postgres): Promise<Adding> {
  const { username, password } = new URL(coordinator.admin_url);
  const pool = createPool(admin_url, 1, { may_be_node: true });
  // As an operator does: the superuser has one password on all servers.
  await onConnection(pool, async (db) => {
    await db.query('set citus.enable_ddl_propagation = off');
    await db.query(`alter role ${username} password ${pg.escapeLiteral(password)}`);
  }).finally(() => pool.end());
  return {
    admin_url: coordinator.admin_url,
    database_url: coordinator.url,
    node: { host: LOOPBACK, port },
    coordinator: null,
    without_tls: true,
  };
}

/** Gives the coordinator shards: without nodes, no other server can have them. */
async function holdShards(pool: Pool, { admin_url, url: database_url, port }: Postgres): Promise<void> {
  await prepareServer(pool, { admin_url, database_url, without_tls: true, name: 'the coordinator' });
  await pool.query('select citus_set_coordinator_host($1, $2)', [LOOPBACK, port]);
  await pool.query(`select citus_set_node_property($1, $2, 'shouldhaveshards', true)`, [LOOPBACK, port]);
}

async function administer(server: Postgres, work: (pool: Pool) => Promise<void>): Promise<void> {
  const pool = createPool(server.admin_url, 1);
  await work(pool).finally(() => pool.end());
}
