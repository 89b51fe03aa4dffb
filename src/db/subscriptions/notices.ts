import type { Db } from '../connection/pool.ts';
import { ENDS_AT } from '../credit/credit-draws.ts';
import { CUSTOMER_NOW, DUE_UNTIL, type Whose } from '../customers/customer-now.ts';

/** SQL: how long before its date the environment `n` wants a notice of a kind; null for none. */
const before = (kind: string) => `((n.notice_days ->> ${kind})::integer * interval '24 hours')`;

/** SQL: how long before the end of the period `p` its notice is due. */
const BEFORE_END = before(`case p.kind when 'trial' then 'trial_end' else 'renewal' end`);
const BEFORE_EXPIRY = before(`'credit_expiry'`);

/** SQL: how early a notice may be made by real time: what ends at a date may be over before the next sweep. */
const EARLY = `interval '15 seconds'`;
/** SQL: until when notices are due for the customer `c`. A test clock stops at each. */
const NOTICES_UNTIL = `coalesce(c.test_clock, now() + ${EARLY})`;

/**
 * SQL: a period or a grant of the customer asked about, or of all. Known when it is planned, so that one customer is
 * found by an index.
 */
const ofCustomer = (customer_id: string | null) => (customer_id === null ? '$2::text is null' : 'c.id = $2');
/** SQL: a sweep waits for no row; an advance, which holds the lock of its customer, leaves no row out. */
const unlessLocked = (customer_id: string | null) => (customer_id === null ? 'skip locked' : '');

/**
 * Makes the notices that are due of renewals, ends of trials and expiries of credit (docs/changes.md): notes on the
 * subscription or the grant the date of its last notice, so that the feed has it. Returns how many were due, of the
 * kind with more. Of a date that is past none is made.
 */
export async function noteNotices(db: Db, whose: Whose): Promise<number> {
  const counts: number[] = [];
  for (const environment of await environmentsWithNotices(db)) {
    if (environment.ends_until !== null) counts.push(await noteEnds(db, { ...whose, ...environment }));
    if (environment.expiries_until !== null)
      counts.push(await noteExpiring(db, { ...whose, ...environment }));
  }
  return Math.max(0, ...counts);
}

/**
 * Bounds of the dates that may be due in an environment. A value of its own: the planner takes the index only for a
 * bound that it knows.
 */
type Asked = { id: number; ends_until: string | null; expiries_until: string | null };

/** The environments that want notices. */
async function environmentsWithNotices(db: Db): Promise<Asked[]> {
  const { rows } = await db.query<Asked>(
    `select asked.* from (
       select n.id,
         (${DUE_UNTIL} + ${EARLY} + greatest(${before(`'renewal'`)}, ${before(`'trial_end'`)}))::text as ends_until,
         (${DUE_UNTIL} + ${EARLY} + ${BEFORE_EXPIRY})::text as expiries_until
       from environments n) as asked
     where coalesce(asked.ends_until, asked.expiries_until) is not null order by asked.id`,
  );
  return rows;
}

/** Notes an end that nothing follows on the period alone, so that it is not looked at again. */
async function noteEnds(db: Db, { customer_id, limit, id, ends_until }: Whose & Asked): Promise<number> {
  const { rows } = await db.query<{ due: number }>(
    `with due as (
       select p.environment_id, p.subscription_id, p.period_start, p.period_end, p.kind,
         coalesce(s.cancel_at > p.period_end, true) as is_followed
       from environments n
       join periods p on p.environment_id = n.id and p.closed_at is null and p.kind <> 'late' and not p.end_noted
         and p.period_end <= $4::timestamptz
       join subscriptions s on s.environment_id = p.environment_id and s.id = p.subscription_id
       join customers c on c.environment_id = s.environment_id and c.id = s.customer_id and ${ofCustomer(customer_id)}
       where n.id = $3 and p.period_start <= ${CUSTOMER_NOW} and p.period_end >= ${CUSTOMER_NOW}
         and p.period_end - ${BEFORE_END} <= ${NOTICES_UNTIL}
       limit $1 for no key update of p, s ${unlessLocked(customer_id)}
     ), noted as (
       update periods p set end_noted = true from due
       where p.environment_id = due.environment_id and p.subscription_id = due.subscription_id
         and p.period_start = due.period_start
     ), told as (
       update subscriptions s set
         noted_renewal = case due.kind when 'billing' then due.period_end else s.noted_renewal end,
         noted_trial_end = case due.kind when 'trial' then due.period_end else s.noted_trial_end end
       from due
       where s.environment_id = due.environment_id and s.id = due.subscription_id and due.is_followed
         and due.period_end is distinct from case due.kind when 'trial' then s.noted_trial_end else s.noted_renewal end
     )
     select count(*)::integer as due from due`,
    [limit, customer_id, id, ends_until],
  );
  return rows[0]!.due;
}

async function noteExpiring(
  db: Db,
  { customer_id, limit, id, expiries_until }: Whose & Asked,
): Promise<number> {
  const { rowCount } = await db.query(
    `with due as (
       select g.environment_id, g.id, ${ENDS_AT} as ends_at
       from environments n
       join credit_grants g on g.environment_id = n.id and g.expiry_noted_at is null and g.voided_at is null
         and g.noted_expiry is distinct from ${ENDS_AT}
         and ${ENDS_AT} <= $4::timestamptz
       join customers c on c.environment_id = g.environment_id and c.id = g.customer_id and ${ofCustomer(customer_id)}
       where n.id = $3 and g.remaining > 0 and ${ENDS_AT} >= ${CUSTOMER_NOW}
         and ${ENDS_AT} - ${BEFORE_EXPIRY} <= ${NOTICES_UNTIL}
       limit $1 for no key update of g ${unlessLocked(customer_id)})
     update credit_grants g set noted_expiry = due.ends_at from due
     where g.environment_id = due.environment_id and g.id = due.id`,
    [limit, customer_id, id, expiries_until],
  );
  return rowCount!;
}

/** SQL: the instants `at` at which notices of the customer $2 of the environment $1 are due, past ones too. */
export const NOTICE_TIMES = `
  select greatest(p.period_start, p.period_end - ${BEFORE_END}) as at
  from environments n
  join subscriptions s on s.environment_id = n.id and s.customer_id = $2
  join periods p on p.environment_id = s.environment_id and p.subscription_id = s.id and p.closed_at is null
    and p.kind <> 'late'
  where n.id = $1 and ${BEFORE_END} is not null
  union all
  select ${ENDS_AT} - ${BEFORE_EXPIRY}
  from environments n
  join credit_grants g on g.environment_id = n.id and g.customer_id = $2 and g.expiry_noted_at is null
    and g.voided_at is null and g.remaining > 0
  where n.id = $1`;
