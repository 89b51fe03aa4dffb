import {
  isGrpcServiceError,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  ServiceError,
  type Client,
  type ScheduleOptions,
} from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../process/message-of.ts';
import { Refusal } from '../settings/refusal.ts';
import {
  CHECK_SCHEDULE,
  CHECK_WORKFLOW,
  OWNER_SCHEDULE,
  RECONCILE_SCHEDULE,
  RECONCILE_WORKFLOW,
  SEARCH_ATTRIBUTES,
  TASK_QUEUE,
} from '../../workflows/messages.ts';

export type SetUp = {
  /** The names that were registered now, in words for an operator. Empty: everything was there. */
  registered: readonly string[];
  /** A sentence that names what an administrator must create, because Temporal does not let this process do it. */
  missing: string | null;
};

type Place = { client: Client; namespace: string; account_id: string };

/**
 * Registers the namespace, the search attributes and the schedules, and enters the account as the owner of the
 * namespace. Idempotent. Adds what it registers to `registered`, even if it then throws. Throws a Refusal if the
 * namespace belongs to another account.
 */
export async function setUpNamespace(place: Place, registered: string[]): Promise<SetUp> {
  const aliases = await registerNamespace(place, registered);
  await claimNamespace(place, registered);
  const missing = await registerSearchAttributes(place, aliases, registered);
  for (const schedule of SCHEDULES)
    if (await createSchedule(place.client, schedule)) registered.push(`the schedule ${schedule.scheduleId}`);
  return { registered, missing };
}

const SET_UP_LIMIT_MS = 60_000;
const SET_UP_INTERVAL_MS = 1000;

/**
 * Calls setUp and retries for a minute while Temporal does not respond, and while a new namespace is unknown: each
 * Temporal server learns of it within about ten seconds. Then throws the error of Temporal, or a Refusal if the
 * namespace does not exist.
 */
export async function setUpAtStart(
  {
    namespace,
    setUp,
  }: { namespace: string; setUp: (account_id: string, registered: string[]) => Promise<SetUp> },
  account_id: string,
): Promise<SetUp> {
  const ends_at = performance.now() + SET_UP_LIMIT_MS;
  const registered: string[] = [];
  for (;;) {
    try {
      return await setUp(account_id, registered);
    } catch (error) {
      if (hasCode(error, GRPC.unauthenticated))
        throw new Refusal(
          `Temporal does not accept this process: ${messageOf(error)}; check TEMPORAL_API_KEY`,
        );
      const is_slow = hasCode(error, GRPC.deadline_exceeded, GRPC.unavailable);
      if (!is_slow && !isNotFound(error)) throw error;
      if (performance.now() > ends_at) throw is_slow ? error : new Refusal(unknownNamespace(namespace));
      await pause(SET_UP_INTERVAL_MS);
    }
  }
}

function unknownNamespace(namespace: string): string {
  return `the Temporal namespace ${namespace} does not exist: create it with a retention of ${RETENTION}, or set TEMPORAL_NAMESPACE`;
}

