import * as workflow from '@temporalio/workflow';
import type { BillingActivities } from '../activities/index.ts';

/** Regular activities: Pending Activities shows each that is being retried. */
export const activities = workflow.proxyActivities<BillingActivities>({
  startToCloseTimeout: '2 minutes',
  // Each activity sends a heartbeat every three seconds: if its worker is killed, another worker soon runs it again.
  heartbeatTimeout: '10 seconds',
  // Unlimited attempts: billing must recover by itself after an outage of a weekend. Errors that no retry can fix are thrown as not
  // retryable.
  retry: { initialInterval: '1s', maximumInterval: '1 minute' },
});

/** The steps of a close. Histories store the names. */
type StepName = 'nextStep' | 'aggregateUsage' | 'applyCredits' | 'issueInvoice';
type Asked<Name extends StepName> = Parameters<BillingActivities[Name]>[0];
type Answer<Name extends StepName> = Awaited<ReturnType<BillingActivities[Name]>>;

const local_activities = workflow.proxyLocalActivities<Pick<BillingActivities, StepName>>({
  // A little longer than the statement timeout of a local activity.
  startToCloseTimeout: '10 seconds',
  retry: { maximumAttempts: 1 },
});

/**
 * Runs a step. With `is_local` its first try is a local activity, so that all steps of a close need one workflow task; where that try fails,
 * or takes too long, the regular activity follows with its endless retries. An error that no retry can fix is thrown at once.
 */
export async function runStep<Name extends StepName>(
  name: Name,
  asked: Asked<Name>,
  { summary, is_local }: { summary: string; is_local: boolean },
): Promise<Answer<Name>> {
  type Proxy = { executeWithOptions: (how: { summary: string }, asked: unknown[]) => Promise<Answer<Name>> };
  const execute = (proxies: Record<StepName, unknown>) =>
    (proxies[name] as Proxy).executeWithOptions({ summary }, [asked]);
  if (is_local) {
    try {
      return await execute(local_activities);
    } catch (error) {
      if (!mayBeRetried(error)) throw error;
    }
  }
  return execute(activities);
}

function mayBeRetried(error: unknown): boolean {
  if (workflow.isCancellation(error)) return false;
  // A failed local activity throws its failure itself, a regular one within an ActivityFailure.
  const cause = error instanceof workflow.ActivityFailure ? error.cause : error;
  return !(cause instanceof workflow.ApplicationFailure && cause.nonRetryable === true);
}
