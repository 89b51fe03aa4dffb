import type { Aggregation } from '../../domain/pricing/charge.ts';
import { RECOUNTS } from './full-periods.ts';
import { byCode, codePart, firstFaults, type UnitFault } from './invariant.ts';
import { IN_SPAN, ofSeries, SPANS, WANTED } from './partition.ts';

/**
 * Checks only periods whose late window closed within this many days, so that the cost of a check does not grow with
 * age.
 */
const CLOSED_WITHIN_DAYS = 100;

/**
 * SQL: compares what a closed period bills with a recount of all its events stored in time, whether or not a line holds
 * them, and of the events stored too late that a line holds nevertheless. Parameters: an aggregation in $4, days in $5.
 */
function owedBy(type: Aggregation['type']): string {
  const { quantity, value } = RECOUNTS[type];
  return `
    with closed as materialized (
      select p.environment_id, p.subscription_id, p.full_period_start, max(p.period_end) as ends_at,
        min(p.late_usage_until) as late_usage_until
      from periods p
      where p.environment_id = unit.environment_id and p.subscription_id = unit.subscription_id
        and p.full_period_start = unit.full_period_start and p.kind = 'billing'
      group by p.environment_id, p.subscription_id, p.full_period_start
      having bool_and(coalesce(p.late_window_closed_at > now() - make_interval(days => $5)
        and p.late_usage_until is not null, false))
    ), billed as materialized (
      select w.*, l.charge_id, l.series, sum(l.quantity) as quantity
      from closed w
      join line_items l on l.environment_id = w.environment_id and l.subscription_id = w.subscription_id
        and l.full_period_start = w.full_period_start and l.type in ('usage', 'late_usage')
      join charges h on h.environment_id = l.environment_id and h.id = l.charge_id and h.aggregation ->> 'type' = $4
      join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status in ('open', 'paid')
      group by w.environment_id, w.subscription_id, w.full_period_start, w.ends_at, w.late_usage_until, l.charge_id,
        l.series
    )
    select format('charge %s of subscription %s, period from %s', b.charge_id, b.subscription_id, b.full_period_start)
      as "row",
      format('bills %s, but its events in time have the quantity %s', trim_scale(b.quantity), in_time.quantity) as what
    from billed b
    join charges h on h.environment_id = b.environment_id and h.id = b.charge_id
    join subscriptions s on s.environment_id = b.environment_id and s.id = b.subscription_id
    join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
      and b.full_period_start >= coalesce(c.archived_to, '-infinity')
    cross join lateral (
      select trim_scale(greatest(coalesce(${quantity}, 0), 0)::numeric) as quantity
      from (
        select e.* from events e
        where e.customer_key = c.key and e.environment_id = b.environment_id
          and e.timestamp >= b.full_period_start and e.timestamp < b.ends_at and ${WANTED} and ${ofSeries('b')}
          and (e.created_at < b.late_usage_until or exists (
            select from (${SPANS}
              where l.environment_id = b.environment_id and l.subscription_id = b.subscription_id
                and l.charge_id = b.charge_id and l.series = b.series
                and l.full_period_start = b.full_period_start) as span
            where ${IN_SPAN}))
        offset 0) as e
      cross join lateral (select ${value} as value) as counted
    ) as in_time
    where in_time.quantity <> b.quantity`;
}

/** Completeness of billing when a period's late window closes. */
export const LATE_WINDOW_INVARIANTS = [
  byCode(
    'I35',
    'A period that is closed for late usage has billed all its events that were stored in time.',
    [
      codePart('full_period', async (db, units, { limit }) => {
        const faults: UnitFault[] = [];
        for (const type of Object.keys(RECOUNTS) as Aggregation['type'][]) {
          const scope = { kind: 'full_period', units, limit } as const;
          faults.push(...(await firstFaults(db, owedBy(type), scope, [type, CLOSED_WITHIN_DAYS])));
        }
        return faults;
      }),
    ],
  ),
];
