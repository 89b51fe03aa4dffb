import { createParameters } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { eventsNotRolledUp, readPositions, UNROLLED_READ_MAX } from '../events/rollup.ts';

/** The first steps that an environment has taken; a key counts once it is used. */
export type FirstSteps = Record<'key' | 'customer' | 'plan' | 'subscription' | 'event' | 'invoice', boolean>;

/** The first steps of an environment. */
export async function readFirstSteps(db: Db, environment_id: number): Promise<FirstSteps> {
  const { rows } = await db.query<FirstSteps>(
    `select exists (select 1 from api_keys where environment_id = $1 and last_used_at is not null) as key,
       exists (select 1 from customers where environment_id = $1) as customer,
       exists (select 1 from plans where environment_id = $1) as plan,
       exists (select 1 from subscriptions where environment_id = $1) as subscription,
       exists (select 1 from events where environment_id = $1) as event,
       exists (select 1 from invoices where environment_id = $1) as invoice`,
    [environment_id],
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
