import { createParameters } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { eventsNotRolledUp, readPositions, UNROLLED_READ_MAX } from './rollup.ts';

/**
 * UTC days that contain the newest `events` events of a name, from the day of `from` through the day of `to`, possibly
 * more days; in no order. Null if too many events are not rolled up. Reads those events first, so that an event rolled
 * up between the two statements is not missed.
 */
export async function daysOfName(
  db: Db,
  environment_id: number,
  query: { event_name: string; from: string | undefined; to: string | undefined; events: number },
): Promise<string[] | null> {
  const { event_name, from = null, to = null, events } = query;
  const recent = await recentDays(db, environment_id, event_name);
  if (recent === null) return null;
  // Do not count the newest day's events: the page may begin after all of them.
  const { rows } = await db.query<{ day: string }>(
    `select day from (
       select day, sum(events) over (order by day desc rows between unbounded preceding and 1 preceding)
         - first_value(events) over (order by day desc) as newer
       from event_days
       where environment_id = $1 and event_name = $2
         and ($3::timestamptz is null or day >= date_trunc('day', $3, 'UTC'))
         and ($4::timestamptz is null or day <= $4)
     ) as d
     where coalesce(newer, 0) < $5`,
    [environment_id, event_name, from, to, events],
  );
  return [...new Set([...recent, ...rows.map(({ day }) => day)])];
}

async function recentDays(db: Db, environment_id: number, event_name: string): Promise<string[] | null> {
  const { values, parameter } = createParameters([environment_id, event_name, UNROLLED_READ_MAX]);
  const source = eventsNotRolledUp(await readPositions(db), UNROLLED_READ_MAX + 1);
  const { rows } = await db.query<{ days: string[]; is_cut: boolean }>(
    `with recent as materialized (select environment_id, event_name, timestamp from ${source(parameter)} as e)
     select (select count(*) from recent) > $3 as is_cut,
       coalesce(jsonb_agg(distinct instant_text(date_trunc('day', timestamp, 'UTC'))), '[]') as days
     from recent where environment_id = $1 and event_name = $2`,
    values,
  );
  const { days, is_cut } = rows[0]!;
  return is_cut ? null : days;
}
