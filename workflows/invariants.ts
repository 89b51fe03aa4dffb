import { proxyActivities } from '@temporalio/workflow';
import type { BillingActivities } from '../activities/index.ts';
import { showCheck } from './appearance.ts';

const { checkInvariants } = proxyActivities<Pick<BillingActivities, 'checkInvariants'>>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '10s', maximumInterval: '1 minute', maximumAttempts: 3 },
});

/**
 * Checks the invariants; a schedule starts it hourly. Completes whether or not the check found breaches: the column
 * BillingState says whether the data are sound, the details and the result name the rows that are not.
 */
export async function checkInvariantsWorkflow(): ReturnType<BillingActivities['checkInvariants']> {
  const result = await checkInvariants();
  showCheck(result);
  return result;
}
