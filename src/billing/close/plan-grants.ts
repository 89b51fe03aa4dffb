import { insertGrants, voidGrants } from '../../db/credit/credit-grants.ts';
import { fitPlanGrants, planGrantIds, planGrantIdsFrom } from '../../db/credit/plan-grants.ts';
import { grantsOfPlan } from '../../db/subscriptions/plans.ts';
import type { Db } from '../../db/connection/pool.ts';
import type { StoredPeriod } from '../../domain/subscription/following-period.ts';
import { grantsOfPeriod } from '../../domain/credit/plan-grant.ts';
import type { Subscription } from '../../domain/subscription/subscription.ts';
import { newId } from '../../keys/ids.ts';

/**
 * Makes the grants of the plan of a full period as it begins, and lets what is left of the one before cover it
 * (billing.md 4). A part of a full period and a trial have none. The caller holds the lock of the customer, and does
 * this once for each beginning.
 */
export async function makePlanGrants(
  db: Db,
  { environment_id, id: subscription_id, customer_id }: Subscription,
  period: StoredPeriod,
): Promise<void> {
  const { period_start, full_period_start, plan_id, kind } = period;
  if (kind === 'billing' && full_period_start === period_start) {
    const grants = grantsOfPeriod(await grantsOfPlan(db, environment_id, plan_id), period);
    const made = grants.map((grant) => ({
      ...grant,
      id: newId('cg'),
      customer_id,
      subscription_id,
      note: null,
    }));
    await insertGrants(db, environment_id, made);
  }
  await fitPlanGrants(db, environment_id, { subscription_id, from: period_start });
}

/** Voids the grants of a full period that does not begin any more, or by another plan. */
export async function voidPlanGrants(
  db: Db,
  { environment_id, id: subscription_id }: Subscription,
  full_period_start: string,
): Promise<void> {
  const ids = await planGrantIds(db, environment_id, { subscription_id, full_period_start });
  await voidGrants(db, environment_id, ids);
}

/** Voids the grants of all full periods that an end has left out. */
export async function voidPlanGrantsFrom(
  db: Db,
  { environment_id, id: subscription_id }: Subscription,
  end: string,
): Promise<void> {
  const left_out = { subscription_id, full_period_start: end };
  await voidGrants(db, environment_id, await planGrantIdsFrom(db, environment_id, left_out));
}
