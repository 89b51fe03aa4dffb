import { lockCustomerAndSubscription, setAttention } from '../db/subscription-context.ts';
import type { Db } from '../db/pool.ts';

/**
 * Takes a subscription that waits for a person back into billing, so that its workflow tries again (contract.md 3). True where it
 * waited, false where there was nothing to do, null where there is no such subscription.
 */
export async function wakeSubscription(
  db: Db,
  { environment_id, subscription_id }: { environment_id: number; subscription_id: string },
): Promise<boolean | null> {
  const subscription = await lockCustomerAndSubscription(db, environment_id, subscription_id);
  if (subscription === null) return null;
  if (subscription.attention === null) return false;
  // In the row and not by the signal alone: the reconciler nudges what is overdue, should the signal be lost.
  await setAttention(db, environment_id, subscription_id, null);
  return true;
}
