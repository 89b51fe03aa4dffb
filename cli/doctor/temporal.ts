import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../src/settings/config.ts';
import { findAccountId } from '../../src/db/account/accounts.ts';
import { createPool } from '../../src/db/connection/pool.ts';
import { connectTemporal, type Temporal } from '../../src/temporal/temporal.ts';
import { foreignNamespace } from '../../src/temporal/setup.ts';
import { SEARCH_ATTRIBUTES, TASK_QUEUE } from '../../workflows/messages.ts';
import { databaseUrl, temporalAddress } from '../database.ts';
import { clockFinding, fail, ok, warn, type Check, type Finding } from './check.ts';

const CALL_LIMIT_MS = 4000;
const TEMPORAL = 'Temporal';
const NAMESPACE = 'Temporal namespace';
const GRPC_NOT_FOUND = 5;
const GRPC_PERMISSION_DENIED = 7;

/** Checks of Temporal. The connection stays open until the process ends. */
export function temporalChecks(config: Config): Check[] {
  const temporal = connectTemporal({ ...config, temporal_address: temporalAddress(config) });
  const target: Asked = { temporal, namespace: config.temporal_namespace };
  const set_up = 'register them: npm run tidemark -- setup';
  return [
    {
      what: TEMPORAL,
      needs: [],
      next_step: 'start Temporal, with npm start or separately, and check TEMPORAL_ADDRESS',
      ask: () => serverFinding(target, config),
    },
    { what: NAMESPACE, needs: [TEMPORAL], next_step: set_up, ask: () => namespaceFinding(target) },
    {
      what: 'Temporal namespace owner',
      needs: [TEMPORAL, NAMESPACE, 'account'],
      next_step: 'set TEMPORAL_NAMESPACE to a namespace of its own, then run npm run tidemark -- setup',
      ask: () => ownerFinding(target, config),
    },
    {
      what: 'Temporal search attributes',
      needs: [TEMPORAL, NAMESPACE],
      next_step: set_up,
      ask: () => searchAttributesFinding(target),
    },
    {
      what: 'worker',
      needs: [TEMPORAL, NAMESPACE],
      next_step:
        'start a worker: npm start, or worker/main.ts; its log is in the folder logs of the data directory',
      ask: () => workerFinding(target),
    },
    {
      what: 'Temporal clock',
      needs: [TEMPORAL, NAMESPACE],
      next_step: 'set the clocks of both machines, for example by NTP',
      ask: () => temporalClockFinding(target),
    },
  ];
}

type Asked = { temporal: Temporal; namespace: string };

async function serverFinding({ temporal: { client } }: Asked, config: Config): Promise<Finding> {
  // Do not try the default address: another project's Temporal may listen there.
  if (temporalAddress(config) === null)
    return fail(`no stack is running in ${config.data_dir}, and TEMPORAL_ADDRESS is not set`);
  const { serverVersion } = await inTime(client, () => client.workflowService.getSystemInfo({}));
  return ok(`server ${serverVersion}`);
}

async function namespaceFinding({ temporal: { client }, namespace }: Asked): Promise<Finding> {
  try {
    await inTime(client, () => client.workflowService.describeNamespace({ namespace }));
    return ok(namespace);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === GRPC_NOT_FOUND)
      return fail(`${namespace} is not registered`);
    throw error;
  }
}

async function ownerFinding({ temporal, namespace }: Asked, config: Config): Promise<Finding> {
  const pool = createPool(databaseUrl(config), 1);
  const [owner, account_id] = await Promise.all([temporal.owner(), findAccountId(pool)]).finally(() =>
    pool.end(),
  );
  if (owner === null) return warn('not entered yet; a worker or tidemark setup does so');
  return owner === account_id ? ok(owner) : fail(foreignNamespace(namespace, owner, account_id!));
}

async function searchAttributesFinding({ temporal: { client }, namespace }: Asked): Promise<Finding> {
  const { operatorService } = client.connection;
  const names = Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name);
  const listed = inTime(client, () => operatorService.listSearchAttributes({ namespace }));
  const answer = await listed.catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === GRPC_PERMISSION_DENIED) return null;
    throw error;
  });
  if (answer === null) return warn(`may not be listed here; these must exist: ${names.join(', ')}`);
  const missing = names.filter((name) => !(name in (answer.customAttributes ?? {})));
  return missing.length === 0 ? ok(names.join(', ')) : fail(`not registered: ${missing.join(', ')}`);
}

const QUEUE_TYPES = { workflows: 1, activities: 2 } as const;

/** A poller polls again within a minute, but Temporal lists a poller for five minutes after its last poll. */
const POLLED_AGO_MAX_MS = 120_000;

async function workerFinding({ temporal: { client }, namespace }: Asked): Promise<Finding> {
  const polling = new Set<string>();
  for (const [tasks, taskQueueType] of Object.entries(QUEUE_TYPES)) {
    const taskQueue = { name: TASK_QUEUE };
    const { pollers } = await inTime(client, () =>
      client.workflowService.describeTaskQueue({ namespace, taskQueue, taskQueueType }),
    );
    const present = (pollers ?? []).filter(
      ({ lastAccessTime }) => Date.now() - instantOf(lastAccessTime) < POLLED_AGO_MAX_MS,
    );
    if (present.length === 0) return fail(`no worker polls the task queue ${TASK_QUEUE} for ${tasks}`);
    for (const { identity } of present) polling.add(identity ?? 'unnamed');
  }
  return ok(`${[...polling].join(', ')} polls ${TASK_QUEUE}`);
}

type Timestamp = { seconds?: unknown; nanos?: number | null };

/** The instant in milliseconds. `seconds` is an object for 64-bit integers. */
function instantOf(timestamp: Timestamp | null | undefined): number {
  return Number(timestamp?.seconds ?? 0) * 1000 + Math.floor((timestamp?.nanos ?? 0) / 1e6);
}

/** A sticky queue has one partition, so a poll is visible at once. */
const STICKY_QUEUE = 2;
const LOOK_INTERVAL_MS = 50;

/**
 * Temporal has no call for its time, but reports when a poller was last seen: so this polls a task queue with a random
 * name and then describes that queue. It leaves nothing behind, because nothing is ever put on the queue.
 */
async function temporalClockFinding({ temporal: { client }, namespace }: Asked): Promise<Finding> {
  const { workflowService } = client.connection;
  const taskQueue = { name: `doctor-${randomUUID()}`, kind: STICKY_QUEUE, normalName: TASK_QUEUE };
  const taskQueueType = QUEUE_TYPES.activities;
  const from_ms = Date.now();
  const polled = inTime(client, () =>
    workflowService.pollActivityTaskQueue({ namespace, taskQueue, identity: 'doctor' }),
  );
  // The poll ends at its deadline, empty or with an error.
  polled.catch(() => undefined);
  for (;;) {
    const { pollers } = await inTime(client, () =>
      workflowService.describeTaskQueue({ namespace, taskQueue, taskQueueType }),
    );
    const seen_at = pollers?.[0]?.lastAccessTime;
    if (seen_at) return clockFinding(instantOf(seen_at), { from_ms, to_ms: Date.now() });
    await pause(LOOK_INTERVAL_MS);
  }
}

function inTime<Result>(client: Temporal['client'], call: () => Promise<Result>): Promise<Result> {
  return client.connection.withDeadline(Date.now() + CALL_LIMIT_MS, call);
}
