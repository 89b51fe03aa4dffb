import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import type { Config } from '../settings/config.ts';
import { inSignalSpan } from '../telemetry/trace-workflow.ts';
import { greatestNumbers, type LastNumber } from '../domain/invoice/numbering.ts';
import { ownerOf, setUpNamespace, type SetUp } from './setup.ts';
import {
  collectedInvoiceIdOf,
  COLLECTION_WORKFLOW,
  collectionWorkflowIdOf,
  MIGRATION_WORKFLOW,
  migrationWorkflowIdOf,
  PAYMENT_TASK_QUEUE,
  RECONCILE_WORKFLOW,
  SUBSCRIPTION_WORKFLOW,
  subscriptionIdOf,
  TASK_QUEUE,
  WEBHOOK_TASK_QUEUE,
  WEBHOOK_WORKFLOW,
  webhookWorkflowIdOf,
  WORKFLOW_TASK_TIMEOUT,
  workflowIdOf,
  type CollectionInput,
  type MigrationInput,
  type SubscriptionInput,
  type WebhookInput,
} from '../../workflows/messages.ts';

/**
 * Starts or signals the workflows of subscriptions. Never rejects, takes ten seconds at most, and resolves with how
 * many it reached. A lost nudge is harmless: the rows say what should run, and the reconciler starts it. A nudge that
 * `is_repeated` leaves a workflow alone whose task waits or runs: it comes to its rows, and on a busy machine each
 * signal would only be more work.
 */
export type Nudge = (
  subscriptions: readonly SubscriptionInput[],
  signal: 'wake' | 'advanceClock' | 'takeTurn' | 'regenerateInvoice',
  options?: { signal_args?: readonly string[]; is_repeated?: boolean },
) => Promise<number>;

/** Wakes or starts the workflows of webhook endpoints; otherwise as Nudge. */
export type WakeEndpoints = (endpoints: readonly WebhookInput[]) => Promise<number>;

/** Wakes or starts the workflows of plan migrations; otherwise as Nudge. */
export type WakeMigrations = (migrations: readonly MigrationInput[]) => Promise<number>;

/** Wakes or starts the workflows that collect invoices; otherwise as Nudge. */
export type WakeCollections = (invoices: readonly CollectionInput[]) => Promise<number>;

/** Whether a workflow runs, and for how long it has been running or closed. */
type WorkflowState = { is_running: boolean; for_ms: number };

export type Temporal = {
  client: Client;
  nudge: Nudge;
  wakeEndpoints: WakeEndpoints;
  /** Starts the workflows of those webhook endpoints whose workflow does not run. */
  startEndpoints: WakeEndpoints;
  wakeMigrations: WakeMigrations;
  wakeCollections: WakeCollections;
  /** Ids of the invoices whose workflow runs, as runningIds. */
  runningCollections: () => AsyncIterable<string>;
  /**
   * Subscription ids of all running workflows. Eventually consistent: good enough for repairs, not for billing
   * decisions.
   */
  runningIds: () => AsyncIterable<string>;
  /** The present state of one subscription's workflow; null if there never was one. */
  stateOf: (subscription_id: string) => Promise<WorkflowState | null>;
  /**
   * The greatest numbers in the results of the reconciler's last runs, for each environment of every database that they
   * ran on.
   */
  rememberedNumbers: () => Promise<LastNumber[]>;
  /** Whether Temporal responds; false after five seconds. */
  isReachable: () => Promise<boolean>;
  namespace: string;
  /** The account that the namespace belongs to; null if no account has been entered. */
  owner: () => Promise<string | null>;
  /** setUpNamespace for the account of the database. */
  setUp: (account_id: string, registered?: string[]) => Promise<SetUp>;
  close: () => Promise<void>;
};

const CALL_TIMEOUT_MS = 5000;

/** Connection settings of client and worker. */
export function connectionOptions({ temporal_address, temporal_connection }: Config) {
  return { ...temporal_connection, address: temporal_address ?? '127.0.0.1:7233' };
}

