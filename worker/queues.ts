import { hostname, totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Context } from '@temporalio/activity';
import { Worker, type ActivityInterceptors, type WorkerOptions } from '@temporalio/worker';
import type { Config } from '../src/settings/config.ts';
import { inStepSpan } from '../src/telemetry/trace-workflow.ts';
import { tracing } from '../src/telemetry/tracing.ts';
import { PAYMENT_TASK_QUEUE, TASK_QUEUE, WEBHOOK_TASK_QUEUE } from '../workflows/messages.ts';

/**
 * Members of groups, which need no connection of their own: no workflow task waits for a place while Temporal's clock
 * runs.
 */
const LOCAL_ACTIVITIES_AT_ONCE = 64;
const WORKFLOW_TASK_POLLS = 8;
/**
 * A poll that waits for a task holds a place of a workflow task. Without places besides these, the polls of the queue
 * of cached workflows, once it is empty, leave few places to the common queue: at the end of a month closes then go on
 * one by one (decision 42).
 */
const WORKFLOW_TASKS_AT_ONCE = WORKFLOW_TASK_POLLS + LOCAL_ACTIVITIES_AT_ONCE;
/** Endpoints that are sent to at the same time; each has a place for as long as something comes. */
const ENDPOINTS_AT_ONCE = 100;

/** Invoices that are charged at the same time: as many as a provider takes without a limit. */
const CHARGES_AT_ONCE = 10;
const CACHED_COLLECTIONS = 100;

/** The task queues that a process serves: those of billing, of webhooks and of payments. */
export type Queues = {
  /** Resolves when all have stopped. If one fails, the others stop, and it rejects. */
  run: () => Promise<void>;
  stop: () => void;
  areRunning: () => boolean;
};

type Parts = Required<Pick<WorkerOptions, 'connection' | 'workflowBundle' | 'activities'>>;

type QueueActivities = { webhook_activities: object; collection_activities: object; places: number };

/** Makes a worker of Temporal for each queue. `places` is how many regular activities of billing run at once. */
export async function createQueues(
  config: Config,
  { webhook_activities, collection_activities, places, ...parts }: Parts & QueueActivities,
): Promise<Queues> {
  const workers = [
    await createWorker(config, {
      ...parts,
      taskQueue: TASK_QUEUE,
      maxConcurrentActivityTaskExecutions: places,
      maxConcurrentLocalActivityExecutions: LOCAL_ACTIVITIES_AT_ONCE,
      maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS_AT_ONCE,
      maxConcurrentWorkflowTaskPolls: WORKFLOW_TASK_POLLS,
      maxCachedWorkflows: cachedWorkflowsMax(),
    }),
    await createWorker(config, {
      ...parts,
      activities: webhook_activities,
      taskQueue: WEBHOOK_TASK_QUEUE,
      maxConcurrentActivityTaskExecutions: ENDPOINTS_AT_ONCE,
      maxCachedWorkflows: ENDPOINTS_AT_ONCE,
      workflowThreadPoolSize: 1,
    }),
    await createWorker(config, {
      ...parts,
      activities: collection_activities,
      taskQueue: PAYMENT_TASK_QUEUE,
      maxConcurrentActivityTaskExecutions: CHARGES_AT_ONCE,
      maxCachedWorkflows: CACHED_COLLECTIONS,
      workflowThreadPoolSize: 1,
    }),
  ];
  let is_stopping = false;
  const stop = () => {
    is_stopping = true;
    // Temporal's runtime handles the same process signals, and a second shutdown() throws.
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  return {
    stop,
    areRunning: () => workers.every((worker) => worker.getState() === 'RUNNING'),
    run: async () => {
      const ends = await Promise.allSettled(
        workers.map((worker) => runToItsEnd(worker, () => is_stopping).finally(stop)),
      );
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
  };
}

/**
 * Resolves when the worker has stopped. One that was asked to stop may still be refused its last step ("Worker still in
 * use"): the SDK counts a call that is just ending, or a step did not end in the grace time and runs again in another
 * process. Nothing is left to do then.
 */
async function runToItsEnd(worker: Worker, isStopping: () => boolean): Promise<void> {
  try {
    await worker.run();
  } catch (error) {
    if (!isStopping() && worker.getState() !== 'STOPPED') throw error;
  }
}

const WORKFLOW_BYTES = 150 * 1024;
const CACHED_WORKFLOWS_MIN = 600;

/**
 * An eighth of the memory that the process may use, at most a quarter of V8's heap: a workflow outside the cache is
 * read again from its history at its next step.
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

/** Runs each activity in a span. */
function traceSteps({ info }: Context): ActivityInterceptors {
  const { activityType: name, attempt, workflowExecution } = info;
  const { workflowId: workflow_id = '', runId: run_id = '' } = workflowExecution ?? {};
  return {
    inbound: {
      execute: (input, next) => inStepSpan({ name, workflow_id, run_id, attempt }, () => next(input)),
    },
  };
}
