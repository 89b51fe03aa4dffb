import { proxyActivities } from '@temporalio/workflow';
import type { BillingActivities } from '../activities/index.ts';
import { showCheck } from './appearance.ts';

const { checkInvariants } = proxyActivities<Pick<BillingActivities, 'checkInvariants'>>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '10s', maximumInterval: '1 minute', maximumAttempts: 3 },
});

/**
 * What the hourly schedule runs. It completes whatever was found: the list says in the column BillingState whether the data is
 * sound, the details and the result name what is not.
 */
export async function checkInvariantsWorkflow(): ReturnType<BillingActivities['checkInvariants']> {
  const result = await checkInvariants();
  showCheck(result);
  return result;
}
