import type { Day } from '../../domain/usage/daily-usage.ts';
import { createParameters } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { eventsNotRolledUp, readPositions, UNROLLED_READ_MAX } from '../events/rollup.ts';

/** A day of an event name. */
export type NamedDay = Day & { event_name: string };

/**
 * Days with events that are not rolled up, by customer_key; without the customers that are set aside, and empty if
 * there are too many such events.
 */
export async function recentDays(
  db: Db,
  queries: readonly { customer_key: string; charges: readonly { event_name: string }[] }[],
): Promise<Map<string, NamedDay[]>> {
  const keys = queries.map(({ customer_key }) => customer_key);
  const names = queries.flatMap(({ charges }) => charges.map(({ event_name }) => event_name));
  type Recent = { customer_key: string; is_cut: boolean; is_set_aside: boolean; days: NamedDay[] };
  const { values, parameter } = createParameters([keys, [...new Set(names)], UNROLLED_READ_MAX]);
  const source = eventsNotRolledUp(await readPositions(db), UNROLLED_READ_MAX + 1);
  const { rows } = await db.query<Recent>(
    `with recent as materialized (select customer_key, event_name, timestamp from ${source(parameter)} as e), found as (
       select distinct customer_key, event_name, date_trunc('day', timestamp, 'UTC') as day from recent
       where customer_key = any($1) and event_name = any($2)
     )
     select asked.customer_key, (select count(*) from recent) > $3 as is_cut, exists (
         select from set_aside s join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
         where s.job = 'rollup' and c.key = asked.customer_key
       ) as is_set_aside, (
         select coalesce(jsonb_agg(jsonb_build_object('event_name', event_name, 'starts_at', instant_text(day),
           'ends_at', instant_text(day + interval '24 hours'))), '[]')
         from found where found.customer_key = asked.customer_key
       ) as days
     from unnest($1::bigint[]) as asked(customer_key)`,
    values,
  );
  const usable = rows.filter(({ is_cut, is_set_aside }) => !is_cut && !is_set_aside);
  return new Map(usable.map(({ customer_key, days }) => [customer_key, days]));
}
