import { startPostgres, type Postgres } from '../../../dev/postgres.ts';
import { atEnd } from '../servers/at-end.ts';
import { aServerFolder } from '../servers/folder.ts';
import { CITUS_SETTINGS, formCluster } from './citus-cluster.ts';

/** A server that is killed as by a loss of power, and started again with its data at its old address. */
export type KillableServer = { kill: () => Promise<void>; start: () => Promise<void> };

export type KillableCluster = {
  url: string;
  admin_url: string;
  coordinator: KillableServer;
  nodes: KillableServer[];
};

/** Starts a coordinator and this many nodes, each of which can be killed. */
export async function startKillableCluster(programs: string, nodes: number): Promise<KillableCluster> {
  const servers = await Promise.all(Array.from({ length: nodes + 1 }, () => aKillableServer(programs)));
  const { url, admin_url } = await formCluster(servers.map(({ postgres }) => postgres));
  const [coordinator, ...others] = servers;
  return { url, admin_url, coordinator: coordinator!, nodes: others };
}

async function aKillableServer(programs: string): Promise<KillableServer & { postgres: Postgres }> {
  const options = {
    data_dir: await aServerFolder(),
    durable: false,
    say: () => undefined,
    programs,
    settings: CITUS_SETTINGS,
  };
  const postgres = await startPostgres(options);
  let running: Postgres = postgres;
  atEnd(() => running.stop());
  return {
    postgres,
    kill: async () => {
      process.kill(running.pid, 'SIGKILL');
      await running.exited;
    },
    start: async () =>
      void (running = await startPostgres({ ...options, port: postgres.port, is_provisioned: true })),
  };
}
