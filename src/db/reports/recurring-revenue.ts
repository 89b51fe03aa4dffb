import {
  monthlyAmount,
  monthlyQuantities,
  type MonthlyQuantities,
} from '../../domain/pricing/monthly-amount.ts';
import type { Interval } from '../../domain/time/period.ts';
import type { RecurringMovementType, RecurringRevenueMovement } from '../../objects/recurring-revenue.ts';
import { createParameters, type Parameter } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import { chargesOfPlans, isMeteredCharge } from '../subscriptions/charges.ts';

/** The amount that a subscription with a plan brings a month; where it follows quantities, what it is made of. */
type PlanAmount = {
  plan_id: string;
  currency: string;
  amount: string;
  quantities: MonthlyQuantities | null;
};

/** Ends of months in order, at each of which the recurring revenue of a customer is looked at. */
export type RecurringQuery = {
  environment_id: number;
  customer_id: string | null;
  ends: readonly string[];
};

/** Movements of one type in one month: their sum, and the number of their customers. */
export type RecurringSum = {
  /** Place in `ends`. */
  at_end: number;
  currency: string;
  type: RecurringMovementType;
  amount: string;
  customers: number;
};

/** When the first subscription is billed from; null if there is none. */
export async function firstBillingStart(
  db: Db,
  { environment_id, customer_id }: Omit<RecurringQuery, 'ends'>,
): Promise<string | null> {
  const { rows } = await db.query<{ first: string | null }>(
    `select min(coalesce(s.trial_end_date, s.start_date)) as first
     from subscriptions s join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
     where s.environment_id = $1 and ($2::text is null or $2 in (c.external_id, c.id))`,
    [environment_id, customer_id],
  );
  return rows[0]!.first;
}

/** The amounts a month of all plans with flat charges. */
async function planAmounts(db: Db, environment_id: number): Promise<PlanAmount[]> {
  const { rows: plans } = await db.query<{
    id: string;
    currency: string;
    interval: Interval;
    interval_count: number;
  }>(
    `select p.id, p.currency, p.interval, p.interval_count from plans p
     where p.environment_id = $1 and exists (
       select from charges h where h.environment_id = p.environment_id and h.plan_id = p.id
         and not (${isMeteredCharge('h')}))`,
    [environment_id],
  );
  const charges = await chargesOfPlans(
    db,
    environment_id,
    plans.map(({ id }) => id),
  );
  return plans.map(({ id: plan_id, ...terms }) => ({
    plan_id,
    currency: terms.currency,
    amount: monthlyAmount(charges.get(plan_id) ?? [], terms),
    quantities: monthlyQuantities(charges.get(plan_id) ?? [], terms),
  }));
}

/**
 * SQL: the amount a month of the subscription `s` by the quantities that hold at an instant, from what
 * `plan.quantities` has.
 */
const AMOUNT_BY_QUANTITIES = `round((f.others + (
    select sum(round(fee.flat_amount * coalesce((
      select q.quantity from quantity_changes q
      where q.environment_id = s.environment_id and q.subscription_id = s.id and q.event_name = fee.event_name
        and q.at <= x.at order by q.at desc limit 1), 1), f.minor_digits))
    from jsonb_to_recordset(f.fees) as fee(event_name text, flat_amount numeric))) * f.times / f.over, f.minor_digits)`;

/**
 * SQL: the spans `p` of the plan `y` of a subscription, each with its amount a month: one for each of its quantities.
 */
const SPANS = `
  select y.begins_at, y.ends_at, plan.amount where plan.quantities is null
  union all
  select greatest(y.begins_at, x.at), least(y.ends_at, x.until), ${AMOUNT_BY_QUANTITIES}
  from (
    select b.at, coalesce(lead(b.at) over (order by b.at), 'infinity') as until
    from (
      select '-infinity'::timestamptz as at
      union
      select q.at from quantity_changes q
      where q.environment_id = s.environment_id and q.subscription_id = s.id) as b) as x
  cross join jsonb_to_record(plan.quantities) as f(others numeric, fees jsonb, times numeric, over numeric,
    minor_digits integer)
  where plan.quantities is not null`;

/** SQL: from when and until when the subscription `s` has the plan of the span `p` and is billed. */
const BILLED_FROM = 'greatest(p.begins_at, coalesce(s.trial_end_date, s.start_date))';
const BILLED_TO = `least(p.ends_at, coalesce(s.cancel_at, 'infinity'))`;

