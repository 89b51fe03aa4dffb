import { pendingRedactions } from '../../db/customers/redactions.ts';
import type { SubscriptionKey } from '../../db/subscriptions/live-subscriptions.ts';
import { dropPlanChanges, putPlanChange, type PlanChange } from '../../db/subscriptions/plan-changes.ts';
import { dropQuantitiesOfChanges } from '../../db/subscriptions/quantities.ts';
import { lockCustomerAndSubscription } from '../../db/subscriptions/subscription-context.ts';
import { addDimensions } from '../../db/subscriptions/subscriptions.ts';
import type { Db } from '../../db/connection/pool.ts';
import { conflict } from '../../domain/money/errors.ts';
import {
  instantOfChange,
  phasesWith,
  refuseProration,
  type ChangeTime,
} from '../../domain/subscription/plan-change.ts';
import type { ChangeTerms } from '../../domain/subscription/change-terms.ts';
import { firstPhase, phasesBefore, phasesBy } from '../../domain/subscription/plan-phase.ts';
import type { Quantities } from '../../domain/subscription/quantity.ts';
import type { BillingSettings, Subscription } from '../../domain/subscription/subscription.ts';
import { creditTakenBack } from '../close/settle-quantities.ts';
import { refuseWhileRedacting } from '../customers/redact.ts';
import { planFor } from './subscribe.ts';
import { putQuantitiesOfChange } from './quantities.ts';
import { refuseNames } from './quantity-names.ts';
import { followTerms, refuseOverlaps, withOpenPeriod } from './terms.ts';

/**
 * `take_back_grants` ends what the plan that goes has given (billing.md 4); `quantities` are those from the change on
 * (billing.md 14).
 */
export type ChangeRequest = ChangeTerms & {
  plan_id: string;
  at: ChangeTime;
  take_back_grants: boolean;
  quantities: Quantities;
};

/**
 * Changes the plan of a subscription, in the caller's transaction (billing.md 1, contract.md 3). Returns the instant of
 * the change, null if the subscription does not exist. Throws not_found `unknown_plan`, invalid_request
 * `currency_mismatch`, `out_of_range` or `not_allowed`, and conflict `archived`, `overlapping_subscription`,
 * `too_many` or `invalid_state`.
 */
export async function changePlan(
  db: Db,
  key: SubscriptionKey,
  { plan_id, at: time, quantities, ...terms }: ChangeRequest,
  settings: BillingSettings,
): Promise<string | null> {
  const { environment_id, subscription_id } = key;
  const subscription = await lockCustomerAndSubscription(db, environment_id, subscription_id);
  if (subscription === null) return null;
  const { customer_id } = subscription;
  const plan = await planFor(db, environment_id, plan_id, subscription);
  const { at, is_day } = instantOfChange(subscription, time);
  const change = { ...firstPhase(plan), ...terms, from: at, is_day };
  refuseProration(subscription, change);
  const phases = phasesWith(await withOpenPeriod(db, subscription), change);
  const pending = await pendingRedactions(db, environment_id, customer_id);
  await refuseWhileRedacting(db, environment_id, plan.id, pending);
  await refuseOverlaps(db, subscription, { ...subscription, phases }, 'plan_id');
  await refuseNames(db, environment_id, { quantities, plan_id: plan.id });
  await writeChange(db, subscription, { ...terms, at, is_day, plan_id: plan.id }, settings);
  await putQuantitiesOfChange(db, subscription, { quantities, at, settle: terms.settle });
  return at;
}

/** Stores a change of plan that is allowed, and lets everything follow it. Returns the subscription as it is then. */
export async function writeChange(
  db: Db,
  subscription: Subscription,
  change: PlanChange,
  settings: BillingSettings,
): Promise<Subscription> {
  const { environment_id, id: subscription_id, customer_id, now } = subscription;
  const key = { environment_id, subscription_id };
  const before = phasesBefore(subscription, change.at).at(-1)!.plan_id;
  await putPlanChange(db, key, { ...change, now, before });
  await addDimensions(db, environment_id, { customer_id, plan_id: change.plan_id });
  return followTerms(db, key, settings);
}

/**
 * Takes back the change of plan that is scheduled: the open period has its boundary again. Returns false if the
 * subscription does not exist. Throws conflict `invalid_state` where none is scheduled, and `overlapping_subscription`
 * where another subscription bills the events of the plan that goes on.
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
  await refuseOverlaps(db, subscription, { ...subscription, phases: standing }, null);
  await dropPlanChanges(db, key, phases[standing.length]!.from!);
  const dropped = await dropQuantitiesOfChanges(db, key, { now, at: null });
  await followTerms(db, key, settings);
  if (dropped > 0) await creditTakenBack(db, key);
  return true;
}
