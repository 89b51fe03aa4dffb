import { conflict } from '../../domain/money/errors.ts';
import {
  CANCEL_DAYS_BACK_MAX,
  instantOfChange,
  isBilled,
  refuseTimeOfEnd,
  type ChangeTime,
} from '../../domain/subscription/plan-change.ts';
import type { UnusedTime } from '../../domain/subscription/change-terms.ts';
import { findOpenPeriod } from '../../db/subscriptions/periods.ts';
import { dropPlanChanges } from '../../db/subscriptions/plan-changes.ts';
import { dropQuantities } from '../../db/subscriptions/quantities.ts';
import type { SubscriptionKey } from '../../db/subscriptions/live-subscriptions.ts';
import type { BillingSettings } from '../../domain/subscription/subscription.ts';
import {
  finishSubscriptions,
  lockCustomerAndSubscription,
  setCancelAt,
} from '../../db/subscriptions/subscription-context.ts';
import type { Db } from '../../db/connection/pool.ts';
import { followBilledEnd } from './billed-end.ts';
import { leaveOut } from '../close/open-period.ts';
import { followTerms, refuseOverlaps, withOpenPeriod } from './terms.ts';

/** `settle` is the use of unused time of fees in advance (billing.md 10). */
export type CancelRequest = { at: ChangeTime; settle: UnusedTime };

/**
 * Cancels a subscription in the caller's transaction, in place of a cancellation that is scheduled (contract.md 3). A
 * pending subscription or one in trial ends without an invoice, unless items are pending then (billing.md 7); a pending
 * one without items that ends now is finished at once. An end in a period that is billed credits what was billed after
 * it (billing.md 1). Returns the end, null if the subscription does not exist. Throws invalid_request `out_of_range`,
 * conflict `invalid_state` if it has ended already, and for an end not after the start of its billing, `archived` where
 * the events of what is billed are archived, and `overlapping_subscription` if the end moves later and another
 * subscription bills the events.
 */
export async function cancelSubscription(
  db: Db,
  key: SubscriptionKey,
  { at, settle }: CancelRequest,
  settings: BillingSettings,
): Promise<string | null> {
  const { environment_id, subscription_id } = key;
  const subscription = await lockCustomerAndSubscription(db, environment_id, subscription_id);
  if (subscription === null) return null;
  const { at: cancel_at } = instantOfChange(subscription, at, CANCEL_DAYS_BACK_MAX);
  const running = await withOpenPeriod(db, subscription);
  refuseTimeOfEnd(running, cancel_at);
  if (cancel_at === subscription.cancel_at && settle === subscription.settle_left_out) return cancel_at;
  await refuseOverlaps(db, subscription, { ...subscription, cancel_at }, 'at');
  // Before the changes are dropped: of one that has come the end keeps `settle`.
  await setCancelAt(db, subscription, { cancel_at, settle });
  await dropPlanChanges(db, key, cancel_at);
  await dropQuantities(db, key, cancel_at);
  if (isBilled(running, cancel_at)) {
    await followBilledEnd(db, subscription, cancel_at, settings);
    return cancel_at;
  }
  const changed = await followTerms(db, key, settings);
  const { now, start_date, ends_with_items } = changed;
  if (cancel_at > now) return cancel_at;
  if ((await findOpenPeriod(db, key)) === null) await leaveOut(db, changed, cancel_at);
  if (cancel_at < start_date && !ends_with_items)
    await finishSubscriptions(db, environment_id, [subscription_id]);
  return cancel_at;
}

/**
 * Takes back the cancellation that is scheduled: the open period has its boundary again. Returns false if the
 * subscription does not exist. Throws conflict `invalid_state` where none is scheduled, and `overlapping_subscription`
 * where another subscription bills the events from then on.
 */
export async function takeBackCancel(
  db: Db,
  key: SubscriptionKey,
  settings: BillingSettings,
): Promise<boolean> {
  const { environment_id, subscription_id } = key;
  const subscription = await lockCustomerAndSubscription(db, environment_id, subscription_id);
  if (subscription === null) return false;
  const { now, cancel_at } = subscription;
  if (cancel_at === null || cancel_at <= now)
    throw conflict(null, 'invalid_state', `subscription ${subscription_id} has no scheduled cancellation`);
  await refuseOverlaps(db, subscription, { ...subscription, cancel_at: null }, null);
  await setCancelAt(db, subscription, { cancel_at: null, settle: 'balance' });
  await followTerms(db, key, settings);
  return true;
}