/** Connects lazily: the API accepts events while Temporal is down. */
export function connectTemporal(config: Config): Temporal {
  const connection = Connection.lazy(connectionOptions(config));
  const namespace = config.temporal_namespace;
  const client = new Client({ connection, namespace });
  const calls = new Set<Promise<unknown>>();
  let is_closing = false;
  const inTime = async <T>(call: () => Promise<T>): Promise<T> => {
    if (is_closing) throw new Error('the connection to Temporal is closing');
    const answer = connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, call);
    calls.add(answer);
    return answer.finally(() => calls.delete(answer));
  };
  return {
    client,
    nudge: async (subscriptions, signal, { signal_args = [], is_repeated = false } = {}) => {
      const message = { signal, signalArgs: [...signal_args] };
      const nudges = subscriptions.map(async (subscription) => {
        if (is_repeated && (await inTime(() => hasTask(client, subscription)).catch(() => false))) return;
        const nudge = () => inTime(() => signalWithStart(client, subscription, message));
        // If this process was suspended, the first attempt may time out before it is sent. A duplicate signal is
        // harmless.
        return nudge().catch(nudge);
      });
      const outcomes = await Promise.allSettled(nudges);
      return outcomes.filter(({ status }) => status === 'fulfilled').length;
    },
    wakeEndpoints: (endpoints) =>
      reachedOf(endpoints, (endpoint) => inTime(() => wakeEndpoint(client, endpoint))),
    startEndpoints: (endpoints) =>
      reachedOf(endpoints, (endpoint) => inTime(() => startEndpoint(client, endpoint))),
    wakeMigrations: (migrations) =>
      reachedOf(migrations, (migration) => inTime(() => wakeMigration(client, migration))),
    wakeCollections: (invoices) =>
      reachedOf(invoices, (invoice) => inTime(() => wakeCollection(client, invoice))),
    runningCollections: () => runningOf(COLLECTION_WORKFLOW, collectedInvoiceIdOf, { client, inTime }),
    runningIds: () => runningOf(SUBSCRIPTION_WORKFLOW, subscriptionIdOf, { client, inTime }),
    stateOf: (subscription_id) => inTime(() => stateOf(client, subscription_id)),
    rememberedNumbers: () => rememberedNumbers(client, inTime),
    isReachable: () =>
      inTime(() => client.workflowService.getSystemInfo({})).then(
        () => true,
        () => false,
      ),
    namespace,
    owner: () => inTime(() => ownerOf(client)),
    setUp: (account_id, registered = []) =>
      inTime(() => setUpNamespace({ client, namespace, account_id }, registered)),
    close: async () => {
      is_closing = true;
      // A gRPC retry on a closed channel throws outside our promises: let pending calls settle first.
      await Promise.allSettled(calls);
      await connection.close();
    },
  };
}

async function signalWithStart(
  client: Client,
  subscription: SubscriptionInput,
  message: { signal: string; signalArgs: string[] },
): Promise<void> {
  const workflowId = workflowIdOf(subscription.subscription_id);
  const send = () =>
    client.workflow.signalWithStart(SUBSCRIPTION_WORKFLOW, {
      workflowId,
      taskQueue: TASK_QUEUE,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
      args: [subscription],
      ...message,
      staticSummary: 'Bills one subscription, period by period',
    });
  await inSignalSpan({ workflow_id: workflowId, signal: message.signal }, send);
}

