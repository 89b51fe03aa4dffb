import { phaseAt, scheduleAt, type PlanSchedule } from '../../domain/subscription/plan-phase.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import { createParameters } from '../connection/parameters.ts';
import type { Subscription, SubscriptionStatus } from '../../objects/subscription.ts';
import type { Db } from '../connection/pool.ts';
import { isMeteredCharge } from './charges.ts';
import { PLAN_SCHEDULE } from './plan-changes.ts';

/** SQL: the end of the subscription `s` has come. */
export const CANCELED = `s.cancel_at <= ${CUSTOMER_NOW}`;

/**
 * SQL: the status of the subscription `s` of the customer `c`, computed from the customer's clock so that no stored
 * status can disagree with it.
 */
export const STATUS = `case
  when ${CANCELED} then 'canceled'
  when s.start_date > ${CUSTOMER_NOW} then 'pending'
  when s.trial_end_date > ${CUSTOMER_NOW} then 'trialing'
  else 'active' end`;

/** SQL: the end of the first due period without an issued invoice. */
const UNBILLED_SINCE = `least(
  (select min(period_end) from periods
   where environment_id = s.environment_id and subscription_id = s.id and closed_at is null and kind <> 'trial'
     and period_end <= ${CUSTOMER_NOW}),
  (select min(period_end) from invoices
   where environment_id = s.environment_id and subscription_id = s.id and status = 'draft'))`;

/**
 * SQL: the current period, after the end the last one; of a subscription that ends before it begins the first one,
 * whose end `interval_end` keeps.
 */
const CURRENT_PERIOD = `
  select case when is_left_out then s.start_date else period_start end as period_start,
    case when is_left_out then interval_end else period_end end as period_end
  from (
    (select period_start, period_end, interval_end, period_start < s.start_date as is_left_out from periods
     where environment_id = s.environment_id and subscription_id = s.id and kind <> 'late'
     order by period_start desc limit 1)
    union all
    (select period_start, period_end, interval_end, true from periods
     where environment_id = s.environment_id and subscription_id = s.id and kind = 'late' limit 1)
  ) as found limit 1`;

/** SQL: the plan of the subscription `s` at the now of the customer `c`. */
export const PLAN_NOW = `(
    select x.plan_id from subscription_plans x
    where x.environment_id = s.environment_id and x.subscription_id = s.id
      and x.begins_at <= ${CUSTOMER_NOW} and ${CUSTOMER_NOW} < x.ends_at)`;

const SELECT = `
  select s.id, n.livemode, s.created_at, c.external_id as customer_id, ${CUSTOMER_NOW} as now, ${STATUS} as status,
    ${PLAN_SCHEDULE},
    p.period_start as current_period_start, p.period_end as current_period_end,
    case when not ${CANCELED} then s.cancel_at end as cancel_at,
    case when ${CANCELED} then s.cancel_at end as canceled_at, s.bill_at::text as bill_at, s.attention,
    case when s.attention is not null then ${UNBILLED_SINCE} end as unbilled_since,
    'subscription-' || s.id as workflow_id
  from subscriptions s
  join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
  join environments n on n.id = s.environment_id
  cross join lateral (${CURRENT_PERIOD}) as p`;

