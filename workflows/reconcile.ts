import { proxyActivities } from '@temporalio/workflow';
import type { BillingActivities } from '../activities/index.ts';

const { reconcileSubscriptions } = proxyActivities<Pick<BillingActivities, 'reconcileSubscriptions'>>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '1s', maximumInterval: '1 minute', maximumAttempts: 3 },
});

/**
 * Reconciles once; a schedule starts it every minute. Starts each workflow that should run according to the rows. After
 * three failed attempts the next scheduled run is the retry. Later runs read the result: it holds the last invoice
 * numbers.
 */
export async function reconcileWorkflow(): ReturnType<BillingActivities['reconcileSubscriptions']> {
  return reconcileSubscriptions();
}