/** Calls for each of some objects; returns for how many the call succeeded. */
async function reachedOf<One>(ones: readonly One[], call: (target: One) => Promise<void>): Promise<number> {
  const outcomes = await Promise.allSettled(ones.map(call));
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

async function wakeEndpoint(client: Client, endpoint: WebhookInput): Promise<void> {
  await client.workflow.signalWithStart(WEBHOOK_WORKFLOW, { ...startOf(endpoint), signal: 'wake' });
}

async function startEndpoint(client: Client, endpoint: WebhookInput): Promise<void> {
  await client.workflow.start(WEBHOOK_WORKFLOW, {
    ...startOf(endpoint),
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
}

/** The signal reaches a run that is about to complete: it then looks at its rows once more. */
async function wakeMigration(client: Client, migration: MigrationInput): Promise<void> {
  await client.workflow.signalWithStart(MIGRATION_WORKFLOW, {
    workflowId: migrationWorkflowIdOf(migration.migration_id),
    taskQueue: TASK_QUEUE,
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    args: [migration],
    signal: 'wake',
    staticSummary: 'Moves the subscribers of a plan to another one',
  });
}

/** The signal reaches a run that is about to complete: it then reads its rows once more. */
async function wakeCollection(client: Client, invoice: CollectionInput): Promise<void> {
  await client.workflow.signalWithStart(COLLECTION_WORKFLOW, {
    workflowId: collectionWorkflowIdOf(invoice.invoice_id),
    taskQueue: PAYMENT_TASK_QUEUE,
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    args: [invoice],
    signal: 'wake',
    staticSummary: 'Collects one invoice',
  });
}

function startOf(endpoint: WebhookInput) {
  return {
    workflowId: webhookWorkflowIdOf(endpoint.endpoint_id),
    taskQueue: WEBHOOK_TASK_QUEUE,
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    args: [endpoint],
    staticSummary: 'Sends changes to one webhook endpoint',
  };
}

/** Whether a workflow runs and has a workflow task that waits for a worker or runs. */
async function hasTask(client: Client, { subscription_id }: SubscriptionInput): Promise<boolean> {
  const { raw } = await client.workflow.getHandle(workflowIdOf(subscription_id)).describe();
  return Boolean(raw.pendingWorkflowTask);
}

type InTime = <T>(call: () => Promise<T>) => Promise<T>;

/** Ids of the objects whose workflow of a type runs. */
async function* runningOf(
  type: string,
  objectIdOf: (workflow_id: string) => string,
  { client, inTime }: { client: Client; inTime: InTime },
): AsyncIterable<string> {
  const query = `WorkflowType = '${type}' and ExecutionStatus = 'Running'`;
  const runs = client.workflow.list({ query, pageSize: 1000 })[Symbol.asyncIterator]();
  for (let run = await inTime(() => runs.next()); run.done !== true; run = await inTime(() => runs.next()))
    yield objectIdOf(run.value.workflowId);
}

/**
 * Each run's result includes the numbers remembered by earlier runs. Several are read, because the list may lag behind
 * the last run.
 */
const RUNS_READ = 5;

async function rememberedNumbers(client: Client, inTime: InTime): Promise<LastNumber[]> {
  const query = `WorkflowType = '${RECONCILE_WORKFLOW}' and ExecutionStatus = 'Completed'`;
  const runs = client.workflow.list({ query, pageSize: RUNS_READ })[Symbol.asyncIterator]();
  const numbers: LastNumber[] = [];
  for (let read = 0; read < RUNS_READ; read++) {
    const run = await inTime(() => runs.next());
    if (run.done === true) break;
    const { workflowId, runId } = run.value;
    numbers.push(...(await inTime(() => numbersOfRun(client, workflowId, runId))));
  }
  return greatestNumbers(numbers);
}

/** Reads the numbers of a run; empty for a run deleted meanwhile. */
async function numbersOfRun(client: Client, workflow_id: string, run_id: string): Promise<LastNumber[]> {
  try {
    const result: ReconcileResult = await client.workflow.getHandle(workflow_id, run_id).result();
    return result.last_numbers;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return [];
    throw error;
  }
}

type ReconcileResult = { last_numbers: LastNumber[] };

async function stateOf(client: Client, subscription_id: string): Promise<WorkflowState | null> {
  try {
    const run = await client.workflow.getHandle(workflowIdOf(subscription_id)).describe();
    const is_running = run.status.name === 'RUNNING';
    const since = is_running ? run.startTime : (run.closeTime ?? run.startTime);
    return { is_running, for_ms: Date.now() - since.getTime() };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}