/** The account that a namespace belongs to; null if no account has been entered. */
export async function ownerOf(client: Client): Promise<string | null> {
  try {
    const { memo } = await client.schedule.getHandle(OWNER_SCHEDULE).describe();
    return typeof memo?.['account_id'] === 'string' ? memo['account_id'] : null;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}

/** A sentence for an operator. */
export function foreignNamespace(namespace: string, owner: string, account_id: string): string {
  return `the Temporal namespace ${namespace} belongs to the account ${owner}, and this database has the account ${account_id}: set TEMPORAL_NAMESPACE to a namespace of its own`;
}

/** Creating a schedule is atomic, so of two accounts that start at once one becomes the owner (decision 25). */
async function claimNamespace(place: Place, registered: string[]): Promise<void> {
  const { client, namespace, account_id } = place;
  const owner = await ownerOf(client);
  if (owner === account_id) return;
  if (owner !== null) throw new Refusal(foreignNamespace(namespace, owner, account_id));
  if (!(await createSchedule(client, ownerSchedule(account_id)))) return claimNamespace(place, registered);
  registered.push(`the account ${account_id} as the owner of the namespace ${namespace}`);
}

/**
 * A schedule that never runs: it has no times and is paused. A paused schedule is kept for ever, one without times is
 * not.
 */
function ownerSchedule(account_id: string): ScheduleOptions {
  return {
    scheduleId: OWNER_SCHEDULE,
    spec: {},
    action: { type: 'startWorkflow', workflowType: CHECK_WORKFLOW, taskQueue: TASK_QUEUE },
    memo: { account_id },
    state: {
      paused: true,
      note: `Never runs. This namespace belongs to the Tidemark account ${account_id}; processes of another account refuse it.`,
    },
  };
}

const SCHEDULES: readonly ScheduleOptions[] = [
  {
    scheduleId: RECONCILE_SCHEDULE,
    spec: { intervals: [{ every: '1 minute' }] },
    action: {
      type: 'startWorkflow',
      workflowType: RECONCILE_WORKFLOW,
      taskQueue: TASK_QUEUE,
      workflowId: 'reconcile',
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    // A new or lost Temporal database has no workflows at all: do not wait for the first interval.
    state: {
      triggerImmediately: true,
      note: 'Starts the missing workflows of subscriptions.',
    },
  },
  {
    scheduleId: CHECK_SCHEDULE,
    // Periods and holds end on the hour: check once they are billed.
    spec: { intervals: [{ every: '1 hour', offset: '37 minutes' }] },
    action: {
      type: 'startWorkflow',
      workflowType: CHECK_WORKFLOW,
      taskQueue: TASK_QUEUE,
      workflowId: 'check-invariants',
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' },
    state: { note: 'Checks the invariants of the data; changes nothing.' },
  },
];

/** False if it exists. */
async function createSchedule(client: Client, schedule: ScheduleOptions): Promise<boolean> {
  try {
    await client.schedule.create(schedule);
    return true;
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning) return false;
    throw error;
  }
}

/** Closed runs stay readable for a month: one run is several billing periods, and support staff need the last one. */
const RETENTION = '30 days';

const GRPC = {
  deadline_exceeded: 4,
  not_found: 5,
  already_exists: 6,
  permission_denied: 7,
  unimplemented: 12,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** The client of schedules throws an error of its own whose cause is that of gRPC. */
function hasCode(error: unknown, ...codes: number[]): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && codes.includes(cause.code);
}

/** Whether Temporal does not know a namespace, schedule or run. The client has errors of its own for some of them. */
export function isNotFound(error: unknown): boolean {
  const is_known = error instanceof NamespaceNotFoundError || error instanceof ScheduleNotFoundError;
  return is_known || hasCode(error, GRPC.not_found);
}

/**
 * True if the server refuses, as Temporal Cloud does, where an administrator registers namespaces and search
 * attributes.
 */
function isDenied(error: unknown): boolean {
  return hasCode(error, GRPC.permission_denied, GRPC.unimplemented);
}

/**
 * Registers the namespace if it does not exist. Returns the names of its search attributes as far as they are known.
 */
async function registerNamespace(
  { client, namespace }: Place,
  registered: string[],
): Promise<readonly string[]> {
  const { workflowService } = client;
  try {
    const { config } = await workflowService.describeNamespace({ namespace });
    return Object.values(config?.customSearchAttributeAliases ?? {});
  } catch (error) {
    if (isDenied(error)) return [];
    if (!isNotFound(error)) throw error;
    await workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs(RETENTION) })
      .catch((refused: unknown) => {
        if (hasCode(refused, GRPC.already_exists)) return;
        // Another process may have registered it a moment ago: the caller waits for that.
        throw isDenied(refused) ? error : refused;
      });
    registered.push(`the namespace ${namespace}`);
    return [];
  }
}

type SearchAttribute = (typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES];

const INDEXED_VALUE_TYPE = {
  KEYWORD: { number: 2, name: 'Keyword' },
  DATETIME: { number: 6, name: 'Datetime' },
} as const;

/** Returns a sentence if Temporal does not allow it and some may be missing. */
async function registerSearchAttributes(
  place: Place,
  aliases: readonly string[],
  registered: string[],
): Promise<string | null> {
  const { client, namespace } = place;
  const { operatorService } = client.connection;
  let missing = Object.values(SEARCH_ATTRIBUTES).filter(({ name }) => !aliases.includes(name));
  try {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    missing = Object.values(SEARCH_ATTRIBUTES).filter(({ name }) => !(name in (customAttributes ?? {})));
    if (missing.length === 0) return null;
    const searchAttributes = Object.fromEntries(
      missing.map(({ name, type }) => [name, INDEXED_VALUE_TYPE[type].number]),
    );
    await operatorService.addSearchAttributes({ namespace, searchAttributes });
    registered.push(...missing.map(({ name }) => `the search attribute ${name}`));
    return null;
  } catch (error) {
    if (!isDenied(error)) throw error;
    return missing.length === 0 ? null : deniedSearchAttributes(namespace, missing);
  }
}

function deniedSearchAttributes(namespace: string, missing: readonly SearchAttribute[]): string {
  const attributes = missing.map(({ name, type }) => `${name} (${INDEXED_VALUE_TYPE[type].name})`).join(', ');
  return `Temporal does not let this process register search attributes: create these in the namespace ${namespace}, if they are not there yet: ${attributes}`;
}
