import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  type LogLevel,
  type RuntimeOptions,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import { configAtStart, refuseToStart, type Config } from '../src/settings/config.ts';
import { CHECK_STATEMENT_MS } from '../src/db/invariants/check.ts';
import { findAccountId, isPrepared } from '../src/db/account/accounts.ts';
import { createPool, type Pool } from '../src/db/connection/pool.ts';
import { prepareDatabase } from '../src/db/connection/prepare.ts';
import { isStillRunning } from '../src/process/still-running.ts';
import { announceReady, exitWithParent } from '../src/process/lifecycle.ts';
import { createLog } from '../src/telemetry/log.ts';
import { messageOf } from '../src/process/message-of.ts';
import { gaugePools } from '../src/telemetry/pool-metrics.ts';
import { orRefuse, Refusal } from '../src/settings/refusal.ts';
import { connectTemporal, connectionOptions, type Temporal } from '../src/temporal/temporal.ts';
import { setUpAtStart } from '../src/temporal/setup.ts';
import { startTracing, stopTracing } from '../src/telemetry/tracing.ts';
import { createNewest } from '../src/webhooks/newest.ts';
import { senderOf, type Sender } from '../src/webhooks/sender.ts';
import { backgroundWork } from './background.ts';
import { collectorOf, type Collector } from '../src/collection/opened.ts';
import { chargerOf, collectionWork } from './collections.ts';
import { emailWork } from './emails.ts';
import { createActivities, STEP_STATEMENT_MS } from '../activities/index.ts';
import { keepNumbersCompared } from './numbering.ts';
import { createQueues, type Queues } from './queues.ts';
import { keepRollingUp } from './rollup.ts';
import { installWithMetrics } from './sdk-metrics.ts';
import { billThresholds } from './thresholds.ts';
import { createWorkerMetrics, registerMetrics, type WorkerMetrics } from './worker-metrics.ts';
import { createCollectionActivities } from '../activities/collections.ts';
import { createWebhookActivities } from '../activities/webhooks.ts';
import { createWorkerView, openWorkerPort, type WorkerView } from './port.ts';

const ACTIVITIES_AT_ONCE = 20;
/** Connections of closes: two groups, eight that wait for a lock alone, and one for what is between them. */
const CLOSE_CONNECTIONS = 11;
const WEBHOOK_CONNECTIONS = 5;
/** The locks of the one that sends and of the one that reminds, and what they store. */
const EMAIL_CONNECTIONS = 5;
/** The lock of the one that reads at payment providers, the log, and charges: most wait for the provider. */
const COLLECTION_CONNECTIONS = 5;
/** Loops that may wait for the end at the same time, each with a listener. */
const LOOPS_MAX = 50;
const SET_UP_INTERVAL_MS = 15_000;
const READY_WITHIN_MS = 2000;

const LOG_LEVELS = { debug: 'DEBUG', info: 'INFO', warn: 'WARN', error: 'ERROR', silent: 'ERROR' } as const;

/**
 * Writes the log of Temporal's runtime into our log, one JSON line each. Call once per process, before any connection
 * opens.
 */
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

type Pools = { activities: Pool; background: Pool; webhooks: Pool; emails: Pool; collections: Pool };

export type RunningWorker = {
  /** Resolves once every running activity has ended. */
  done: Promise<void>;
  stop: () => void;
  /** Whether it polls for work, and Temporal and a migrated database respond within two seconds. */
  isReady: () => Promise<boolean>;
  pools: Pools;
};

type WorkerParts = {
  database_url: string;
  workflowBundle: WorkflowBundleWithSourceMap;
  metrics?: WorkerMetrics;
};

/**
 * Runs workflows and activities until stop(). Throws a Refusal, and `done` rejects with one, if the namespace belongs
 * to another account or the database cannot be used.
 */
