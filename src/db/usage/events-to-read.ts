import type { Period } from '../../domain/period.ts';
import type { Db } from '../connection/pool.ts';
import type { Subscription } from '../../domain/subscription.ts';

/**
 * Estimates how many events a bill of the period may have to read: those of the charges that daily totals may not serve (filters, prices,
 * groups, `unique`, `latest`), in the period and in one of its length before it, for the wait that begins with the period. Reads daily
 * totals alone, and nothing where no charge of the plan is of these.
 */
export async function eventsToRead(
  db: Db,
  { environment_id, customer_key, plan_id }: Subscription,
  { period_start, period_end }: Pick<Period, 'period_start' | 'period_end'>,
): Promise<number> {
  const { rows } = await db.query<{ events: number }>(
    `select coalesce(sum(events), 0)::float8 as events from usage_days
     where customer_key = $1 and property = '' and event_name in (
         select event_name from charges where environment_id = $2 and plan_id = $3 and
           (aggregation ->> 'type' in ('unique', 'latest') or filters is not null or group_by is not null
             or pricing ? 'prices'))
       and day >= $4::timestamptz - ($5::timestamptz - $4::timestamptz) and day < $5`,
    [customer_key, environment_id, plan_id, period_start, period_end],
  );
  return rows[0]!.events;
}
