import { chargesOf } from '../db/subscriptions/charges.ts';
import { noteStatusesOf } from '../db/subscriptions/noted-status.ts';
import { findOpenPeriod, followPlans } from '../db/subscriptions/periods.ts';
import { dropPlanChanges, putPlanChange } from '../db/subscriptions/plan-changes.ts';
import { lockCustomerAndSubscription, readSubscription } from '../db/subscriptions/subscription-context.ts';
import { addDimensions } from '../db/subscriptions/subscriptions.ts';
import type { Db } from '../db/connection/pool.ts';
import { conflict } from '../domain/errors.ts';
import { earliest, latest } from '../domain/period.ts';
import { instantOfChange, phasesWith, type ChangeTime } from '../domain/plan-change.ts';
import { firstPhase, phasesBy, type PlanPhase } from '../domain/plan-phase.ts';
import { periodContextOf, type BillingSettings, type Subscription } from '../domain/subscription.ts';
import { refuseWhileRedacting } from './redact.ts';
import { planFor, refuseOverlap } from './subscribe.ts';

type SubscriptionKey = { environment_id: number; subscription_id: string };

export type ChangeRequest = { plan_id: string; at: ChangeTime };

/**
 * Changes the plan of a subscription, in the caller's transaction (billing.md 1, contract.md 3). Returns the instant of the change, null if
 * the subscription does not exist. Throws not_found `unknown_plan`, invalid_request `currency_mismatch` or `out_of_range`, and conflict
 * `overlapping_subscription` or `invalid_state`.
 */
export async function changePlan(
  db: Db,
  key: SubscriptionKey,
  request: ChangeRequest,
  settings: BillingSettings,
): Promise<string | null> {
  const { environment_id, subscription_id } = key;
  const subscription = await lockCustomerAndSubscription(db, environment_id, subscription_id);
  if (subscription === null) return null;
  const { now, customer_id } = subscription;
  const plan = await planFor(db, environment_id, request.plan_id, subscription);
  const { at, is_day } = instantOfChange(subscription, request.at);
  const open = await findOpenPeriod(db, key);
  const change = { ...firstPhase(plan), from: at, is_day };
  // A subscription that has ended has no open period, and is refused for its end.
  const phases = phasesWith({ ...subscription, open_from: open?.period_start ?? now }, change);
  await refuseWhileRedacting(db, environment_id, customer_id, await chargesOf(db, environment_id, plan.id));
  await refuseOverlaps(db, subscription, phases, 'plan_id');
  await putPlanChange(db, key, { at, is_day, plan_id: plan.id, now });
  await addDimensions(db, environment_id, { customer_id, plan_id: plan.id });
  const changed = (await readSubscription(db, environment_id, subscription_id))!;
  if (changed.has_new_status) await noteStatusesOf(db, environment_id, [subscription_id]);
  await followPlans(db, key, periodContextOf(changed, settings));
  return at;
}

/**
 * Takes back the change of plan that is scheduled: the open period has its boundary again. Returns false if the subscription does not exist.
 * Throws conflict `invalid_state` where none is scheduled, and `overlapping_subscription` where another subscription bills the events of the
 * plan that goes on.
 */
export async function takeBackChange(
  db: Db,
  key: SubscriptionKey,
  settings: BillingSettings,
): Promise<boolean> {
  const { environment_id, subscription_id } = key;
  const subscription = await lockCustomerAndSubscription(db, environment_id, subscription_id);
  if (subscription === null) return false;
  const { now, phases } = subscription;
  const standing = phasesBy(subscription, now);
  if (standing.length === phases.length)
    throw conflict(null, 'invalid_state', `subscription ${subscription_id} has no scheduled change of plan`);
  await refuseOverlaps(db, subscription, standing, null);
  await dropPlanChanges(db, key, phases[standing.length]!.from!);
  await followPlans(db, key, periodContextOf({ ...subscription, phases: standing }, settings));
  return true;
}

/** Compares the plans that hold from now on, or since the first instant at which they differ, with those of other subscriptions. */
async function refuseOverlaps(
  db: Db,
  subscription: Subscription,
  phases: readonly PlanPhase[],
  param: 'plan_id' | null,
): Promise<void> {
  const { environment_id, id: subscription_id, customer_id, start_date, cancel_at } = subscription;
  for (const [place, { from, plan_id }] of phases.entries()) {
    const before = subscription.phases[place];
    const ends = phases[place + 1]?.from ?? null;
    const is_as_before =
      before?.from === from &&
      before.plan_id === plan_id &&
      (subscription.phases[place + 1]?.from ?? null) === ends;
    if (is_as_before) continue;
    const to = ends === null || cancel_at === null ? (ends ?? cancel_at) : earliest(ends, cancel_at);
    const wanted = { customer_id, plan_id, from: latest(from ?? start_date, start_date), to };
    await refuseOverlap(db, environment_id, { ...wanted, subscription_id }, param);
  }
}
