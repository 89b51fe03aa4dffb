import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { provisionDatabase } from '../src/db/connection/owner.ts';
import { messageOf } from '../src/process/message-of.ts';
import { LOOPBACK } from './ports.ts';
import { addressOf, makeCluster, type ClusterAddress } from './postgres-cluster.ts';
import { openHome, type PostgresHome } from './postgres-home.ts';
import { launch, stopProcess, waitUntilReady, type Running, type StopSteps } from './processes.ts';

/** `url` is for the role that owns the database, which is no superuser. */
export type Postgres = Running & Readonly<ClusterAddress>;

export type PostgresOptions = {
  /** Absolute path. The first start creates the cluster in `postgres` below it; logs are in `logs`. */
  data_dir: string;
  /** Port; by default the port of the last start if it is free, else any free port. */
  port?: number;
  /** False does not wait for the disk: only a crash of the machine then loses data. */
  durable: boolean;
  say: (line: string) => void;
  /** Folder of the programs, with bin, lib and share; by default that of the npm package. */
  programs?: string;
  /** Settings of the server besides those of every stack. */
  settings?: Readonly<Record<string, string>>;
  /** True where role and database are there, perhaps with other passwords. */
  is_provisioned?: boolean;
};

// Crash recovery replays the log since the last checkpoint.
const START_LIMIT_MS = 10 * 60_000;

// Fast shutdown; if its checkpoint takes too long, an immediate one, after which the next start recovers.
const STOP_STEPS: StopSteps = [
  ['SIGINT', 2500],
  ['SIGQUIT', 500],
];

const SETTINGS = {
  listen_addresses: LOOPBACK,
  unix_socket_directories: '',
  max_connections: '200',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * A quarter of the machine's memory, at most a gigabyte: keys are random, so each insert touches a random page of their
 * index, and a page that is not in memory must be read first. Unused buffers take no memory.
 */
const SHARED_BUFFERS_MEGABYTES = Math.min(1024, Math.floor(totalmem() / 4 / 1024 ** 2));
const DURABLE = { shared_buffers: `${SHARED_BUFFERS_MEGABYTES}MB` };
const NOT_DURABLE = { shared_buffers: '256MB', fsync: 'off', full_page_writes: 'off' };

/**
 * Starts PostgreSQL on the cluster of a data directory; resolves when it accepts connections. Throws with the end of
 * its log.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const home = await openHome(options.data_dir, options.say, options.programs);
  await makeCluster(home, options.durable);
  await stopPostmaster(home.cluster);
  for (let tries = 1; ; tries++) {
    try {
      return await startPostmaster(home, options);
    } catch (error) {
      // Sessions whose postmaster was killed still hold its shared memory; each exits when it notices. Retry.
      if (tries === 10 || !messageOf(error).includes('shared memory block')) throw error;
      await delay(1000);
    }
  }
}

async function startPostmaster(
  home: PostgresHome,
  { data_dir, port: asked_port, durable, settings: more, is_provisioned }: PostgresOptions,
): Promise<Postgres> {
  const address = await addressOf(home, asked_port);
  const settings = { ...SETTINGS, ...(durable ? DURABLE : NOT_DURABLE), ...more, port: `${address.port}` };
  const launched = await launch({
    name: 'PostgreSQL',
    command: join(home.bin, 'postgres'),
    args: [
      '-D',
      home.cluster,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    logs: join(data_dir, 'logs'),
    user: home.user,
    stop_steps: STOP_STEPS,
  });
  await waitUntilReady(launched, START_LIMIT_MS, () => {
    const postmaster = readPostmaster(home.cluster);
    return postmaster?.pid === launched.pid && postmaster.status === 'ready';
  });
  if (is_provisioned !== true)
    await provisionDatabase(address.admin_url, address.url).catch(async (error: unknown) => {
      await launched.stop();
      throw error;
    });
  return { ...launched, ...address };
}

/** Stops the postmaster that a killed stack left on this cluster. */
async function stopPostmaster(cluster: string): Promise<void> {
  const postmaster = readPostmaster(cluster);
  if (postmaster === null) return;
  if (commandOf(postmaster.pid).includes(cluster)) {
    await stopProcess(postmaster.pid, STOP_STEPS);
  } else {
    pointAtParent(cluster);
  }
}

/**
 * PostgreSQL refuses to start if another process has the pid in the file of a killed postmaster, but accepts the pid of
 * its own parent: write that. The file must stay, because its other lines let a new postmaster find sessions that still
 * live.
 */
function pointAtParent(cluster: string): void {
  const file = postmasterFile(cluster);
  const [, ...other_lines] = fs.readFileSync(file, 'utf8').split('\n');
  fs.writeFileSync(file, [process.pid, ...other_lines].join('\n'));
}

function readPostmaster(cluster: string): { pid: number; status: string } | null {
  try {
    const lines = fs.readFileSync(postmasterFile(cluster), 'utf8').split('\n');
    return { pid: Number(lines[0]), status: lines[7]?.trim() ?? '' };
  } catch {
    return null;
  }
}

function postmasterFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-o', 'command=', '-p', `${pid}`], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
