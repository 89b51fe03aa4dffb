import * as workflow from '@temporalio/workflow';
import type { BillingActivities } from '../activities/index.ts';

/** Regular activities: Pending Activities shows each that is being retried. */
export const activities = workflow.proxyActivities<BillingActivities>({
  startToCloseTimeout: '2 minutes',
  // Each activity sends a heartbeat every three seconds: if its worker is killed, another worker soon runs it again.
  heartbeatTimeout: '30 seconds',
  // Unlimited attempts: billing must recover by itself after an outage of a weekend. Errors that no retry can fix are
  // thrown as not retryable.
  retry: { initialInterval: '1s', maximumInterval: '1 minute' },
});

const local_activities = workflow.proxyLocalActivities<Pick<BillingActivities, 'billNext'>>({
  // A little longer than the transaction of a group may take.
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 1 },
});

export type Question = Parameters<BillingActivities['billNext']>[0];
export type Answer = Awaited<ReturnType<BillingActivities['billNext']>>;

/**
 * Does what is due and finds the next step, as a local activity, so that a close needs one workflow task. Null where
 * that failed or took too long: regular activities with their endless retries follow. Throws an error that no retry can
 * fix.
 */
export async function billNext(question: Question): Promise<Answer | null> {
  try {
    return await local_activities.billNext.executeWithOptions({ summary: 'bill what is due' }, [question]);
  } catch (error) {
    if (mayBeRetried(error)) return null;
    throw error;
  }
}

function mayBeRetried(error: unknown): boolean {
  if (workflow.isCancellation(error)) return false;
  // A failed local activity throws its failure itself, a regular one within an ActivityFailure.
  const cause = error instanceof workflow.ActivityFailure ? error.cause : error;
  return !(cause instanceof workflow.ApplicationFailure && cause.nonRetryable === true);
}
