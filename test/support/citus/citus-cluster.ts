import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { nativeFolder } from '../../../dev/postgres-home.ts';
import { LOOPBACK } from '../../../dev/ports.ts';
import { startPostgres, type Postgres } from '../../../dev/postgres.ts';
import { provisionDatabase } from '../../../src/db/connection/owner.ts';
import { createPool } from '../../../src/db/connection/pool.ts';
import { prepareDatabase } from '../../../src/db/connection/prepare.ts';
import { makePartitions } from '../../../src/db/events/partitions.ts';
import { inheritedEnvironment } from '../../../src/settings/config.ts';
import { atEnd } from '../servers/at-end.ts';
import { aFolder } from '../servers/folder.ts';

const BUILD = fileURLToPath(new URL('../../citus/build', import.meta.url));
/** Exit code of BUILD where something is missing. */
const LACKING = 3;
/** A first build takes a minute of processor. */
export const BUILD_LIMIT_MS = 600_000;

const SHARDS = 12;

const SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  // Twice the connections: each may commit in two phases.
  max_prepared_transactions: '400',
  'citus.local_hostname': LOOPBACK,
  // There is no TLS in this build.
  'citus.node_conninfo': 'sslmode=disable',
  // Without these three a batch costs twice the processor.
  'citus.multi_shard_modify_mode': 'sequential',
  'citus.max_adaptive_executor_pool_size': '1',
  'citus.max_cached_conns_per_worker': '4',
  // Without copies of shards no order of changes is wrong, and else `insert ... select` locks whole shards.
  'citus.all_modifications_commutative': 'on',
  // The settings of a transaction hold on the nodes too.
  'citus.propagate_set_commands': 'local',
  'citus.recover_2pc_interval': '1s',
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
  const servers = await Promise.all(Array.from({ length: nodes + 1 }, () => startServer(folder)));
  const coordinator = servers[0]!;
  for (const server of servers) await prepareServer(server, coordinator);
  await administer(coordinator, async (admin) => {
    const ofCluster = (statement: string, { port }: Postgres) => admin.query(statement, [LOOPBACK, port]);
    await ofCluster('select citus_set_coordinator_host($1, $2)', coordinator);
    for (const node of servers.slice(1)) await ofCluster('select citus_add_node($1, $2)', node);
    if (nodes === 0)
      await ofCluster(`select citus_set_node_property($1, $2, 'shouldhaveshards', true)`, coordinator);
  });
  await prepareDatabase(coordinator.url);
  await administer(coordinator, async (admin) => {
    await admin.query(
      `select create_distributed_table('event_keys', 'key_hash', colocate_with => 'none', shard_count => ${SHARDS})`,
    );
    await admin.query(`select create_distributed_table('events', 'key_hash', colocate_with => 'event_keys')`);
  });
  const pool = createPool(coordinator.url, 1);
  await makePartitions(pool).finally(() => pool.end());
  return coordinator;
}

async function startServer(programs: string): Promise<Postgres> {
  const data_dir = await aFolder();
  const say = () => undefined;
  const server = await startPostgres({ data_dir, durable: false, say, programs, settings: SETTINGS });
  atEnd(server.stop);
  return server;
}

/** Makes the extension, and lets the servers of the cluster connect to each other: every role has the password of the coordinator. */
async function prepareServer(server: Postgres, coordinator: Postgres): Promise<void> {
  const [admin_url, url] = [coordinator.admin_url, coordinator.url].map((address) => new URL(address));
  const atServer = (address: URL) => Object.assign(new URL(address), { port: `${server.port}` }).href;
  await provisionDatabase(server.admin_url, atServer(url!));
  await administer(server, async (admin) => {
    await admin.query('create extension citus');
    for (const { username, password } of [admin_url!, url!])
      await admin.query(
        `insert into pg_dist_authinfo (nodeid, rolename, authinfo) values (0, $1, 'password=' || $2::text)`,
        [username, password],
      );
    await admin.query(
      `set citus.enable_ddl_propagation = off; alter role ${admin_url!.username} password ${pg.escapeLiteral(admin_url!.password)}`,
    );
  });
}

async function administer(server: Postgres, work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client(server.admin_url);
  await admin.connect();
  await work(admin).finally(() => admin.end());
}
