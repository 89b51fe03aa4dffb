import type { Aggregation } from '../../domain/pricing/charge.ts';
import { daysAgo } from '../archive/watermark.ts';
import { byIndex } from '../connection/by-index.ts';
import { RECOUNTS, shown } from './full-periods.ts';
import { byCode, codePart, firstFaults, type EventQuery, type UnitFault } from './invariant.ts';
import { countedBy, IN_SPAN, OF_CUSTOMER, OF_SERIES, SPANS, WANTED } from './partition.ts';

/**
 * Checks only periods whose late window closed within this many days, so that the cost of a check does not grow with
 * age.
 */
const CLOSED_WITHIN_DAYS = 100;

/**
 * SQL: compares what a closed period bills with a recount of all its events stored in time, whether or not a line holds
 * them, and of the events stored too late that a line holds nevertheless. Parameters: an aggregation in $4, the instant
 * from which on windows closed in $5.
 */
function owedBy(type: Aggregation['type']): EventQuery {
  const { quantity, value } = RECOUNTS[type];
  return {
    tables: `
    closed as materialized (
      select unit.place, p.environment_id, p.subscription_id, p.full_period_start, max(p.period_end) as ends_at,
        min(p.late_usage_until) as late_usage_until
      from unit
      join periods p on p.environment_id = unit.environment_id and p.subscription_id = unit.subscription_id
        and p.full_period_start = unit.full_period_start and p.kind = 'billing'
      group by unit.place, p.environment_id, p.subscription_id, p.full_period_start
      having bool_and(coalesce(p.late_window_closed_at > $5 and p.late_usage_until is not null, false))
    ), billed as materialized (
      select w.*, l.charge_id, l.series, sum(l.quantity) as quantity
      from closed w
      join line_items l on l.environment_id = w.environment_id and l.subscription_id = w.subscription_id
        and l.full_period_start = w.full_period_start and l.type in ('usage', 'late_usage')
      join charges h on h.environment_id = l.environment_id and h.id = l.charge_id and h.aggregation ->> 'type' = $4
      join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status in ('open', 'paid')
      group by w.place, w.environment_id, w.subscription_id, w.full_period_start, w.ends_at, w.late_usage_until,
        l.charge_id, l.series
    ), owed as materialized (
      select row_number() over () as number, b.*, ${countedBy('b')}, (
        select jsonb_agg(to_jsonb(span)) from (${SPANS}
          where l.environment_id = b.environment_id and l.subscription_id = b.subscription_id
            and l.charge_id = b.charge_id and l.series = b.series
            and l.full_period_start = b.full_period_start) as span) as spans
      from billed b
      join charges h on h.environment_id = b.environment_id and h.id = b.charge_id
      join subscriptions s on s.environment_id = b.environment_id and s.id = b.subscription_id
      join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
        and b.full_period_start >= coalesce(c.archived_to, '-infinity')
    ), stored as materialized (
      select span.number, e.id, e.timestamp, e.created_at, e.epoch, e.created_xid, ${value} as value,
        case when e.created_at >= span.late_usage_until then coalesce(span.spans, '[]') end as too_late_but_in
      from owed as span join events e on ${OF_CUSTOMER}
        and e.timestamp >= span.full_period_start and e.timestamp < span.ends_at and ${WANTED} and ${OF_SERIES}
    ), recount as materialized (
      select e.number, ${quantity} as quantity from stored e
      where e.too_late_but_in is null or exists (
        select from jsonb_to_recordset(e.too_late_but_in) as span(timestamp_from timestamptz, timestamp_to timestamptz,
          stored_from timestamptz, stored_to timestamptz, up_to_epoch integer, up_to_snapshot pg_snapshot,
          after_epoch integer, after_snapshot pg_snapshot)
        where ${IN_SPAN})
      group by e.number
    )`,
    faults: `
    select place, format('charge %s of subscription %s, period from %s', charge_id, subscription_id, full_period_start)
      as "row",
      format('bills %s, but its events in time have the quantity %s', trim_scale(b.quantity),
        ${shown('recount.quantity')}) as what
    from owed b full join recount using (number)
    where ${shown('recount.quantity')} is distinct from b.quantity`,
  };
}

/** Completeness of billing when a period's late window closes. */
export const LATE_WINDOW_INVARIANTS = [
  byCode(
    'I35',
    'A period that is closed for late usage has billed all its events that were stored in time.',
    [
      codePart('full_period', async (db, units, { limit }) => {
        const closed_after = await daysAgo(db, CLOSED_WITHIN_DAYS);
        return byIndex(db, async () => {
          const faults: UnitFault[] = [];
          for (const type of Object.keys(RECOUNTS) as Aggregation['type'][]) {
            const scope = { kind: 'full_period', units, limit } as const;
            faults.push(...(await firstFaults(db, owedBy(type), scope, [type, closed_after])));
          }
          return faults;
        });
      }),
    ],
  ),
];
