import { conflict } from '../domain/errors.ts';
import { periodAt } from '../domain/period.ts';
import { countPendingItems } from '../db/invoicing/invoice-items.ts';
import { endOpenPeriod, findOpenPeriod } from '../db/subscriptions/periods.ts';
import { periodContextOf, type BillingSettings, type Subscription } from '../domain/subscription.ts';
import {
  finishSubscriptions,
  lockCustomerAndSubscription,
  setCancelAt,
} from '../db/subscriptions/subscription-context.ts';
import type { Db } from '../db/connection/pool.ts';

/**
 * Cancels a subscription now or at the end of its current period; `now` replaces a scheduled cancellation (contract.md 3). A pending
 * subscription or one in trial ends without an invoice; a pending one on which no item waits is finished at once. Returns false if the subscription does not exist. Throws conflict `invalid_state`
 * if it has ended already.
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
  await endOpenPeriod(db, key, end, periodContextOf({ ...subscription, cancel_at: end }, settings));
  if (end < subscription.start_date && (await countPendingItems(db, environment_id, subscription_id)) === 0)
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
