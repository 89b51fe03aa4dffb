import type { Db } from '../db/pool.ts';
import { lockSubscription, setAttention } from '../db/subscription-context.ts';
import type { BillingSettings } from './draft.ts';
import { findNextInTurn } from './turn.ts';

/**
 * Parks a subscription with a sentence for a person: it holds up nobody from now on. Returns the customer's subscriptions whose turn
 * it is.
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
  return subscription === null ? [] : findNextInTurn(db, subscription, null, settings);
}
