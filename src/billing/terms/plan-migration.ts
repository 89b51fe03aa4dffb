import { customerIdsOf } from '../../db/customers/customers.ts';
import type { Db } from '../../db/connection/pool.ts';
import { insertSubscribers, type Subscribers } from '../../db/subscriptions/plan-migration-outcomes.ts';
import {
  beginTakingBack,
  insertMigration,
  setTotal,
  stopMigration,
} from '../../db/subscriptions/plan-migrations.ts';
import { plansNamed, type ChosenPlan, type NamedPlan } from '../../db/subscriptions/plan-versions.ts';
import { conflict, invalid, notFound } from '../../domain/money/errors.ts';
import type { ChangeTime } from '../../domain/subscription/plan-change.ts';
import type { ChangeTerms } from '../../domain/subscription/change-terms.ts';
import { newId } from '../../keys/ids.ts';
import { lockedPlan, refuseArchived } from './subscribe.ts';

/**
 * Both plans may be keys: `from_plan_id` names all versions, `to_plan_id` the newest. `customer_ids` are of either
 * kind; null for all.
 */
export type MigrationRequest = ChangeTerms & {
  from_plan_id: string;
  to_plan_id: string;
  at: ChangeTime;
  customer_ids: readonly string[] | null;
  /** Whether custom plans are based anew on the target; else they are passed over (billing.md 12). */
  custom: boolean;
};

/**
 * Stores a migration with the subscriptions that have the plan now, in the caller's transaction; its workflow changes
 * them. Returns its id. Throws as subscribersOf does.
 */
export async function startMigration(
  db: Db,
  environment_id: number,
  request: MigrationRequest,
  by: string,
): Promise<string> {
  const { subscribers, to_plan } = await subscribersOf(db, environment_id, request);
  const { from_plan_id, at, custom, settle, proration, cycle } = request;
  const id = newId('mig');
  const { from_plan_ids } = subscribers;
  const terms = { settle, proration, cycle };
  const migration = { id, from_plan_id, from_plan_ids, to_plan_id: to_plan.id, at, custom, terms, by };
  await insertMigration(db, environment_id, migration);
  const key = { environment_id, migration_id: id };
  await setTotal(db, key, await insertSubscribers(db, key, subscribers));
  return id;
}

/**
 * The subscribers that a request is about, and the plan that they get, which is not archived until the end of the
 * transaction. Throws not_found `unknown_plan` and `unknown_customer`, invalid_request `not_allowed` for a plan alone
 * that is the target and for the proration `none` beside another interval, and `currency_mismatch`, and conflict
 * `archived`, or `invalid_state` for a custom plan as the target.
 */
export async function subscribersOf(
  db: Db,
  environment_id: number,
  request: MigrationRequest,
): Promise<{ subscribers: Subscribers; to_plan: ChosenPlan }> {
  const { from_plan_id, to_plan_id, customer_ids } = request;
  const from_plans = await plansNamed(db, environment_id, from_plan_id);
  if (from_plans.length === 0)
    throw notFound('from_plan_id', 'unknown_plan', 'from_plan_id does not match any plan');
  const to_plan = await lockedPlan(db, environment_id, to_plan_id, 'to_plan_id');
  if (to_plan.customer_id !== null) {
    const message = `plan ${to_plan.id} is a custom plan, to which nobody is migrated`;
    throw conflict('to_plan_id', 'invalid_state', message);
  }
  if (from_plans.every(({ id }) => id === to_plan.id)) {
    const message = `to_plan_id must name another plan than from_plan_id: both are ${to_plan.id}`;
    throw invalid('to_plan_id', 'not_allowed', message);
  }
  // All versions of a key have one currency.
  const { currency } = from_plans[0]!;
  if (currency !== to_plan.currency) {
    const message = `the currency of plan ${to_plan.id} is ${to_plan.currency}, but its subscribers pay in ${currency}`;
    throw invalid('to_plan_id', 'currency_mismatch', message);
  }
  refuseProrationOf(request, from_plans, to_plan);
  refuseArchived(to_plan, 'to_plan_id');
  const ids = customer_ids === null ? null : await customersNamed(db, environment_id, customer_ids);
  const from_plan_ids = from_plans.map(({ id }) => id);
  return { subscribers: { from_plan_ids, to_plan_id: to_plan.id, customer_ids: ids }, to_plan };
}

function refuseProrationOf(
  { proration }: MigrationRequest,
  from_plans: readonly NamedPlan[],
  to_plan: NamedPlan,
): void {
  const isOfInterval = ({ interval, interval_count }: NamedPlan) =>
    interval === to_plan.interval && interval_count === to_plan.interval_count;
  if (proration === 'none' && !from_plans.every(isOfInterval))
    throw invalid('proration', 'not_allowed', 'proration none is for plans of the same interval alone');
}

async function customersNamed(db: Db, environment_id: number, names: readonly string[]): Promise<string[]> {
  const ids = await customerIdsOf(db, environment_id, names);
  return ids.map((id, place) => {
    const param = `customer_ids[${place}]`;
    if (id === null)
      throw notFound(param, 'unknown_customer', `${param}, ${names[place]}, does not match any customer`);
    return id;
  });
}

/**
 * Ends a migration that runs: once the transaction is committed, nothing more changes. Throws conflict `invalid_state`
 * if it is over.
 */
export async function stopRunning(db: Db, environment_id: number, id: string): Promise<void> {
  if (!(await stopMigration(db, environment_id, id)))
    throw conflict(null, 'invalid_state', `plan migration ${id} does not run any more`);
}

/**
 * Ends a migration and has its workflow take back those of its changes that are still to come. Throws conflict
 * `invalid_state` if that was asked for before.
 */
export async function takeBackMigration(db: Db, environment_id: number, id: string): Promise<void> {
  if (!(await beginTakingBack(db, environment_id, id)))
    throw conflict(null, 'invalid_state', `plan migration ${id} is taken back already`);
}
