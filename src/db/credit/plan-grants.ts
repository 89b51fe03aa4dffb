import type { Db } from '../connection/pool.ts';

/** A full period of a subscription, by its start. */
type FullPeriodOf = { subscription_id: string; full_period_start: string };

/** SQL: the grant `g` is one of a plan, for the subscription $2, and not void. */
const OF_PLAN =
  'g.environment_id = $1 and g.subscription_id = $2 and g.place is not null and g.voided_at is null';

/** The grants of a full period that its plan made, without void ones. */
export async function planGrantIds(
  db: Db,
  environment_id: number,
  { subscription_id, full_period_start }: FullPeriodOf,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select g.id from credit_grants g where ${OF_PLAN} and g.full_period_start = $3 order by g.id`,
    [environment_id, subscription_id, full_period_start],
  );
  return rows.map(({ id }) => id);
}

/** The grants that plans made for a full period of a subscription and all later ones, without void ones. */
export async function planGrantIdsFrom(
  db: Db,
  environment_id: number,
  { subscription_id, full_period_start }: FullPeriodOf,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select g.id from credit_grants g where ${OF_PLAN} and g.full_period_start >= $3 order by g.id`,
    [environment_id, subscription_id, full_period_start],
  );
  return rows.map(({ id }) => id);
}

/**
 * SQL: the end of the full period of the subscription `s` that begins at an instant, as far as it is known; null if
 * none does.
 */
export const endOfPeriodFrom = (start: string): string => `
  select max(p.period_end) as ends_at from periods p
  where p.environment_id = s.environment_id and p.subscription_id = s.id and p.kind = 'billing'
    and p.full_period_start = ${start} and (s.cancel_at is null or p.period_start < s.cancel_at)`;

/**
 * SQL: whether the change of plan that ends a full period of the subscription `s` takes back what the plan gave for it.
 */
export const isTakenBackAt = (end: string): string => `exists (
  select from plan_changes x
  where x.environment_id = s.environment_id and x.subscription_id = s.id and x.at = ${end} and x.take_back_grants)`;

/**
 * Lets the grants of plans expire with their full periods as these really run, and cover the full periods that follow,
 * but for those that the change of plan at the end takes back (billing.md 4). Grants that expired for all usage before
 * `from`, and those by days of periods that ended before it, stay as they are.
 */
export async function fitPlanGrants(
  db: Db,
  environment_id: number,
  { subscription_id, from }: { subscription_id: string; from: string },
): Promise<void> {
  await db.query(
    `with fitted as (
       select g.id, case when g.period_bound is not null then own.ends_at end as period_bound,
         least(g.created_at + g.expires_in_days * interval '24 hours',
           case when g.period_bound is not null or end_of.takes_back then own.ends_at end) as expires_at,
         case when g.carry_over_max is not null then case when end_of.takes_back or s.cancel_at <= own.ends_at
           then own.ends_at else next.ends_at end end as carry_over_until
       from credit_grants g
       join subscriptions s on s.environment_id = g.environment_id and s.id = g.subscription_id
       cross join lateral (${endOfPeriodFrom('g.full_period_start')}) as own
       cross join lateral (${endOfPeriodFrom('own.ends_at')}) as next
       cross join lateral (select ${isTakenBackAt('own.ends_at')} as takes_back) as end_of
       where ${OF_PLAN} and greatest(g.expires_at, g.carry_over_until) >= $3
         and case when g.period_bound is null then own.ends_at >= $3 else own.ends_at is not null end)
     update credit_grants g
     set expires_at = f.expires_at, period_bound = f.period_bound, carry_over_until = f.carry_over_until
     from fitted f
     where g.environment_id = $1 and g.id = f.id
       and (g.expires_at, g.carry_over_until) is distinct from (f.expires_at, f.carry_over_until)`,
    [environment_id, subscription_id, from],
  );
}
