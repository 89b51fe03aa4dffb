import { phaseAt } from '../../domain/subscription/plan-phase.ts';
import type { Subscription } from '../../domain/subscription/subscription.ts';
import type { Db } from '../connection/pool.ts';

/** A period that a subscription bills. */
export type PeriodToBill = {
  subscription: Pick<Subscription, 'id' | 'customer_key' | 'phases'>;
  period_start: string;
  period_end: string;
};

/**
 * Estimates for each subscription how many events the bill of its period may have to read: those of the charges that
 * daily totals may not serve (filters, prices, groups, `unique`, `latest`), in the period and in one of its length
 * before it. Reads daily totals alone, and nothing where no charge of the plan is of these.
 */
export async function eventsToRead(
  db: Db,
  environment_id: number,
  periods: readonly PeriodToBill[],
): Promise<Map<string, number>> {
  if (periods.length === 0) return new Map();
  const rows_asked = periods.map(
    ({ subscription: { id, customer_key, phases }, period_start, period_end }) => ({
      id,
      customer_key,
      period_start,
      period_end,
      plan_id: phaseAt({ phases }, period_start).plan_id,
    }),
  );
  const { rows } = await db.query<{ id: string; events: number }>(
    `select asked.id, coalesce((
       select sum(d.events) from usage_days d
       where d.customer_key = asked.customer_key and d.property = '' and d.event_name in (
           select event_name from charges where environment_id = $1 and plan_id = asked.plan_id and
             (aggregation ->> 'type' in ('unique', 'latest') or filters is not null or group_by is not null
               or pricing ? 'prices'))
         and d.day > asked.period_start - (asked.period_end - asked.period_start) - interval '1 day'
         and d.day < asked.period_end
     ), 0)::float8 as events
     from jsonb_to_recordset($2) as asked(id text, customer_key bigint, plan_id text, period_start timestamptz,
       period_end timestamptz)`,
    [environment_id, JSON.stringify(rows_asked)],
  );
  return new Map(rows.map(({ id, events }) => [id, events]));
}
