import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Api } from '../../bench/programs.ts';
import { seedAccount } from '../../src/db/account/accounts.ts';
import { prepareDatabase } from '../../src/db/connection/prepare.ts';
import { LOOPBACK, anyFreePort, isOk } from '../../dev/ports.ts';
import { announced, launch, waitUntilReady, type Launched } from '../../dev/processes.ts';
import { nodeOptionsOf, SERVICES } from '../../dev/services.ts';
import { atEnd } from '../support/servers/at-end.ts';

/** The parts that all processes of a deployment have in common. */
export type Place = {
  /** Each process has its logs in a folder of its own below it. */
  folder: string;
  database_url: string;
  temporal_address: string;
  settings?: Readonly<Record<string, string>>;
};

/** One API or worker, which keeps its name, logs and port when it is started again. */
export type Part = {
  readonly name: string;
  pid: () => number;
  log: string;
  /** How the process ended although nobody stopped it; null if it has not. */
  ended: () => string | null;
  /** SIGKILL. */
  kill: () => Promise<void>;
  stop: () => Promise<void>;
  start: () => Promise<void>;
};

export type ApiPart = Part & { readonly api: Api };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// The drills start many processes at once, on few processors.
const START_LIMIT_MS = 300_000;
const STOP_MS = 15_000;

/** Migrates the database and creates its account; returns a live key. */
export async function prepare(database_url: string): Promise<string> {
  await prepareDatabase(database_url);
  return (await seedAccount(database_url, null)).live_key;
}

/** Starts an API; resolves when it is ready. */
export async function startApi(place: Place, name: string, live_key: string): Promise<ApiPart> {
  const port = await anyFreePort();
  const url = `http://${LOOPBACK}:${port}`;
  const part = await startPart(place, {
    name,
    kind: 'API',
    environment: { HOST: LOOPBACK, PORT: `${port}` },
    ready: () => () => isOk(`${url}/readyz`),
    root: ROOT,
  });
  return {
    ...part,
    get api() {
      return { url, port, pid: part.pid(), live_key };
    },
  };
}

/** Starts a worker, by default of this folder's sources; resolves when it polls for work. */
export function startWorker(place: Place, name: string, root = ROOT): Promise<Part> {
  return startPart(place, { name, kind: 'Worker', environment: {}, ready: announced, root });
}

type Wanted = {
  name: string;
  kind: keyof typeof SERVICES;
  environment: Readonly<Record<string, string>>;
  ready: (launched: Launched) => () => boolean | Promise<boolean>;
  root: string;
};

/** Starts a part at the usual priority: of `npm start` the worker gives way to the API. */
async function startPart(
  { folder, database_url, temporal_address, settings = {} }: Place,
  { name, kind, environment, ready, root }: Wanted,
): Promise<Part> {
  const logs = join(folder, 'logs', name);
  const common = {
    DATABASE_URL: database_url,
    TEMPORAL_ADDRESS: temporal_address,
    TIDEMARK_SECRET: 'secret of a drill',
    GRACE_PERIOD: '0s',
    RATE_LIMIT: 'off',
  };
  let running: Launched;
  let is_stopping = false;
  let ended: string | null = null;
  const startOnce = async () => {
    is_stopping = false;
    const launched = await launch({
      name: kind,
      command: process.execPath,
      args: [...nodeOptionsOf(kind), '--import', import.meta.resolve('tsx'), join(root, SERVICES[kind])],
      environment: { ...common, ...environment, ...settings },
      channel: true,
      logs,
      stop_steps: [['SIGTERM', STOP_MS]],
    });
    running = launched;
    await waitUntilReady(launched, START_LIMIT_MS, ready(launched));
    void launched.exited.then((how) => {
      if (!is_stopping) ended = how;
    });
  };
  // As with `restart: unless-stopped`: on a busy machine a worker's first calls to Temporal may take too long.
  const start = () => startOnce().catch(startOnce).catch(startOnce);
  const stop = async () => {
    is_stopping = true;
    await running.stop();
  };
  atEnd(stop);
  await start();
  return {
    name,
    pid: () => running.pid,
    log: join(logs, `${kind.toLowerCase()}.log`),
    ended: () => ended,
    kill: async () => {
      is_stopping = true;
      process.kill(running.pid, 'SIGKILL');
      await running.exited;
    },
    stop,
    start,
  };
}
