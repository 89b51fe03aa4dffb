import { hostname, totalmem } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type LogLevel,
  type RuntimeOptions,
  type WorkerOptions,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import { configAtStart, refuseToStart, type Config } from '../src/config.ts';
import { CHECK_STATEMENT_MS } from '../src/db/invariants/check.ts';
import { findAccountId, isPrepared } from '../src/db/account/accounts.ts';
import { createPool, type Pool } from '../src/db/connection/pool.ts';
import { prepareDatabase } from '../src/db/connection/prepare.ts';
import { isStillRunning } from '../src/still-running.ts';
import { announceReady, exitWithParent } from '../src/lifecycle.ts';
import { createLog } from '../src/log.ts';
import { messageOf } from '../src/message-of.ts';
import { gaugePools } from '../src/metrics.ts';
import { orRefuse, Refusal } from '../src/refusal.ts';
import { connectTemporal, connectionOptions, type Temporal } from '../src/temporal.ts';
import { setUpAtStart } from '../src/temporal-setup.ts';
import { startTracing, stopTracing, tracing } from '../src/tracing.ts';
import { createNewest } from '../src/webhooks/newest.ts';
import { senderOf } from '../src/webhooks/sender.ts';
import { TASK_QUEUE, WEBHOOK_TASK_QUEUE } from '../workflows/messages.ts';
import { backgroundWork } from './background.ts';
import { createCloseMetrics, type CloseMetrics } from './close-metrics.ts';
import { createActivities, STEP_STATEMENT_MS } from './index.ts';
import { keepNumbersCompared } from './numbering.ts';
import { keepRollingUp } from './rollup.ts';
import { installWithMetrics } from './sdk-metrics.ts';
import { traceSteps } from './trace-steps.ts';
import { createWebhookMetrics, type WebhookMetrics } from './webhook-metrics.ts';
import { createWebhookActivities } from './webhooks.ts';
import { createWorkerView, openWorkerPort, type WorkerView } from './worker-port.ts';

const ACTIVITIES_AT_ONCE = 20;
/** Connections of closes: two groups, eight that wait for a lock alone, and one for what is between them. */
const CLOSE_CONNECTIONS = 11;
/** Members of groups, which need no connection of their own: no workflow task waits for a place while Temporal's clock runs. */
const LOCAL_ACTIVITIES_AT_ONCE = 64;
const WORKFLOW_TASK_POLLS = 8;
/**
 * A poll that waits for a task holds a place of a workflow task. Without places besides these, the polls of the queue of cached workflows,
 * once it is empty, leave few places to the common queue: at the end of a month closes then go on one by one (decision 35).
 */
const WORKFLOW_TASKS_AT_ONCE = WORKFLOW_TASK_POLLS + LOCAL_ACTIVITIES_AT_ONCE;
/** Endpoints that are sent to at the same time; each has a place for as long as something comes. */
const ENDPOINTS_AT_ONCE = 100;
const WEBHOOK_CONNECTIONS = 5;
const SET_UP_INTERVAL_MS = 15_000;
const READY_WITHIN_MS = 2000;

const LOG_LEVELS = { debug: 'DEBUG', info: 'INFO', warn: 'WARN', error: 'ERROR', silent: 'ERROR' } as const;

/** Writes the log of Temporal's runtime into our log, one JSON line each. Call once per process, before any connection opens. */
export function installRuntime(config: Config): void {
  Runtime.install(runtimeOptions(config));
}

function runtimeOptions(config: Config): RuntimeOptions {
  const log = createLog('worker', config.log_level);
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;
  const write = ({ level, message, meta }: { level: LogLevel; message: string; meta?: object }) =>
    log[levels[level]](meta ?? {}, message);
  return { logger: new DefaultLogger(LOG_LEVELS[config.log_level], write) };
}

/** Bundles the workflow code. Takes a second; several workers of one process may share the bundle. */
export function bundleWorkflows(): Promise<WorkflowBundleWithSourceMap> {
  const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
  return bundleWorkflowCode({ workflowsPath, logger: Runtime.instance().logger });
}

export type WorkerMetrics = { closes: CloseMetrics; webhooks: WebhookMetrics };

function createWorkerMetrics(): WorkerMetrics {
  return { closes: createCloseMetrics(), webhooks: createWebhookMetrics() };
}

