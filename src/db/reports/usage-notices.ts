import { statusOfCause } from '../../domain/usage/billing-cause.ts';
import type { Db } from '../connection/pool.ts';
import { nextDay, type Count } from './counted-causes.ts';

/** Notices of an environment in an hour. */
const NOTICES_MAX = 1000;
/** Statuses of events that need somebody. */
const NOTED = new Set<string>(['unrated', 'late', 'too_late']);

/**
 * Notes new events that no invoice counts, or that came late, for the feed: at most once an hour for a customer, event
 * name and cause, and a thousand an hour in all (changes.md).
 */
export async function noteUsage(db: Db, environment_id: number, counts: readonly Count[]): Promise<void> {
  const noted = counts.filter(({ cause }) => NOTED.has(statusOfCause(cause).status));
  if (noted.length === 0) return;
  await db.query(
    `insert into usage_notices as n (environment_id, customer_id, event_name, cause, events, from_day, to_day, noted_at)
     select $1, c.id, u.event_name, u.cause, sum(u.events), min(u.day), max(u.next_day),
       date_trunc('milliseconds', now())
     from unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::timestamptz[], $7::timestamptz[])
       as u(customer_key, event_name, cause, events, day, next_day)
     join customers c on c.environment_id = $1 and c.key = u.customer_key
     left join usage_notices t on t.environment_id = $1 and t.customer_id = c.id and t.event_name = u.event_name
       and t.cause = u.cause
     where coalesce(t.noted_at, '-infinity') <= now() - interval '1 hour'
     group by c.id, u.event_name, u.cause
     limit greatest(0, ${NOTICES_MAX} - (
       select count(*) from usage_notices where environment_id = $1 and noted_at > now() - interval '1 hour'))
     on conflict (environment_id, customer_id, event_name, cause) do update
       set events = excluded.events, from_day = excluded.from_day, to_day = excluded.to_day,
         noted_at = excluded.noted_at`,
    [
      environment_id,
      ...(['customer_key', 'event_name', 'cause', 'events', 'day'] as const).map((name) =>
        noted.map((count) => count[name]),
      ),
      noted.map(({ day }) => nextDay(day)),
    ],
  );
}
