import * as workflow from '@temporalio/workflow';
import type { CollectionActivities } from '../activities/collections.ts';
import { showCollection } from './collect-appearance.ts';
import { endCollection, pauseCollection, resumeCollection, wake, type CollectionInput } from './messages.ts';

const activities = workflow.proxyActivities<CollectionActivities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '30 seconds',
  // Unlimited attempts, as for billing. A provider that does not answer is no failure of the activity.
  retry: { initialInterval: '1s', maximumInterval: '1 minute' },
});

/**
 * Collects one invoice until the rows say that there is nothing to do. They decide, and each signal has them read
 * again: the workflow only waits, and may be terminated and started again at any time.
 */
export async function collectWorkflow({ failures = 0, ...key }: CollectionInput): Promise<void> {
  let is_signaled = false;
  for (const signal of [wake, pauseCollection, resumeCollection, endCollection])
    workflow.setHandler(signal, () => void (is_signaled = true));
  showCollection({ state: 'charging', attempt_id: null });
  for (;;) {
    is_signaled = false;
    const collected = await activities.collectNext({ ...key, failures });
    showCollection(collected);
    if (collected.wait_ms === null && !is_signaled) return;
    if (collected.wait_ms !== null) await workflow.condition(() => is_signaled, collected.wait_ms);
    failures = collected.failures;
    if (workflow.workflowInfo().continueAsNewSuggested)
      await workflow.continueAsNew<typeof collectWorkflow>({ ...key, failures });
  }
}
