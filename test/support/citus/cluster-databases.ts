import pg from 'pg';
import { inheritedEnvironment } from '../../../src/settings/config.ts';
import { TEST_NODES } from '../../../dev/cluster-tests.ts';
import type { Postgres } from '../../../dev/postgres.ts';
import type { TestServers } from '../../../dev/test-servers.ts';
import { findCitus, startCitus } from './citus-cluster.ts';

/** The number of nodes of this run; 0 where one machine has the events. */
export function nodesOfRun(): number {
  return Number(inheritedEnvironment()[TEST_NODES] ?? '0');
}

/** The coordinator of a cluster with this many nodes. Throws if Citus is not built. */
export async function startTestCluster(nodes: number): Promise<Postgres> {
  const programs = await findCitus();
  if ('lacking' in programs) throw new Error(programs.lacking);
  return startCitus(programs.folder, nodes);
}

/** Copies a database of a cluster to which nobody is connected, on each server, under a new name. */
export type CopyOnCluster = (copy: { template: string; name: string }) => Promise<void>;

/** Copies of databases of this cluster have its nodes, its shards and their rows. */
export async function copiesOn(coordinator: TestServers['postgres']): Promise<CopyOnCluster> {
  const servers = await adminsOf(coordinator);
  const role = new URL(coordinator.url).username;
  return async ({ template, name }) => {
    for (const server of servers)
      await onServer(server, async (admin) => {
        await admin.query(`alter database ${template} allow_connections false`);
        // Citus' own daemon stays connected to each database.
        await admin.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1`, [
          template,
        ]);
        await admin.query(`create database ${name} template ${template} owner ${role}`);
        await admin.query(`alter database ${template} allow_connections true`);
      });
  };
}

/** Addresses by which a superuser connects to the servers of a cluster, outside its database. */
async function adminsOf({ url, admin_url }: TestServers['postgres']): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client
    .query<{ nodeport: number }>('select nodeport from pg_dist_node where groupid > 0')
    .finally(() => client.end());
  return [
    admin_url,
    ...rows.map(({ nodeport }) => Object.assign(new URL(admin_url), { port: `${nodeport}` }).href),
  ].map((address) => new URL('/postgres', address).href);
}

async function onServer(admin_url: string, work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client(admin_url);
  await admin.connect();
  await work(admin).finally(() => admin.end());
}
