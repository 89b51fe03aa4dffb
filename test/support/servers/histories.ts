import type { WorkflowHandle } from '@temporalio/client';
import type { Temporal } from '../../../src/temporal/temporal.ts';
import { workflowIdOf } from '../../../workflows/messages.ts';
import type { Json } from './api.ts';

export type HistoryEvent = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

/**
 * A busy machine may lose the task of a step that has billed: it is done again, and its second answer has nothing to bill. A test that
 * counts what histories say takes another subscription then.
 */
export const RETRIES_OF_LOST_TASKS = 2;

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

/** A local activity, as the marker of its end records it; null for any other event. `answer` is null if it failed. */
export function localActivityOf({
  markerRecordedEventAttributes: marker,
}: HistoryEvent): { name: string; answer: Json } | null {
  if (marker?.markerName !== 'core_local_activity') return null;
  const [data] = valuesOf(marker.details!['data']);
  return { name: data.activity_type, answer: valuesOf(marker.details!['result'])[0] ?? null };
}

/** The name of the activity that an event schedules, or of the local one that it records; undefined for any other event. */
export function activityOf(event: HistoryEvent): string | undefined {
  return event.activityTaskScheduledEventAttributes?.activityType?.name ?? localActivityOf(event)?.name;
}
