import type { WorkflowHandle } from '@temporalio/client';
import type { Temporal } from '../../src/temporal.ts';
import { workflowIdOf } from '../../workflows/messages.ts';
import type { Json } from './api.ts';

export type HistoryEvent = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

/** Histories of all runs of a subscription's workflow, oldest run first. */
export async function runsOf({ client }: Temporal, subscription_id: string): Promise<HistoryEvent[][]> {
  const runs: HistoryEvent[][] = [];
  for (let run_id = ''; ;) {
    const history = await client.workflow.getHandle(workflowIdOf(subscription_id), run_id).fetchHistory();
    runs.unshift(history.events!);
    run_id = history.events![0]!.workflowExecutionStartedEventAttributes!.continuedExecutionRunId!;
    if (run_id === '') return runs;
  }
}

type Payloads = NonNullable<HistoryEvent['activityTaskCompletedEventAttributes']>['result'];

/** The JSON values in a payload of a history. */
export function valuesOf(payloads: Payloads): Json[] {
  return (payloads?.payloads ?? []).map(({ data }) =>
    data?.length ? JSON.parse(Buffer.from(data).toString()) : null,
  );
}
