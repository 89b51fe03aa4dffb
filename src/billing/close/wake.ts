import { clearAttention, lockCustomerAndSubscription } from '../../db/subscriptions/subscription-context.ts';
import type { Db } from '../../db/connection/pool.ts';

/**
 * Returns a parked subscription to billing, so that its workflow tries again (contract.md 3). Returns true if the
 * subscription was parked, false if there was nothing to do, null if it does not exist.
 */
export async function wakeSubscription(
  db: Db,
  { environment_id, subscription_id }: { environment_id: number; subscription_id: string },
): Promise<boolean | null> {
  const subscription = await lockCustomerAndSubscription(db, environment_id, subscription_id);
  if (subscription === null) return null;
  if (subscription.attention === null) return false;
  // Clear the row as well as sending the signal: if the signal is lost, the reconciler nudges the overdue subscription.
  await clearAttention(db, environment_id, [subscription_id]);
  return true;
}
