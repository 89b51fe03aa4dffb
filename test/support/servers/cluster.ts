import pg from 'pg';
import { prepareDatabase } from '../../../src/db/connection/prepare.ts';
import type { Postgres } from '../../../dev/postgres.ts';
import { startTestPostgres } from '../../../dev/test-servers.ts';
import { copiesOn, nodesOfRun, startTestCluster, type CopyOnCluster } from '../citus/cluster-databases.ts';
import { atEnd } from './at-end.ts';
import { aServerFolder } from './folder.ts';
import { serversOfRun } from './run-servers.ts';

const TEMPLATE = 'base';
const IN_USE = '55006';

type Cluster = {
  url: string;
  role: string;
  admin: pg.Pool;
  /** The database of which createDatabase makes copies. */
  template: string;
  copy: CopyOnCluster;
  databases: number;
};

let cluster: Promise<Cluster> | null = null;

/** Creates a migrated, empty database in the cluster that all tests of a process share; returns its address. */
export async function createDatabase(): Promise<string> {
  const shared = await (cluster ??= startCluster());
  const name = newName(shared);
  await shared.copy({ template: shared.template, name });
  return withDatabase(shared.url, name);
}

/** Creates a database that nobody has migrated. */
export async function createEmptyDatabase(): Promise<string> {
  const shared = await (cluster ??= startCluster());
  const name = newName(shared);
  await shared.admin.query(`create database ${name} owner ${shared.role}`);
  return withDatabase(shared.url, name);
}

/** Runs a statement as a superuser. Nothing under test is one. */
export async function administer(statement: string): Promise<void> {
  const { admin } = await (cluster ??= startCluster());
  await admin.query(statement);
}

/** Copies a database to which nobody is connected; returns the address of the copy. */
export async function copyDatabase(url: string): Promise<string> {
  const shared = await cluster!;
  const name = newName(shared);
  const template = databaseOf(url);
  await shared.copy({ template, name });
  return withDatabase(shared.url, name);
}

async function startCluster(): Promise<Cluster> {
  const nodes = nodesOfRun();
  const postgres =
    nodes > 0 ? await startTestCluster(nodes) : (serversOfRun()?.postgres ?? (await startOwn()));
  // A database with a session cannot be copied.
  const admin = new pg.Pool({ connectionString: withDatabase(postgres.admin_url, 'postgres'), max: 1 });
  admin.on('error', () => undefined);
  if (serversOfRun() === null) atEnd(() => admin.end());
  // As in production, the role owns its database and has no further rights, except that a test that breaks an invariant may have to
  // disable a trigger.
  const role = new URL(postgres.url).username;
  await admin.query(`grant set on parameter session_replication_role to ${role}`);
  const shared = { url: postgres.url, role, admin, databases: 0 };
  if (nodes > 0) return { ...shared, template: databaseOf(postgres.url), copy: await copiesOn(postgres) };
  await admin.query(`create database ${TEMPLATE} owner ${role}`);
  await prepareDatabase(withDatabase(postgres.url, TEMPLATE));
  const copy: CopyOnCluster = async ({ template, name }) =>
    void (await admin.query(`create database ${name} template ${template} owner ${role}`));
  return { ...shared, template: TEMPLATE, copy };
}

/** A name for a database; if the servers go on to another file, the database is removed after this one. */
function newName(shared: Cluster): string {
  const name = `test_${++shared.databases}`;
  if (serversOfRun() !== null) atEnd(() => removeDatabase(shared, name));
  return name;
}

/** A database with a session that does not end is left: to end it by force fails what listens to it. */
async function removeDatabase({ admin }: Cluster, name: string): Promise<void> {
  try {
    await admin.query(`drop database if exists ${name}`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== IN_USE) throw error;
  }
}

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

async function startOwn(): Promise<Postgres> {
  const postgres = await startTestPostgres(await aServerFolder());
  atEnd(postgres.stop);
  return postgres;
}

function withDatabase(url: string, name: string): string {
  return new URL(`/${name}`, url).href;
}
