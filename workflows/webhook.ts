import * as workflow from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhooks.ts';
import { pauseDeliveries, resumeDeliveries, wake, type WebhookInput } from './messages.ts';
import { showDeliveries } from './webhook-appearance.ts';

/** Calls without anything to send after which an endpoint sleeps until a signal: five minutes. */
const IDLE_CALLS_MAX = 5;

const activities = workflow.proxyActivities<WebhookActivities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '30 seconds',
  // Unlimited attempts, as for billing.
  retry: { initialInterval: '1s', maximumInterval: '1 minute' },
});

/**
 * Sends the changes of the feed to one endpoint, for as long as it exists. The rows say where it is and what is due:
 * the workflow only waits, and may be terminated and started again at any time.
 */
export async function webhookWorkflow(input: WebhookInput): Promise<void> {
  let is_signaled = false;
  const change = async (action: 'pause' | 'resume') => {
    await activities.changeDeliveries({ ...input, action });
    is_signaled = true;
  };
  workflow.setHandler(wake, () => void (is_signaled = true));
  // Beside a call that sends: it notices the change of the row.
  workflow.setHandler(pauseDeliveries, () => change('pause'));
  workflow.setHandler(resumeDeliveries, () => change('resume'));
  for (let idle_calls = 0; ;) {
    if (is_signaled) idle_calls = 0;
    is_signaled = false;
    showDeliveries({ state: 'delivering', reason: null });
    const progress = await activities.deliverChanges({ ...input, may_sleep: idle_calls >= IDLE_CALLS_MAX });
    showDeliveries(progress);
    if (progress.state === 'deleted') break;
    idle_calls = progress.is_idle ? idle_calls + 1 : 0;
    if (progress.wait_ms === null) await workflow.condition(() => is_signaled);
    else if (progress.wait_ms > 0) await workflow.condition(() => is_signaled, progress.wait_ms);
    if (workflow.workflowInfo().continueAsNewSuggested) {
      await workflow.condition(workflow.allHandlersFinished);
      await workflow.continueAsNew<typeof webhookWorkflow>(input);
    }
  }
  await workflow.condition(workflow.allHandlersFinished);
}
