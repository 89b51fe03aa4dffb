import { createParameters } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { eventsNotRolledUp, readPositions, UNROLLED_READ_MAX } from '../events/rollup.ts';
import { FIRST_NAME } from './accounts.ts';

/**
 * The first steps that an environment has taken; a key counts once it is used, the seller once it lacks nothing, and
 * finance once two people may do its work.
 */
export type FirstSteps = Record<
  'key' | 'customer' | 'plan' | 'subscription' | 'event' | 'seller' | 'finance' | 'invoice',
  boolean
>;

/** The first steps of an environment, with what its seller lacks, and whether any invoice has been issued. */
export type Start = FirstSteps & { seller_lacks: SellerLack[]; has_issued: boolean };

/** Members of the seller that no document should be without; an account begins with a name that is none. */
export const SELLER_LACKS = ['name', 'address', 'tax_ids'] as const;
export type SellerLack = (typeof SELLER_LACKS)[number];

/** Reads how far an environment is. */
export async function readStart(db: Db, environment_id: number): Promise<Start> {
  const { rows } = await db.query<Start>(
    `select exists (select 1 from api_keys where environment_id = $1 and last_used_at is not null) as key,
       exists (select 1 from customers where environment_id = $1) as customer,
       exists (select 1 from plans where environment_id = $1) as plan,
       exists (select 1 from subscriptions where environment_id = $1) as subscription,
       exists (select 1 from events where environment_id = $1) as event,
       cardinality(lacks.of_seller) = 0 as seller,
       (select count(*) from users u where u.account_id = n.account_id and u.role in ('finance', 'admin')
          and u.status <> 'removed') >= 2 as finance,
       exists (select 1 from invoices where environment_id = $1) as invoice,
       lacks.of_seller as seller_lacks,
       exists (select 1 from invoices where environment_id = $1 and issued_at is not null) as has_issued
     from environments n cross join lateral (
       select array_remove(array[case when n.name = $2 then 'name' end, case when n.address is null then 'address' end,
         case when n.tax_ids = '[]' then 'tax_ids' end], null) as of_seller) as lacks
     where n.id = $1`,
    [environment_id, FIRST_NAME],
  );
  return rows[0]!;
}

/**
 * Number of events on each of the last `days` days, today included, earliest first; by timestamp in UTC. Scans a
 * limited number of events that are not rolled up: if the worker is far behind, the counts of recent days are too low.
 */
export async function countEventsByDay(
  db: Db,
  environment_id: number,
  days: number,
): Promise<{ day: string; count: string }[]> {
  const { values, parameter } = createParameters([environment_id, days]);
  const source = eventsNotRolledUp(await readPositions(db), UNROLLED_READ_MAX);
  const { rows } = await db.query<{ day: string; count: string }>(
    `with recent as materialized (select environment_id, timestamp from ${source(parameter)} as e), counted as (
       select day, events from event_days where environment_id = $1
       union all
       select date_trunc('day', timestamp, 'UTC'), 1 from recent where environment_id = $1
     )
     select to_char(day, 'YYYY-MM-DD') as day, coalesce(sum(events), 0)::text as count
     from generate_series(date_trunc('day', now(), 'UTC') - ($2 - 1) * interval '1 day', now(), interval '1 day') as day
     left join counted using (day) group by day order by day`,
    values,
  );
  return rows;
}

/**
 * Number of events on the days after today, by timestamp in UTC: in test data, what customers did by test clocks that
 * are ahead of real time. Of events that are not rolled up, as many are read as countEventsByDay reads.
 */
export async function countEventsAhead(db: Db, environment_id: number): Promise<string> {
  const { values, parameter } = createParameters([environment_id]);
  const source = eventsNotRolledUp(await readPositions(db), UNROLLED_READ_MAX);
  const { rows } = await db.query<{ count: string }>(
    `with recent as materialized (select environment_id, timestamp from ${source(parameter)} as e), counted as (
       select day, events from event_days where environment_id = $1
       union all
       select date_trunc('day', timestamp, 'UTC'), 1 from recent where environment_id = $1
     )
     select coalesce(sum(events), 0)::text as count from counted where day > date_trunc('day', now(), 'UTC')`,
    values,
  );
  return rows[0]!.count;
}

/**
 * The range of `days` days up to the end of today (UTC); in test data up to the end of the day after the clock that is
 * furthest ahead of real time, because an event may be a day ahead of it.
 */
export async function rangeOfHome(
  db: Db,
  environment_id: number,
  days: number,
): Promise<{ from: string; to: string }> {
  const { rows } = await db.query<{ from: string; to: string }>(
    `select date_trunc('day', now(), 'UTC') - ($2 - 1) * interval '1 day' as from,
       date_trunc('day', case when n.livemode then now() else greatest(now(), (
         select max(c.test_clock) from customers c where c.environment_id = n.id)) + interval '1 day' end, 'UTC')
         + interval '1 day' as to
     from environments n where n.id = $1`,
    [environment_id, days],
  );
  return rows[0]!;
}

/** Parked subscriptions with their reasons, oldest first. */
export async function listAttention(
  db: Db,
  environment_id: number,
  limit: number,
): Promise<{ subscription_id: string; customer_id: string; reason: string }[]> {
  const { rows } = await db.query<{ subscription_id: string; customer_id: string; reason: string }>(
    `select s.id as subscription_id, c.external_id as customer_id, s.attention as reason
     from subscriptions s join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
     where s.environment_id = $1 and s.finished_at is null and s.attention is not null order by s.id limit $2`,
    [environment_id, limit],
  );
  return rows;
}