export type RunningWorker = {
  /** Resolves once every running activity has ended. */
  done: Promise<void>;
  stop: () => void;
  /** Whether it polls for work, and Temporal and a migrated database respond within two seconds. */
  isReady: () => Promise<boolean>;
  pools: { activities: Pool; background: Pool; webhooks: Pool };
};

/**
 * Runs workflows and activities until stop(). Throws a Refusal, and `done` rejects with one, if the namespace belongs to another account or
 * the database cannot be used.
 */
export async function startWorker(
  config: Config,
  database_url: string,
  workflowBundle: WorkflowBundleWithSourceMap,
  metrics: WorkerMetrics = createWorkerMetrics(),
): Promise<RunningWorker> {
  const { secrets } = config;
  if (secrets === null) throw new Refusal('TIDEMARK_SECRET is not set');
  let refusal: Refusal | null = null;
  let workers: Worker[] = [];
  // Temporal's runtime handles the same process signals, and a second shutdown() throws.
  const ending = new AbortController();
  const stop = () => {
    ending.abort();
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const onRefusal = (found: Refusal) => {
    refusal ??= found;
    stop();
  };
  const pool = createPool(database_url, ACTIVITIES_AT_ONCE + CLOSE_CONNECTIONS, {
    statement_ms: STEP_STATEMENT_MS,
    is_prepared: true,
    onRefusal,
  });
  // For the checks of the invariants, and for the rollup of bulk loads.
  const background_pool = createPool(database_url, 3, { statement_ms: CHECK_STATEMENT_MS, onRefusal });
  const webhook_pool = createPool(database_url, WEBHOOK_CONNECTIONS, { is_prepared: true, onRefusal });
  const temporal = connectTemporal(config);
  const account_id = await findAccountId(pool);
  if (account_id === null)
    throw new Refusal('the database has no account yet: run tidemark setup, which creates it');
  const { missing } = await setUpAtStart(temporal, account_id);
  if (missing !== null) Runtime.instance().logger.warn(missing);
  const connection = await NativeConnection.connect(connectionOptions(config));
  const { check_share_percent, late_usage_days } = config;
  const services = { pool, background_pool, temporal, metrics: metrics.closes };
  const activities = createActivities({ ...services, settings: config, check_share_percent });
  const webhook_activities = createWebhookActivities({
    ...senderOf(webhook_pool, config, secrets),
    ...{ newest: createNewest(webhook_pool), count: metrics.webhooks.count },
    stopping: ending.signal,
  });
  const worker = await createWorker(config, {
    ...{ connection, workflowBundle, activities },
    taskQueue: TASK_QUEUE,
    maxConcurrentActivityTaskExecutions: ACTIVITIES_AT_ONCE,
    maxConcurrentLocalActivityExecutions: LOCAL_ACTIVITIES_AT_ONCE,
    maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS_AT_ONCE,
    maxConcurrentWorkflowTaskPolls: WORKFLOW_TASK_POLLS,
    maxCachedWorkflows: cachedWorkflowsMax(),
  });
  const webhook_worker = await createWorker(config, {
    ...{ connection, workflowBundle, activities: webhook_activities },
    taskQueue: WEBHOOK_TASK_QUEUE,
    maxConcurrentActivityTaskExecutions: ENDPOINTS_AT_ONCE,
    maxCachedWorkflows: ENDPOINTS_AT_ONCE,
    workflowThreadPoolSize: 1,
  });
  workers = [worker, webhook_worker];
  const stopping = new AbortController();
  const kept = Promise.all([
    keepSetUp({ temporal, account_id, onRefusal }, stopping.signal),
    keepRollingUp(background_pool, { signal: stopping.signal, late_usage_days }, (error) =>
      report('the daily totals of usage cannot be updated', { error }),
    ),
    keepNumbersCompared({ pool, temporal }, stopping.signal, report),
    ...backgroundWork({ pool: background_pool, temporal }, config, stopping.signal, report),
  ]);
  const done = runToTheirEnd(workers, stop).finally(async () => {
    stopping.abort();
    await kept;
    await connection.close();
    await temporal.close();
    await background_pool.end();
    await webhook_pool.end();
    await pool.end();
    if (refusal !== null) throw refusal;
  });
  return {
    done,
    stop,
    isReady: async () =>
      workers.every((one) => one.getState() === 'RUNNING') && (await doRespond(temporal, pool)),
    pools: { activities: pool, background: background_pool, webhooks: webhook_pool },
  };
}

/** Resolves when all workers have stopped. If one fails, the others stop, and it rejects. */
async function runToTheirEnd(workers: readonly Worker[], stop: () => void): Promise<void> {
  const ends = await Promise.allSettled(workers.map((worker) => runToItsEnd(worker).finally(stop)));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/**
 * Resolves when the worker has stopped. A worker that has drained may still be refused its last step ("Worker still in use"), because the SDK
 * counts a call that is just ending; nothing is left to do then.
 */
async function runToItsEnd(worker: Worker): Promise<void> {
  try {
    await worker.run();
  } catch (error) {
    if (worker.getState() !== 'STOPPED') throw error;
  }
}

function report(message: string, cause: object): void {
  Runtime.instance().logger.error(message, cause);
}

const WORKFLOW_BYTES = 150 * 1024;
const CACHED_WORKFLOWS_MIN = 600;

/**
 * An eighth of the memory that the process may use, at most a quarter of V8's heap: a workflow outside the cache is read again from its
 * history at its next step.
 */
function cachedWorkflowsMax(): number {
  const memory = process.constrainedMemory() || totalmem();
  const bytes = Math.min(memory / 8, getHeapStatistics().heap_size_limit / 4);
  return Math.max(CACHED_WORKFLOWS_MIN, Math.floor(bytes / WORKFLOW_BYTES));
}

function createWorker(
  { temporal_namespace: namespace }: Config,
  options: Omit<WorkerOptions, 'namespace'>,
): Promise<Worker> {
  return Worker.create({
    ...options,
    namespace,
    interceptors: tracing() === null ? {} : { activity: [traceSteps] },
    identity: `tidemark@${hostname()}`,
    shutdownGraceTime: '4s',
    shutdownForceTime: '7s',
    // A task that waits longer goes to the common queue, and the workflow is read again from its history.
    stickyQueueScheduleToStartTimeout: '1 minute',
  });
}

async function doRespond(temporal: Temporal, pool: Pool): Promise<boolean> {
  const answers = Promise.all([temporal.isReachable(), isPrepared(pool)]).then(
    (all) => all.every(Boolean),
    () => false,
  );
  return !(await isStillRunning(answers, READY_WITHIN_MS)) && answers;
}

/**
 * A schedule that Temporal's database lost cannot report its own loss, so the worker registers it again at intervals. Calls `onRefusal` if
 * another account has become the owner of the namespace meanwhile.
 */
async function keepSetUp(
  {
    temporal,
    account_id,
    onRefusal,
  }: { temporal: Temporal; account_id: string; onRefusal: (refusal: Refusal) => void },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await pause(SET_UP_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await temporal.setUp(account_id).catch((error: unknown) => {
      // If the server is down, the next round retries.
      if (error instanceof Refusal) onRefusal(error);
    });
  }
}

/** Installs the runtime. Opens the worker's port if it has one, else returns null. */
async function openView(config: Config): Promise<WorkerView | null> {
  const { worker_port: port, worker_host: host } = config;
  if (port === null) {
    installRuntime(config);
    return null;
  }
  const view = createWorkerView(await installWithMetrics(runtimeOptions(config)));
  await openWorkerPort(view, { port, host }).catch((error: unknown) =>
    refuseToStart(`WORKER_PORT cannot be used: ${messageOf(error)}`),
  );
  return view;
}

async function main(): Promise<void> {
  const config = configAtStart();
  if (config.database_url === null)
    return refuseToStart('DATABASE_URL is not set; the README lists the settings');
  if (config.secrets === null)
    return refuseToStart('TIDEMARK_SECRET is not set; it is the same in every API process and worker');
  await startTracing('tidemark-worker', config.otlp_endpoint);
  const view = await openView(config);
  await orRefuse(prepareDatabase(config.database_url));
  const bundle = await bundleWorkflows();
  const metrics = createWorkerMetrics();
  const worker = await orRefuse(startWorker(config, config.database_url, bundle, metrics));
  if (view !== null) {
    metrics.closes.register(view.registry);
    metrics.webhooks.register(view.registry);
    gaugePools(view.registry, worker.pools);
    view.isReady = worker.isReady;
  }
  exitWithParent(async () => {
    worker.stop();
    await worker.done;
    await stopTracing();
  });
  announceReady();
  await orRefuse(worker.done);
}

// No top-level await: modules that import this one must stay loadable by require(), or the tests load their support files twice.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
}
