import { conflict } from '../domain/errors.ts';
import { endOfPeriodAt } from '../domain/plan-phase.ts';
import { noteStatusesOf } from '../db/subscriptions/noted-status.ts';
import { endOpenPeriod } from '../db/subscriptions/periods.ts';
import { dropPlanChanges } from '../db/subscriptions/plan-changes.ts';
import { periodContextOf, type BillingSettings } from '../domain/subscription.ts';
import {
  finishSubscriptions,
  lockCustomerAndSubscription,
  readSubscription,
  setCancelAt,
} from '../db/subscriptions/subscription-context.ts';
import type { Db } from '../db/connection/pool.ts';

/**
 * Cancels a subscription now or at the end of its current period; `now` replaces a scheduled cancellation (contract.md 3). A pending
 * subscription or one in trial ends without an invoice, unless items are pending then (billing.md 7); a pending one without items is finished
 * at once. Returns false if the subscription does not exist. Throws conflict `invalid_state` if it has ended already.
 */
export async function cancelSubscription(
  db: Db,
  key: { environment_id: number; subscription_id: string },
  at: 'now' | 'period_end',
  settings: BillingSettings,
): Promise<boolean> {
  const { environment_id, subscription_id } = key;
  const subscription = await lockCustomerAndSubscription(db, environment_id, subscription_id);
  if (subscription === null) return false;
  const { now, cancel_at } = subscription;
  if (cancel_at !== null && cancel_at <= now) {
    throw conflict(
      null,
      'invalid_state',
      `subscription ${subscription_id} was already canceled at ${cancel_at}`,
    );
  }
  if (at === 'period_end' && cancel_at !== null) return true;
  const end = at === 'now' ? now : endOfPeriodAt(subscription, now);
  await dropPlanChanges(db, key, end);
  await setCancelAt(db, environment_id, subscription_id, end);
  await noteStatusesOf(db, environment_id, [subscription_id]);
  const ending = (await readSubscription(db, environment_id, subscription_id))!;
  await endOpenPeriod(db, key, { ...periodContextOf(ending, settings), cancel_at: end });
  if (end < ending.start_date && !ending.ends_with_items)
    await finishSubscriptions(db, environment_id, [subscription_id]);
  return true;
}
