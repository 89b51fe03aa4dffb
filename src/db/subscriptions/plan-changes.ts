import type { ChangeTerms } from '../../domain/subscription/change-terms.ts';
import type { BoundedSchedule } from '../../domain/credit/expiry.ts';
import type { Db } from '../connection/pool.ts';
import { CUSTOMER_NOW, type Whose } from '../customers/customer-now.ts';
import type { PeriodKey } from './periods.ts';

/** SQL: the plans of the subscription `s` as PlanPhases, in the order of time. */
const PHASES = `(
  select jsonb_agg(jsonb_build_object('from', instant_text(x.at), 'is_day', x.is_day, 'plan_id', x.plan_id,
    'interval', n.interval, 'interval_count', n.interval_count, 'opens', n.opens_periods, 'minimum_amount',
    n.minimum_amount::text, 'settle', x.settle, 'exchanges', x.exchanges, 'proration', x.proration, 'cycle', x.cycle)
    order by x.at nulls first)
  from (
    select null::timestamptz as at, false as is_day, s.plan_id, 'balance' as settle, '{}'::jsonb as exchanges,
      'exact' as proration, 'keep' as cycle
    union all
    select at, is_day, plan_id, settle, exchanges, proration, cycle from plan_changes
    where environment_id = s.environment_id and subscription_id = s.id
  ) as x join plans n on n.environment_id = s.environment_id and n.id = x.plan_id)`;

/** SQL: the columns of a PlanSchedule, of the subscription `s`. */
export const PLAN_SCHEDULE = `s.start_date, s.trial_end_date, s.billing_anchor, s.anchor_is_day, s.timezone,
    ${PHASES} as phases`;

/** Schedules of a customer's subscriptions that are not canceled yet. */
export async function schedulesOf(
  db: Db,
  environment_id: number,
  customer_id: string,
): Promise<BoundedSchedule[]> {
  const { rows } = await db.query<BoundedSchedule>(
    `select s.id, ${PLAN_SCHEDULE}, s.cancel_at
     from subscriptions s
     join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
     where s.environment_id = $1 and s.customer_id = $2 and coalesce(s.cancel_at > ${CUSTOMER_NOW}, true)
     order by s.id`,
    [environment_id, customer_id],
  );
  return rows;
}

/** A plan from an instant on; `is_day` if the instant was sent as a day. */
export type PlanChange = ChangeTerms & {
  at: string;
  is_day: boolean;
  plan_id: string;
  take_back_grants: boolean;
};

/**
 * Stores a change in place of the one at its instant and of every one that is still to come at `now`. An end that has
 * come keeps its `settle`, and that of each plan that was exchanged there, and what it took back; `before` is the plan
 * that holds before the change. The caller holds the lock of the customer.
 */
export async function putPlanChange(
  db: Db,
  { environment_id, subscription_id }: PeriodKey,
  { now, at, is_day, plan_id, settle, before, ...terms }: PlanChange & { now: string; before: string },
): Promise<void> {
  await db.query(
    `delete from plan_changes where environment_id = $1 and subscription_id = $2 and at > $3 and at <> $4`,
    [environment_id, subscription_id, now, at],
  );
  await db.query(
    `insert into plan_changes as x (environment_id, subscription_id, at, is_day, plan_id, noted_at, settle, exchanges,
       proration, cycle, take_back_grants)
     values ($1, $2, $3, $4, $5, case when $3 <= $6::timestamptz then now() end, $7,
       jsonb_build_object($8::text, $7::text), $9, $10, $11)
     on conflict (environment_id, subscription_id, at) do update
       set plan_id = excluded.plan_id, is_day = excluded.is_day, proration = excluded.proration, cycle = excluded.cycle,
         settle = case when x.at <= $6::timestamptz then x.settle else excluded.settle end,
         exchanges = case when x.at <= $6::timestamptz then x.exchanges || jsonb_build_object(x.plan_id, $7::text)
           else excluded.exchanges end,
         take_back_grants = excluded.take_back_grants or x.take_back_grants and x.at <= $6::timestamptz`,
    [
      environment_id,
      subscription_id,
      at,
      is_day,
      plan_id,
      now,
      settle,
      before,
      terms.proration,
      terms.cycle,
      terms.take_back_grants,
    ],
  );
}

/** Deletes the changes at an instant or later. */
export async function dropPlanChanges(
  db: Db,
  { environment_id, subscription_id }: PeriodKey,
  from: string,
): Promise<void> {
  await db.query('delete from plan_changes where environment_id = $1 and subscription_id = $2 and at >= $3', [
    environment_id,
    subscription_id,
    from,
  ]);
}

/**
 * Notes the changes of plan that have come by the clock alone, so that the feed has them. Returns how many. It waits
 * for no row.
 */
export async function noteChangesOfPlan(db: Db, { customer_id, limit }: Whose): Promise<number> {
  const { rowCount } = await db.query(
    `with due as (
       select x.environment_id, x.subscription_id, x.at
       from plan_changes x
       join subscriptions s on s.environment_id = x.environment_id and s.id = x.subscription_id
       join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
       where x.noted_at is null and x.at <= ${CUSTOMER_NOW} and ($2::text is null or c.id = $2)
       order by x.at limit $1 for no key update of x skip locked)
     update plan_changes x set noted_at = now() from due
     where x.environment_id = due.environment_id and x.subscription_id = due.subscription_id and x.at = due.at`,
    [limit, customer_id],
  );
  return rowCount!;
}