/**
 * SQL: a CTE `movement` of each customer, currency and month whose end finds another amount than that of the month
 * before. A month that is not over is looked at as it is by the customer's now, so that what is scheduled is left out.
 * A span counts at the ends that are after its beginning and not after its own end: the last instant of a month is the
 * one before its end.
 */
async function movementsOf(
  db: Db,
  { environment_id, customer_id, ends }: RecurringQuery,
  parameter: Parameter,
): Promise<string> {
  const amounts = parameter(JSON.stringify(await planAmounts(db, environment_id)));
  const ends_of_months = `${parameter(ends)}::timestamptz[]`;
  const customer = parameter(customer_id);
  return `with plan as (
       select plan_id, currency, amount, nullif(quantities, 'null') as quantities
       from jsonb_to_recordset(${amounts}) as a(plan_id text, currency text, amount numeric, quantities jsonb)
     ), term as (
       select s.customer_id, plan.currency, p.amount, width_bucket(${BILLED_FROM}, ${ends_of_months}) as from_end,
         case when ${BILLED_TO} <= ${CUSTOMER_NOW} then width_bucket(${BILLED_TO}, ${ends_of_months}) end as to_end
       from subscriptions s
       join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
       join subscription_plans y on y.environment_id = $1 and y.subscription_id = s.id
       join plan on plan.plan_id = y.plan_id
       cross join lateral (${SPANS}) as p
       where s.environment_id = $1 and (${customer}::text is null or ${customer} in (c.external_id, c.id))
         and ${BILLED_FROM} < ${BILLED_TO} and ${BILLED_FROM} <= ${CUSTOMER_NOW} and p.amount > 0
     ), change as (
       select customer_id, currency, at_end, sum(amount) as difference from (
         select customer_id, currency, from_end as at_end, amount from term
         union all
         select customer_id, currency, to_end, -amount from term where to_end is not null
       ) as x group by 1, 2, 3 having sum(amount) <> 0
     ), amount as (
       select customer_id, currency, at_end, sum(difference) over changes - difference as before,
         sum(difference) over changes as after, row_number() over changes = 1 as is_first
       from change window changes as (partition by customer_id, currency order by at_end)
     ), movement as (
       select customer_id, currency, at_end, before, after, case
         when before = 0 then case when is_first then 'new' else 'reactivation' end
         when after = 0 then 'churn' when after > before then 'expansion' else 'contraction' end as type
       from amount where at_end < cardinality(${ends_of_months}))`;
}

/** The movements up to the last of the ends, added up by month, currency and type. */
export async function sumMovements(db: Db, query: RecurringQuery): Promise<RecurringSum[]> {
  const { values, parameter } = createParameters([query.environment_id]);
  const { rows } = await db.query<RecurringSum>(
    `${await movementsOf(db, query, parameter)}
     select at_end, currency, type, sum(after - before)::text as amount, count(*)::integer as customers
     from movement group by 1, 2, 3 order by 1, 2, 3`,
    values,
  );
  return rows;
}

/** A movement, with its place in the list: its size, and the id of its customer. */
export type MovementRow = RecurringRevenueMovement & { id: string };

/** Movements of the month that ends last, the greatest first; `before` is the id of the last row of the page before. */
export async function listMovements(
  db: Db,
  query: RecurringQuery & {
    currency: string;
    type: RecurringMovementType | null;
    before: string | null;
    limit: number;
  },
): Promise<MovementRow[]> {
  const { values, parameter } = createParameters([query.environment_id]);
  const movements = await movementsOf(db, query, parameter);
  const [last_size = null, last_customer = null] = query.before?.split(' ') ?? [];
  const [size, customer] = [parameter(last_size), parameter(last_customer)];
  const type = parameter(query.type);
  const { rows } = await db.query<MovementRow>(
    `${movements}, listed as (
       select m.*, abs(m.after - m.before) as size from movement m
       where m.at_end = ${parameter(query.ends.length - 1)} and m.currency = ${parameter(query.currency)}
         and (${type}::text is null or m.type = ${type}))
     select l.size || ' ' || c.id as id, c.external_id as customer_id, c.name, l.type, l.before::text as before,
       l.after::text as after
     from listed l join customers c on c.environment_id = $1 and c.id = l.customer_id
     where ${size}::numeric is null or (-l.size, c.id) > (-${size}::numeric, ${customer})
     order by l.size desc, c.id limit ${parameter(query.limit)}`,
    values,
  );
  return rows;
}
