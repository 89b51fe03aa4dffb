import { noteStatusesOf } from '../../db/subscriptions/noted-status.ts';
import type { SubscriptionKey } from '../../db/subscriptions/live-subscriptions.ts';
import { findOpenPeriod, fitOpenPeriod } from '../../db/subscriptions/periods.ts';
import { readSubscription } from '../../db/subscriptions/subscription-context.ts';
import type { Db } from '../../db/connection/pool.ts';
import type { Changing } from '../../domain/subscription/plan-change.ts';
import { addedPlanTimes, type PlanPhase } from '../../domain/subscription/plan-phase.ts';
import { fitPlanGrants } from '../../db/credit/plan-grants.ts';
import {
  periodContextOf,
  type BillingSettings,
  type Subscription,
} from '../../domain/subscription/subscription.ts';
import { setPendingExpiries } from './grant-credit.ts';
import { refuseOverlap } from './subscribe.ts';

/** A locked subscription with the start of its open period; one that has ended has none, and is refused for its end. */
export async function withOpenPeriod(db: Db, subscription: Subscription): Promise<Subscription & Changing> {
  const { environment_id, id: subscription_id, now } = subscription;
  const open = await findOpenPeriod(db, { environment_id, subscription_id });
  return { ...subscription, open_from: open?.period_start ?? now };
}

/**
 * Throws conflict `overlapping_subscription` if another subscription bills events of the plans that a locked
 * subscription gets, at the times at which it did not have them before.
 */
export async function refuseOverlaps(
  db: Db,
  subscription: Subscription,
  terms: { phases: readonly PlanPhase[]; cancel_at: string | null },
  param: 'plan_id' | 'at' | null,
): Promise<void> {
  const { environment_id, id: subscription_id, customer_id } = subscription;
  for (const added of addedPlanTimes(subscription, { ...subscription, ...terms }))
    await refuseOverlap(db, environment_id, { ...added, customer_id, subscription_id }, param);
}

/**
 * Lets the open period, the status in the feed, the grants of plans and those that wait for a first billing period
 * follow the trial, the plans and the end of a locked subscription, once one of them has changed. Returns the
 * subscription as it is then.
 */
export async function followTerms(
  db: Db,
  key: SubscriptionKey,
  settings: BillingSettings,
): Promise<Subscription> {
  const { environment_id, subscription_id } = key;
  const changed = (await readSubscription(db, environment_id, subscription_id))!;
  if (changed.has_new_status) await noteStatusesOf(db, environment_id, [subscription_id]);
  await fitOpenPeriod(db, key, periodContextOf(changed, settings));
  const open = await findOpenPeriod(db, key);
  await fitPlanGrants(db, environment_id, {
    subscription_id,
    from: open?.full_period_start ?? changed.cancel_at ?? changed.now,
  });
  await setPendingExpiries(db, environment_id, changed.customer_id);
  return changed;
}
