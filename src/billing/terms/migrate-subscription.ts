import type { Db } from '../../db/connection/pool.ts';
import { putOutcome, type Turn, type Why } from '../../db/subscriptions/plan-migration-outcomes.ts';
import { moveOn, type MigrationKey, type MigrationTerms } from '../../db/subscriptions/plan-migrations.ts';
import { baseOfPlan } from '../../db/subscriptions/plan-versions.ts';
import { lockCustomerAndSubscription } from '../../db/subscriptions/subscription-context.ts';
import { changeToCome, reasonToSkip } from '../../domain/subscription/plan-migration.ts';
import type { BillingSettings } from '../../domain/subscription/subscription.ts';
import { changePlan, takeBackChange } from './change-plan.ts';
import { basedAnew } from './custom-plan.ts';

/** Result of a turn, as it is written. */
type Outcome = Turn & Why;

/** Error of a turn after the migration was stopped, or another process took it: its transaction is rolled back. */
export class TurnIsOver extends Error {}

/**
 * Takes the turn of one subscription in the caller's transaction: changes its plan, or takes the change back, and
 * writes the outcome with it. Returns whether its workflow has something to see. Throws TurnIsOver, and what
 * changePlan, basedAnew and takeBackChange throw, which noteRefusal writes.
 */
export async function takeTurn(
  db: Db,
  key: MigrationKey,
  { terms, turn, settings }: { terms: MigrationTerms; turn: Turn; settings: BillingSettings },
): Promise<boolean> {
  const outcome =
    terms.status === 'running'
      ? await change(db, key.environment_id, { terms, turn, settings })
      : await takeBack(db, key.environment_id, { terms, turn, settings });
  await writeOutcome(db, key, { terms, turn, outcome });
  return outcome.changed_at !== null && outcome.status !== turn.status;
}

/**
 * Writes that a subscription was refused its change, or its old plan, with the sentence why and its details. Throws
 * TurnIsOver.
 */
export async function noteRefusal(
  db: Db,
  key: MigrationKey,
  { terms, turn, ...why }: { terms: MigrationTerms; turn: Turn } & Why,
): Promise<void> {
  const outcome: Outcome =
    terms.status === 'running' ? { ...turn, ...why, status: 'failed' } : { ...turn, ...why };
  await writeOutcome(db, key, { terms, turn, outcome });
}

type Taking = { terms: MigrationTerms; turn: Turn; settings: BillingSettings };

async function change(db: Db, environment_id: number, { terms, turn, settings }: Taking): Promise<Outcome> {
  const { subscription_id } = turn;
  const { to_plan_id, at, custom, settle, proration, cycle } = terms;
  // It refers to the migration's row: a subscription is never deleted.
  const subscription = (await lockCustomerAndSubscription(db, environment_id, subscription_id))!;
  const { customer_id, plan_id } = subscription;
  const based_on = await baseOfPlan(db, environment_id, plan_id);
  const reason = reasonToSkip(subscription, { ...terms, based_on });
  const not_changed = { subscription_id, details: null, changed_at: null, to_plan_id: null };
  if (reason !== null) return { ...not_changed, status: 'skipped', reason };
  const is_custom = custom && based_on !== null;
  const next_plan_id = is_custom
    ? await basedAnew(db, environment_id, { plan_id, to_plan_id, customer_id })
    : to_plan_id;
  const key = { environment_id, subscription_id };
  const request = { plan_id: next_plan_id, at, settle, proration, cycle, take_back_grants: false };
  const changed_at = await changePlan(db, key, request, settings);
  const changed = { ...not_changed, changed_at, to_plan_id: is_custom ? next_plan_id : null };
  return { ...changed, status: 'changed', reason: null };
}

/** A change that has come, or that another one has replaced, stays. */
async function takeBack(db: Db, environment_id: number, { terms, turn, settings }: Taking): Promise<Outcome> {
  const { subscription_id, changed_at, to_plan_id } = turn;
  const subscription = (await lockCustomerAndSubscription(db, environment_id, subscription_id))!;
  const scheduled = changeToCome(subscription);
  const is_ours = scheduled?.plan_id === (to_plan_id ?? terms.to_plan_id) && scheduled.at === changed_at;
  if (!is_ours) return { ...turn, reason: null, details: null };
  await takeBackChange(db, { environment_id, subscription_id }, settings);
  return { ...turn, status: 'taken_back', reason: null, details: null };
}

async function writeOutcome(
  db: Db,
  key: MigrationKey,
  { terms, turn, outcome }: { terms: MigrationTerms; turn: Turn; outcome: Outcome },
): Promise<void> {
  await putOutcome(db, key, outcome);
  const { subscription_id, status: from } = turn;
  const step = { pass: terms.status, subscription_id, from, to: outcome.status! };
  if (!(await moveOn(db, key, step))) throw new TurnIsOver();
}