export async function startWorker(
  config: Config,
  { database_url, workflowBundle, metrics = createWorkerMetrics() }: WorkerParts,
): Promise<RunningWorker> {
  const { secrets } = config;
  if (secrets === null) throw new Refusal('TIDEMARK_SECRET is not set');
  let refusal: Refusal | null = null;
  let queues: Queues | null = null;
  const ending = new AbortController();
  const stop = () => {
    ending.abort();
    queues?.stop();
  };
  const onRefusal = (new_refusal: Refusal) => {
    refusal ??= new_refusal;
    stop();
  };
  const pools = openPools(database_url, onRefusal);
  const { activities: pool, background: background_pool } = pools;
  const temporal = connectTemporal(config);
  const account_id = await existingAccount(pool);
  await warnOfMissing(temporal, account_id);
  const connection = await NativeConnection.connect(connectionOptions(config));
  const { check_share_percent, late_usage_days } = config;
  const services = { pool, background_pool, temporal, metrics: metrics.closes };
  const sender = senderOf(pools.webhooks, config, secrets);
  const collector = collectorOf(pools.collections, config, secrets);
  queues = await createQueues(config, {
    connection,
    workflowBundle,
    places: ACTIVITIES_AT_ONCE,
    activities: createActivities({ ...services, settings: config, check_share_percent }),
    webhook_activities: webhookActivitiesOf(sender, metrics, ending.signal),
    collection_activities: chargesOf(collector, metrics),
  });
  const { run, areRunning } = queues;
  const stopping = new AbortController();
  setMaxListeners(LOOPS_MAX, stopping.signal);
  const look = (signal: AbortSignal) =>
    billThresholds({ pool: background_pool, temporal, settings: config, report }, signal);
  const upkeep = Promise.all([
    keepSetUp({ temporal, account_id, onRefusal }, stopping.signal),
    keepRollingUp(background_pool, { signal: stopping.signal, late_usage_days, look }, (error) =>
      report('the daily totals of usage cannot be updated', { error }),
    ),
    keepNumbersCompared({ pool, temporal }, stopping.signal, report),
    ...backgroundWork({ pool: background_pool, temporal, report }, config, stopping.signal),
    ...emailWork({ background_pool, pool: pools.emails, report }, config, stopping.signal),
    ...collectionWork(
      { collector, temporal, report, countDifference: metrics.collections.countDifference },
      stopping.signal,
    ),
  ]);
  const done = run().finally(async () => {
    stopping.abort();
    await upkeep;
    await connection.close();
    await temporal.close();
    for (const open_pool of Object.values(pools)) await open_pool.end();
    if (refusal !== null) throw refusal;
  });
  return { done, stop, pools, isReady: async () => areRunning() && (await doRespond(temporal, pool)) };
}

async function existingAccount(pool: Pool): Promise<string> {
  const account_id = await findAccountId(pool);
  if (account_id !== null) return account_id;
  throw new Refusal('the database has no account yet: run tidemark setup, which creates it');
}

/** Sets Temporal up; the log says what an administrator has to register. */
async function warnOfMissing(temporal: Temporal, account_id: string): Promise<void> {
  const { missing } = await setUpAtStart(temporal, account_id);
  if (missing !== null) Runtime.instance().logger.warn(missing);
}

function webhookActivitiesOf(sender: Sender, { webhooks: { count } }: WorkerMetrics, stopping: AbortSignal) {
  return createWebhookActivities({ ...sender, newest: createNewest(sender.pool), count, stopping });
}

function chargesOf(collector: Collector, { collections }: WorkerMetrics) {
  return createCollectionActivities(chargerOf(collector, collections));
}

function openPools(database_url: string, onRefusal: (refusal: Refusal) => void): Pools {
  return {
    activities: createPool(database_url, ACTIVITIES_AT_ONCE + CLOSE_CONNECTIONS, {
      statement_ms: STEP_STATEMENT_MS,
      is_prepared: true,
      onRefusal,
    }),
    // For the checks of the invariants, and for the rollup of bulk loads.
    background: createPool(database_url, 3, { statement_ms: CHECK_STATEMENT_MS, onRefusal }),
    webhooks: createPool(database_url, WEBHOOK_CONNECTIONS, { is_prepared: true, onRefusal }),
    emails: createPool(database_url, EMAIL_CONNECTIONS, { is_prepared: true, onRefusal }),
    collections: createPool(database_url, COLLECTION_CONNECTIONS, { is_prepared: true, onRefusal }),
  };
}

function report(message: string, cause: object): void {
  Runtime.instance().logger.error(message, cause);
}

async function doRespond(temporal: Temporal, pool: Pool): Promise<boolean> {
  const answers = Promise.all([temporal.isReachable(), isPrepared(pool)]).then(
    (all) => all.every(Boolean),
    () => false,
  );
  return !(await isStillRunning(answers, READY_WITHIN_MS)) && answers;
}

/**
 * A schedule that Temporal's database lost cannot report its own loss, so the worker registers it again at intervals.
 * Calls `onRefusal` if another account has become the owner of the namespace meanwhile.
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
  const { database_url } = config;
  if (database_url === null)
    return refuseToStart('DATABASE_URL is not set; docs/settings.md lists the settings');
  if (config.secrets === null)
    return refuseToStart('TIDEMARK_SECRET is not set; it is the same in every API process and worker');
  await startTracing('tidemark-worker', config.otlp_endpoint);
  const view = await openView(config);
  await orRefuse(prepareDatabase(database_url));
  const workflowBundle = await bundleWorkflows();
  const metrics = createWorkerMetrics();
  const worker = await orRefuse(startWorker(config, { database_url, workflowBundle, metrics }));
  if (view !== null) {
    registerMetrics(metrics, view.registry);
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

// No top-level await: modules that import this one must stay loadable by require(), or the tests load their support
// files twice.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
}
