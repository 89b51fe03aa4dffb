import { MODELS, PRICING_MODELS } from '../../domain/pricing/definitions.ts';
import { isOfNone } from '../subscriptions/charges.ts';
import { bySql } from './invariant.ts';

const FALLING_MODELS = PRICING_MODELS.filter((model) => MODELS[model].may_fall);

/** SQL: true if the event `e` lies in the span `span`, a row of SPANS. */
export const IN_SPAN = `
  e.timestamp >= span.timestamp_from and e.timestamp < span.timestamp_to
  and (span.stored_from is null or e.created_at >= span.stored_from)
  and (span.stored_to is null or e.created_at < span.stored_to)
  and event_in_cut_off(e.epoch, e.created_xid, span.up_to_epoch, span.up_to_snapshot)
  and (span.after_epoch is null
    or not event_in_cut_off(e.epoch, e.created_xid, span.after_epoch, span.after_snapshot))`;

/**
 * SQL: true if the charge `h` counts the event `e`, which belongs to its environment and customer. By the functions of
 * the database, which are a copy of src/db/usage/series.ts on purpose: they check what is billed by it.
 */
export const WANTED = `
  e.event_name = h.event_name and (h.filters is null or event_matches(e.properties, h.filters))
  and coalesce(event_price(e.properties, h.pricing -> 'prices') <> -1, true)`;

/**
 * SQL: true if the event `e` of the charge `h` is of the price and group of the line of `alias`, which has a line's
 * series and charge.
 */
export function ofSeries(alias: string): string {
  return `(not h.pricing ? 'prices' and h.group_by is null
    or event_in_series(e.properties, h.pricing, h.group_by, ${alias}.series, (
    select jsonb_agg(g.series) from line_groups g
    where g.environment_id = ${alias}.environment_id and g.subscription_id = ${alias}.subscription_id
      and g.charge_id = ${alias}.charge_id and g.full_period_start = ${alias}.full_period_start)))`;
}

/** SQL: spans, with their cut-offs, of the lines on invoices that are not void. */
export const SPANS = `
  select l.environment_id, l.subscription_id, l.charge_id, l.series, l.full_period_start, l.id as line_item_id,
    p.position, p.timestamp_from, p.timestamp_to, p.stored_from, p.stored_to,
    u.epoch as up_to_epoch, u.snapshot as up_to_snapshot, a.epoch as after_epoch, a.snapshot as after_snapshot
  from line_item_spans p
  join line_items l on l.environment_id = p.environment_id and l.id = p.line_item_id
  join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void'
  join cut_offs u on u.environment_id = p.environment_id and u.id = p.up_to_cut_off_id
  left join cut_offs a on a.environment_id = p.environment_id and a.id = p.after_cut_off_id`;

/**
 * SQL for a lateral join: events of the span `span` that the charge `h` counts for its customer `c`. `offset 0` forces
 * one index scan per span, whatever numbers of spans and events the planner expects.
 */
export const HELD_EVENTS = `(
  select e.* from events e
  where e.customer_key = c.key and e.environment_id = span.environment_id and ${IN_SPAN} and ${WANTED}
    and ${ofSeries('span')}
  offset 0)`;

/** SQL: the length of a whole period of a subscription, of the longest of its plans. */
const intervalOf = (subscription: string) => `(
      select max((n.interval_count || ' ' || n.interval)::interval)
      from subscription_plans x join plans n on n.environment_id = x.environment_id and n.id = x.plan_id
      where x.environment_id = ${subscription}.environment_id and x.subscription_id = ${subscription}.id)`;

/**
 * SQL: events that two spans hold. Reads events only where spans of one charge and customer overlap in time, usually
 * because late usage was billed. Finds overlaps in one sorted pass: an island begins where a span starts at or after
 * the latest end of all spans before it. Compares the spans of the full period with those of all subscriptions of the
 * customer that may overlap it: they begin at most one interval earlier. What is after the end of its subscription, no
 * line holds any more.
 */
