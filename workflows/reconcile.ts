import { proxyActivities } from '@temporalio/workflow';
import type { BillingActivities } from '../activities/index.ts';

const { reconcileSubscriptions } = proxyActivities<Pick<BillingActivities, 'reconcileSubscriptions'>>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '1s', maximumInterval: '1 minute', maximumAttempts: 3 },
});

/**
 * What the schedule runs: starts every workflow that a row says should run. The schedule itself is the retry after three tries. Its
 * result is read: it holds the last invoice numbers.
 */
export async function reconcileWorkflow(): ReturnType<BillingActivities['reconcileSubscriptions']> {
  return reconcileSubscriptions();
}
