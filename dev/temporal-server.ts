import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { LOOPBACK, anyFreePort, isOkAs } from './ports.ts';
import { launch, waitUntilReady, type Running } from './processes.ts';

export type TemporalServer = Running & { address: string; port: number; ui_url: string | null };

/** Long, because it may run at low priority on a busy machine. */
const START_LIMIT_MS = 180_000;

// Postgres is the truth, so a power cut may lose the last moments of this file: the reconciler starts the missing
// workflows.
const PRAGMAS = ['journal_mode=WAL', 'synchronous=NORMAL'];

/**
 * Tasks of each of the server's queues that run at once. SQLite has one connection, for which the default of 512 tasks
 * would wait longer than the three seconds that each may take, when the timers of thousands of workflows fire together:
 * all would fail, and begin again.
 */
const TASKS_AT_ONCE = 32;
const QUEUES = ['timer', 'transfer', 'visibility'];

// The defaults delay a workflow's next run until a second after its start, and fire timers up to a second late.
const DYNAMIC_CONFIG = [
  ...QUEUES.map((queue) => `history.${queue}ProcessorSchedulerWorkerCount=${TASKS_AT_ONCE}`),
  'history.workflowIdReuseMinimalInterval="0s"',
  'history.timerProcessorMaxTimeShift="10ms"',
  // With Nexus on, the HTTP port serves Nexus to any host besides the workflow API.
  'system.enableNexus=false',
];

/**
 * Processors for a server that gives way: even at the lowest priority, a waiting event would have to wait until a
 * running thread's time slice ends.
 */
const PROCESSORS_MAX = Math.ceil(availableParallelism() / 2);

export type TemporalOptions = {
  /** Path of the temporal command. */
  binary: string;
  namespace: string;
  /** Null keeps everything in memory. */
  db_file: string | null;
  /** Null is any free port. */
  port: number | null;
  /** Null is no UI. */
  ui_port: number | null;
  logs: string;
  /** Runs at low priority and leaves half of the processors to other processes (decision 17). */
  low_priority?: boolean;
};

/** Starts a Temporal development server and resolves when its namespace answers. Throws with the end of its log. */
export async function startTemporal(options: TemporalOptions): Promise<TemporalServer> {
  const { ui_port } = options;
  const port = options.port ?? (await anyFreePort());
  const http = { port: await anyFreePort(), host: `${randomBytes(16).toString('hex')}.invalid` };
  const launched = await launch({
    name: 'Temporal',
    command: options.binary,
    args: argumentsOf(options, port, http),
    environment: options.low_priority === true ? { GOMAXPROCS: `${PROCESSORS_MAX}` } : {},
    logs: options.logs,
    low_priority: options.low_priority === true,
    stop_steps: [['SIGINT', 2500]],
  });
  const namespace = `http://${LOOPBACK}:${http.port}/api/v1/namespaces/${options.namespace}`;
  // The namespace is read from the server's database, so a server whose database hangs does not respond.
  const responds = (within_ms: number) => isOkAs(http.host, namespace, within_ms);
  await waitUntilReady(launched, START_LIMIT_MS, () => responds(1000));
  const ui_url = ui_port === null ? null : `http://${LOOPBACK}:${ui_port}`;
  return { ...launched, responds, address: `${LOOPBACK}:${port}`, port, ui_url };
}

/**
 * The server always opens an HTTP port. It asks for no key, and any page in a browser on this machine may send text to
 * it, and so signal or terminate workflows. So it answers to one host name only, which nobody can guess or resolve.
 */
type Http = { port: number; host: string };

function argumentsOf({ db_file, namespace, ui_port }: TemporalOptions, port: number, http: Http): string[] {
  return [
    'server',
    'start-dev',
    '--ip',
    LOOPBACK,
    '--port',
    `${port}`,
    '--http-port',
    `${http.port}`,
    ...(ui_port === null ? ['--headless'] : ['--ui-port', `${ui_port}`]),
    ...(db_file === null ? [] : ['--db-filename', db_file]),
    ...(db_file === null ? [] : PRAGMAS.flatMap((pragma) => ['--sqlite-pragma', pragma])),
    '--namespace',
    namespace,
    '--log-level',
    'warn',
    ...[...DYNAMIC_CONFIG, `frontend.httpAllowedHosts=["${http.host}"]`].flatMap((setting) => [
      '--dynamic-config-value',
      setting,
    ]),
  ];
}