/** The subscriptions with these ids, in any order. */
export async function readSubscriptions(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<Subscription[]> {
  const { rows } = await db.query<SubscriptionRow>(
    `${SELECT} where s.environment_id = $1 and s.id = any($2)`,
    [environment_id, ids],
  );
  return rows.map(subscriptionOf);
}

type ByPlan = 'object' | 'plan_id' | 'billing_anchor' | 'pending_change';
type SubscriptionRow = Omit<Subscription, ByPlan> & PlanSchedule & { now: string };

function subscriptionOf(row: SubscriptionRow): Subscription {
  const { id, livemode, created_at, customer_id, now, status, start_date, trial_end_date, timezone } = row;
  const { current_period_start, current_period_end, cancel_at, canceled_at } = row;
  const { bill_at, attention, unbilled_since, workflow_id } = row;
  const { plan_id } = phaseAt(row, now);
  const { billing_anchor } = scheduleAt(row, now);
  const next = row.phases.find(({ from }) => from !== null && from > now);
  const pending_change = next === undefined ? null : { plan_id: next.plan_id, at: next.from! };
  return {
    id,
    object: 'subscription',
    livemode,
    created_at,
    customer_id,
    plan_id,
    status,
    start_date,
    trial_end_date,
    billing_anchor,
    pending_change,
    timezone,
    current_period_start,
    current_period_end,
    cancel_at,
    canceled_at,
    bill_at,
    attention,
    unbilled_since,
    workflow_id,
  };
}

/** A subscription by id; null if it does not exist. */
export async function findSubscription(
  db: Db,
  environment_id: number,
  id: string,
): Promise<Subscription | null> {
  return (await readSubscriptions(db, environment_id, [id]))[0] ?? null;
}

/**
 * Subscriptions, newest first. `customer_id` is the external id or our `cus_` id; `before` is the id of the previous
 * page's last row.
 */
export async function listSubscriptions(
  db: Db,
  environment_id: number,
  filter: {
    customer_id: string | null;
    status: SubscriptionStatus | null;
    /** The plan of now: an id, or the key of all versions, which counts the custom plans that are based on them. */
    plan_id: string | null;
    /** True: parked subscriptions only. False: all others only. */
    waits: boolean | null;
    before: string | null;
    limit: number;
  },
): Promise<Subscription[]> {
  const { rows } = await db.query<SubscriptionRow>(
    `${SELECT} where s.environment_id = $1
       and ($2::text is null or c.external_id = $2 or c.id = $2)
       and ($3::text is null or ${STATUS} = $3)
       and ($4::text is null or s.id < $4)
       and ($5::boolean is null or (s.attention is not null) = $5)
       and ($6::text is null or ${PLAN_NOW} in (
         select id from plans where environment_id = $1 and $6 in (id, key)
         union all
         select custom.id from plans base
         join plans custom on custom.environment_id = base.environment_id and custom.based_on = base.id
         where base.environment_id = $1 and base.key = $6))
     order by s.id desc limit $7`,
    [
      environment_id,
      filter.customer_id,
      filter.status,
      filter.before,
      filter.waits,
      filter.plan_id,
      filter.limit,
    ],
  );
  return rows.map(subscriptionOf);
}

/** The columns of a new subscription. */
const NEW_SUBSCRIPTION = [
  ...(['id', 'customer_id', 'plan_id', 'start_date', 'trial_end_date', 'billing_anchor'] as const),
  ...(['anchor_is_day', 'timezone', 'created_at', 'bill_at'] as const),
];

export type NewSubscription = Pick<Subscription & PlanSchedule, (typeof NEW_SUBSCRIPTION)[number]>;

/**
 * Stores a subscription, and the dimensions of its plan, by which the rollup then adds up. The caller checks references
 * and dates, and opens the first period.
 */
export async function insertSubscription(
  db: Db,
  environment_id: number,
  subscription: NewSubscription,
): Promise<void> {
  const { values, parameter } = createParameters();
  const fields = NEW_SUBSCRIPTION.map((name) => subscription[name]);
  await db.query(
    `insert into subscriptions (environment_id, ${NEW_SUBSCRIPTION.join(', ')})
     values (${[environment_id, ...fields].map(parameter).join(', ')})`,
    values,
  );
  await addDimensions(db, environment_id, subscription);
}

/** Lets the rollup add up the customer's usage by the dimensions of a plan too. */
export async function addDimensions(
  db: Db,
  environment_id: number,
  { customer_id, plan_id }: { customer_id: string; plan_id: string },
): Promise<void> {
  await db.query(
    `insert into usage_dimensions (environment_id, customer_key, event_name, property)
     select distinct h.environment_id, c.key, h.event_name, d.property
     from charges h
     join customers c on c.environment_id = $1 and c.id = $2
     cross join lateral charge_dimensions(h.filters, h.pricing, h.group_by) as d(property)
     where h.environment_id = $1 and h.plan_id = $3
     on conflict do nothing`,
    [environment_id, customer_id, plan_id],
  );
}

/**
 * A plan for a customer in [from, to); null is without end. `subscription_id` is the subscription that gets it, null
 * for a new one.
 */
export type WantedPlan = {
  customer_id: string;
  plan_id: string;
  from: string;
  to: string | null;
  subscription_id: string | null;
};

/**
 * Another subscription of the customer that bills an event name of the plan at an instant of its time; null if there is
 * none. Two such subscriptions would bill every event twice. Flat charges count no events. The caller holds the
 * customer's lock.
 */
export async function findOverlap(
  db: Db,
  environment_id: number,
  { customer_id, plan_id, from, to, subscription_id }: WantedPlan,
): Promise<{ subscription_id: string; event_name: string } | null> {
  const { rows } = await db.query<{ subscription_id: string; event_name: string }>(
    `select s.id as subscription_id, theirs.event_name
     from subscriptions s
     cross join lateral (
       select plan_id, begins_at, ends_at from subscription_plans
       where environment_id = s.environment_id and subscription_id = s.id) as p
     join charges theirs on theirs.environment_id = s.environment_id and theirs.plan_id = p.plan_id
     join charges ours on ours.environment_id = s.environment_id and ours.plan_id = $3
       and ours.event_name = theirs.event_name
     where s.environment_id = $1 and s.customer_id = $2 and s.id is distinct from $6
       and least(p.ends_at, coalesce(s.cancel_at, 'infinity'), coalesce($5::timestamptz, 'infinity'))
         > greatest($4::timestamptz, s.start_date, p.begins_at)
       and ${isMeteredCharge('theirs')} and ${isMeteredCharge('ours')}
     limit 1`,
    [environment_id, customer_id, plan_id, from, to, subscription_id],
  );
  return rows[0] ?? null;
}
