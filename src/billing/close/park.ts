import type { Db } from '../../db/connection/pool.ts';
import { lockSubscription, setAttention } from '../../db/subscriptions/subscription-context.ts';
import type { BillingSettings } from '../../domain/subscription/subscription.ts';
import { findDueSiblings, nextInTurn } from './billing-order.ts';

/**
 * Parks a subscription with a reason for a person to read. A parked subscription holds up no other. Returns the
 * customer's subscriptions whose turn it is now.
 */
export async function parkSubscription(
  db: Db,
  {
    environment_id,
    subscription_id,
    reason,
  }: { environment_id: number; subscription_id: string; reason: string },
  settings: BillingSettings,
): Promise<{ environment_id: number; subscription_id: string }[]> {
  await setAttention(db, environment_id, subscription_id, reason);
  const subscription = await lockSubscription(db, environment_id, subscription_id);
  if (subscription === null) return [];
  return nextInTurn(environment_id, await findDueSiblings(db, subscription, settings), null);
}
