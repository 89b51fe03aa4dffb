import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { LOOPBACK, anyFreePort } from '../../dev/ports.ts';
import { launch, run, waitUntilReady, type Launched } from '../../dev/processes.ts';
import type { Say } from '../../dev/progress.ts';
import { atEnd } from '../support/servers/at-end.ts';
import { findTemporalServer, type TemporalPrograms } from './temporal-build.ts';

const SHARDS = 512;
const START_LIMIT_MS = 180_000;
/** Databases of Temporal, each with the name of its schema. */
const DATABASES = { temporal: 'temporal', temporal_visibility: 'visibility' };

/** The processes of a cluster and the service that each runs. */
const PROCESSES = {
  'history-1': 'history',
  'history-2': 'history',
  matching: 'matching',
  frontend: 'frontend',
  worker: 'worker',
} as const;
export type ProcessName = keyof typeof PROCESSES;

export type TemporalCluster = {
  /** Address of the frontend. */
  address: string;
  /** SIGKILL. */
  kill: (name: ProcessName) => Promise<void>;
  start: (name: ProcessName) => Promise<void>;
};

/**
 * Starts a Temporal cluster of five processes with 512 shards, which keeps its data in a PostgreSQL of which `admin_url` is the
 * superuser's address. Stops at the end of the drill.
 */
export async function startTemporalCluster(
  { folder, admin_url }: { folder: string; admin_url: string },
  say: Say,
): Promise<TemporalCluster> {
  const programs = await findTemporalServer(say);
  await createSchema(programs, admin_url);
  const ports = new Map<ProcessName, Ports>();
  for (const name of namesOf(PROCESSES))
    ports.set(name, { grpcPort: await anyFreePort(), membershipPort: await anyFreePort() });
  const address = `${LOOPBACK}:${ports.get('frontend')!.grpcPort}`;
  const running = new Map<ProcessName, Launched>();
  const start = async (name: ProcessName) => {
    const config = join(folder, `temporal-${name}.json`);
    writeFileSync(config, JSON.stringify(configOf({ name, ports, address, admin_url, folder })));
    const launched = await launch({
      name: `temporal-${name}`,
      command: programs.server,
      args: ['--config-file', config, '--allow-no-auth', 'start', '--service', PROCESSES[name]],
      logs: join(folder, 'logs'),
      stop_steps: [['SIGTERM', 10_000]],
    });
    running.set(name, launched);
    await waitUntilReady(launched, START_LIMIT_MS, () => isOpen(ports.get(name)!.grpcPort));
  };
  atEnd(async () => void (await Promise.all([...running.values()].map(({ stop }) => stop()))));
  writeFileSync(join(folder, 'temporal-dynamic.yaml'), DYNAMIC_CONFIG);
  // The first writes the cluster's record: two that write it at once fail.
  const [first, ...others] = namesOf(PROCESSES);
  await start(first!);
  await Promise.all(others.map(start));
  say(`Temporal runs as ${namesOf(PROCESSES).join(', ')} with ${SHARDS} shards`);
  return {
    address,
    start,
    kill: async (name) => {
      const { pid, exited } = running.get(name)!;
      process.kill(pid, 'SIGKILL');
      await exited;
    },
  };
}

type Ports = { grpcPort: number; membershipPort: number };

function namesOf<Name extends string>(record: Readonly<Record<Name, string>>): Name[] {
  return Object.keys(record) as Name[];
}

/** Creates both databases and their schemas, as docker-compose.yml does. */
async function createSchema({ sql_tool }: TemporalPrograms, admin_url: string): Promise<void> {
  const { hostname, port, username, password } = new URL(admin_url);
  const login = ['--endpoint', hostname, '--port', port, '--user', username, '--password', password];
  for (const [database, schema] of Object.entries(DATABASES)) {
    const tool = (...args: string[]) =>
      run(sql_tool, [...login, '--plugin', 'postgres12', '--database', database, ...args], {});
    await tool('create-database');
    await tool('setup-schema', '--version', '0.0');
    await tool('update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
}

const DYNAMIC_CONFIG = `# A workflow continues as new without a pause.
history.workflowIdReuseMinimalInterval: [{ value: 0s }]
`;

type Configured = {
  name: ProcessName;
  ports: ReadonlyMap<ProcessName, Ports>;
  address: string;
  admin_url: string;
  folder: string;
};

/** The ports of every service: a process finds only services that its configuration names. Its own service has its own ports. */
function servicesOf({ name, ports }: Pick<Configured, 'name' | 'ports'>): object {
  const others = [...ports].filter(([other]) => PROCESSES[other] !== PROCESSES[name]);
  const named = [...others, [name, ports.get(name)!] as const];
  return Object.fromEntries(
    named.map(([process, own]) => [PROCESSES[process], { rpc: { ...own, bindOnIP: LOOPBACK } }]),
  );
}

function configOf({ name, ports, address, admin_url, folder }: Configured): object {
  const { host, username: user, password } = new URL(admin_url);
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      ...{ pluginName: 'postgres12', databaseName, connectAddr: host, connectProtocol: 'tcp' },
      ...{ user, password, maxConns, maxIdleConns: maxConns, maxConnLifetime: '1h' },
    },
  });
  const [main, visibility] = Object.keys(DATABASES);
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'main',
      visibilityStore: 'visibility',
      numHistoryShards: SHARDS,
      datastores: { main: store(main!, 20), visibility: store(visibility!, 10) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: LOOPBACK } },
    services: servicesOf({ name, ports }),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: address },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    publicClient: { hostPort: address },
    dynamicConfigClient: { filepath: join(folder, 'temporal-dynamic.yaml'), pollInterval: '60s' },
  };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, LOOPBACK, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