const BILLED_TWICE = `
  with near as materialized (
    select l.environment_id, l.id
    from subscriptions s
    join subscriptions o on o.environment_id = s.environment_id and o.customer_id = s.customer_id
    join line_items l on l.environment_id = o.environment_id and l.subscription_id = o.id
      and l.full_period_start > unit.full_period_start - ${intervalOf('o')} - interval '1 day'
      and l.full_period_start < unit.full_period_start + ${intervalOf('s')} + interval '1 day'
      and l.charge_id = any(array(
        select h.charge_id from line_items h
        where h.environment_id = unit.environment_id and h.subscription_id = unit.subscription_id
          and h.full_period_start = unit.full_period_start))
    where s.environment_id = unit.environment_id and s.id = unit.subscription_id
  ), sorted as (
    select s.*, b.customer_id, b.cancel_at, coalesce(s.timestamp_from >= max(s.timestamp_to) over (
      partition by s.environment_id, s.charge_id, s.series, b.customer_id
      order by s.timestamp_from, s.line_item_id, s.position
      rows between unbounded preceding and 1 preceding), true) as begins_island
    from near
    cross join lateral (${SPANS} where l.environment_id = near.environment_id and l.id = near.id offset 0) as s
    join subscriptions b on b.environment_id = s.environment_id and b.id = s.subscription_id
  ), island as (
    select *, count(*) filter (where begins_island) over (
      partition by environment_id, charge_id, series, customer_id
      order by timestamp_from, line_item_id, position) as island
    from sorted
  ), suspect as (
    select *, count(*) over (partition by environment_id, charge_id, series, customer_id, island) as spans from island
  )
  select format('event %s, charge %s, line items %s', e.id, h.id,
    string_agg(span.line_item_id, ', ' order by span.line_item_id))
      as "row",
    format('is in %s spans', count(*)) as what
  from suspect as span
  join charges h on h.environment_id = span.environment_id and h.id = span.charge_id
  join customers c on c.environment_id = span.environment_id and c.id = span.customer_id
  cross join lateral ${HELD_EVENTS} as e
  where span.spans > 1 and coalesce(e.timestamp < span.cancel_at, true)
  group by e.id, h.id
  having count(*) > 1 and bool_or(span.subscription_id = unit.subscription_id
    and span.full_period_start = unit.full_period_start)`;

/**
 * SQL: events that the newest ordinary line of a charge and full period should hold: those up to its cut-off that no
 * line holds. Skips full periods in which a line was voided without replacement, or a late line was voided. Skips
 * models whose price may fall, and aggregations that do not count event by event, because a draft drops a late line
 * whose amount is zero or less. A line with one plain span over its full period cannot leave events out, so events are
 * read for the few other lines only.
 */
const LEFT_OUT = `
  with line as (
    select distinct on (l.charge_id, l.subscription_id, l.full_period_start)
      l.*, u.epoch as up_to_epoch, u.snapshot as up_to_snapshot
    from line_items l
    join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void'
      and not i.is_stale
    join line_item_spans p on p.environment_id = l.environment_id and p.line_item_id = l.id
    join cut_offs u on u.environment_id = p.environment_id and u.id = p.up_to_cut_off_id
    where l.environment_id = unit.environment_id and l.subscription_id = unit.subscription_id
      and l.full_period_start = unit.full_period_start and l.type = 'usage'
    order by l.charge_id, l.subscription_id, l.full_period_start, u.id desc
  ), unclear as materialized (
    select line.* from line
    where exists (
      select from line_item_spans p where p.environment_id = line.environment_id and p.line_item_id = line.id
        and (p.after_cut_off_id is not null or p.stored_from is not null or p.stored_to is not null
          or p.timestamp_from <> line.full_period_start or p.timestamp_to <> line.period_end)
    ) and not exists (
      select from line_items v
      join invoices w on w.environment_id = v.environment_id and w.id = v.invoice_id and w.status = 'void'
      where v.environment_id = line.environment_id and v.subscription_id = line.subscription_id
        and v.charge_id = line.charge_id and v.full_period_start = line.full_period_start
        and (v.type = 'late_usage' or w.replaced_by is null)
      offset 0
    )
  )
  select format('event %s, charge %s, line item %s', left_out.id, h.id, unclear.id) as "row",
    'was stored before the cut-off of the line item, but is on no line item' as what
  from unclear
  join charges h on h.environment_id = unclear.environment_id and h.id = unclear.charge_id
    and h.aggregation ->> 'type' = 'count' and ${isOfNone(FALLING_MODELS, 'h')}
  join subscriptions b on b.environment_id = unclear.environment_id and b.id = unclear.subscription_id
  join customers c on c.environment_id = b.environment_id and c.id = b.customer_id
  cross join lateral (
    select e.id from events e
    where e.customer_key = c.key and e.environment_id = unclear.environment_id
      and e.timestamp >= unclear.full_period_start and e.timestamp < least(unclear.period_end, b.cancel_at)
      and event_in_cut_off(e.epoch, e.created_xid, unclear.up_to_epoch, unclear.up_to_snapshot) and ${WANTED}
    except
    select e.id from (${SPANS}
      where l.environment_id = unclear.environment_id and l.subscription_id = unclear.subscription_id
        and l.charge_id = unclear.charge_id and l.full_period_start = unclear.full_period_start) as span
    cross join lateral ${HELD_EVENTS} as e
  ) as left_out`;

/**
 * Partition of usage. The status of an event that is not billed (pending, late, too late, unrated) is computed, not
 * stored.
 */
export const PARTITION_INVARIANTS = [
  bySql(
    'I5',
    'Each event that a charge counts is in at most one span of its non-void line items, and each line item includes all unbilled events up to its cut-off.',
    { full_period: [BILLED_TWICE, LEFT_OUT] },
  ),
];
