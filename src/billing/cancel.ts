import { conflict } from '../domain/errors.ts';
import { periodAt } from '../domain/period.ts';
import { noteStatusesOf } from '../db/subscriptions/noted-status.ts';
import { endOpenPeriod, findOpenPeriod } from '../db/subscriptions/periods.ts';
import { periodContextOf, type BillingSettings, type Subscription } from '../domain/subscription.ts';
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
  const end = at === 'now' ? now : await endOfCurrentPeriod(db, subscription);
  await setCancelAt(db, environment_id, subscription_id, end);
  await noteStatusesOf(db, environment_id, [subscription_id]);
  const ending = (await readSubscription(db, environment_id, subscription_id))!;
  await endOpenPeriod(db, key, { ...periodContextOf(ending, settings), cancel_at: end });
  if (end < ending.start_date && !ending.ends_with_items)
    await finishSubscriptions(db, environment_id, [subscription_id]);
  return true;
}

/** The end of the current period. A subscription that has not started ends at its own start date. */
async function endOfCurrentPeriod(db: Db, subscription: Subscription): Promise<string> {
  const { environment_id, id: subscription_id, start_date, now } = subscription;
  if (now < start_date) return start_date;
  const open = await findOpenPeriod(db, { environment_id, subscription_id });
  // The open period may have ended already, because the workflow has not closed it yet.
  return open !== null && open.period_end > now ? open.period_end : periodAt(subscription, now)!.period_end;
}
