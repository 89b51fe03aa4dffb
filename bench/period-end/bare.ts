import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { forEvery } from '../client.ts';
import { NAMESPACE, type Place } from '../servers.ts';
import { numbersBelow, waitUntil } from '../waiting.ts';
import type { Side } from './side.ts';

const TASK_QUEUE = 'bare';
const SETTLE_LIMIT_MS = 60_000;

/** Activities that only count, in place of the steps of a billing workflow. */
function countingActivities() {
  const counts = { prepared: 0, steps: 0 };
  return {
    counts,
    activities: {
      prepare: () => Promise.resolve(void counts.prepared++),
      step: () => Promise.resolve(void counts.steps++),
    },
  };
}

export type BareActivities = ReturnType<typeof countingActivities>['activities'];

/** The workflows without billing, by name, with the number of their activities. */
const BARE = { bareSleeper: 1, bareLoop: 3 } as const;

/** Workflows of one kind, on their own task queue, served by a worker with the SDK's defaults. */
export async function openBare(
  place: Place,
  { address, client, kind }: { address: string; client: Client; kind: keyof typeof BARE },
): Promise<Side> {
  const { counts, activities } = countingActivities();
  await runWorker(place, address, activities);
  const query = `WorkflowType = '${kind}' and ExecutionStatus = 'Running'`;
  let workflows = 0;
  return {
    prepare(count) {
      workflows = count;
      Object.assign(counts, { prepared: 0, steps: 0 });
      return Promise.resolve();
    },
    async start(ends_at) {
      const round = randomUUID();
      await forEvery(numbersBelow(workflows), (number) =>
        client.workflow.start(kind, {
          workflowId: `${kind}-${round}-${number}`,
          taskQueue: TASK_QUEUE,
          args: [{ ends_at }],
        }),
      );
      const left_ms = Date.parse(ends_at) - Date.now();
      await waitUntil('going to sleep until the common instant', left_ms, () => counts.prepared >= workflows);
    },
    finished: () => counts.steps / BARE[kind],
    async settle() {
      // The sleeper sleeps on.
      if (kind === 'bareSleeper') return;
      const isOver = async () => (await client.workflow.count(query)).count === 0;
      await waitUntil('ending', SETTLE_LIMIT_MS, isOver);
    },
  };
}

async function runWorker({ stops }: Place, address: string, activities: BareActivities): Promise<void> {
  // The benchmark itself handles interrupts and stops everything in order.
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    namespace: NAMESPACE,
    taskQueue: TASK_QUEUE,
    workflowsPath: fileURLToPath(new URL('bare-workflow.ts', import.meta.url)),
    activities,
  });
  const done = worker.run();
  stops.add(async () => {
    worker.shutdown();
    await done;
    await connection.close();
  });
}
