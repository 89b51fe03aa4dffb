import { MODELS, PRICING_MODELS } from '../../domain/pricing/definitions.ts';
import { isOfNone } from '../subscriptions/charges.ts';
import { bySql, type EventQuery } from './invariant.ts';

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
 * SQL: the columns of a span, or of lines, by which WANTED, OF_SERIES and HELD find the events that its charge `h`
 * counts for its customer `c`. `lines` has the series, charge and full period.
 */
export function countedBy(lines: string): string {
  return `c.key as customer_key, h.event_name, h.filters, h.pricing, h.group_by,
    h.aggregation ->> 'property' as property, case when h.pricing ? 'prices' or h.group_by is not null then (
      select jsonb_agg(g.series) from line_groups g
      where g.environment_id = ${lines}.environment_id and g.subscription_id = ${lines}.subscription_id
        and g.charge_id = ${lines}.charge_id and g.full_period_start = ${lines}.full_period_start) end as own`;
}

/**
 * SQL: true if the charge of `span` counts the event `e`, which belongs to its environment and customer. By the
 * functions of the database, which are a copy of src/db/usage/series.ts on purpose: they check what is billed by it.
 */
export const WANTED = `
  e.event_name = span.event_name and (span.filters is null or event_matches(e.properties, span.filters))
  and coalesce(event_price(e.properties, span.pricing -> 'prices') <> -1, true)`;

/** SQL: true if the event `e` is of the price and group of `span`. */
export const OF_SERIES = `(not span.pricing ? 'prices' and span.group_by is null
  or event_in_series(e.properties, span.pricing, span.group_by, span.series, span.own))`;

/**
 * SQL: true if the event `e` belongs to the customer of `span`. Not by the index of an environment's events, which the
 * planner without statistics thinks as good.
 */
export const OF_CUSTOMER = `e.customer_key = span.customer_key
  and e.environment_id is not distinct from span.environment_id`;

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

/** SQL: true if `span` holds the event `e` and its charge counts it. */
export const HELD = `${OF_CUSTOMER} and ${IN_SPAN} and ${WANTED} and ${OF_SERIES}`;

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
const BILLED_TWICE: EventQuery = {
  tables: `
  suspect as materialized (
    select unit.place, found.*, found.subscription_id = unit.subscription_id
      and found.full_period_start = unit.full_period_start as is_of_unit
    from unit cross join lateral (
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
      )
      select *, count(*) over (partition by environment_id, charge_id, series, customer_id, island) as spans
      from island) as found
    where found.spans > 1
  ), span as materialized (
    select s.*, ${countedBy('s')}
    from suspect s
    join charges h on h.environment_id = s.environment_id and h.id = s.charge_id
    join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
  ), twice as materialized (
    select span.place, e.id, span.charge_id, count(*) as spans,
      string_agg(span.line_item_id, ', ' order by span.line_item_id) as line_items
    from span join events e on ${HELD} and coalesce(e.timestamp < span.cancel_at, true)
    group by span.place, e.key_hash, e.id, span.charge_id
    having count(*) > 1 and bool_or(span.is_of_unit)
  )`,
  faults: `
  select place, format('event %s, charge %s, line items %s', id, charge_id, line_items) as "row",
    format('is in %s spans', spans) as what
  from twice`,
};

/**
 * SQL: events that the newest ordinary line of a charge and full period should hold: those up to its cut-off that no
 * line holds. Skips full periods in which a line was voided without replacement, or a late line was voided. Skips
 * models whose price may fall, and aggregations that do not count event by event, because a draft drops a late line
 * whose amount is zero or less. A line with one plain span over its full period cannot leave events out, so events are
 * read for the few other lines only.
 */
const LEFT_OUT: EventQuery = {
  tables: `
  line as materialized (
    select distinct on (unit.place, l.charge_id)
      unit.place, l.*, u.epoch as up_to_epoch, u.snapshot as up_to_snapshot
    from unit
    join line_items l on l.environment_id = unit.environment_id and l.subscription_id = unit.subscription_id
      and l.full_period_start = unit.full_period_start and l.type = 'usage'
    join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void'
      and not i.is_stale
    join line_item_spans p on p.environment_id = l.environment_id and p.line_item_id = l.id
    join cut_offs u on u.environment_id = p.environment_id and u.id = p.up_to_cut_off_id
    order by unit.place, l.charge_id, u.id desc
  ), unclear as materialized (
    select line.* from line
    where exists (
      select from line_item_spans p where p.environment_id = line.environment_id and p.line_item_id = line.id
        and (p.after_cut_off_id is not null or p.stored_from is not null or p.stored_to is not null
          or p.timestamp_from <> line.full_period_start or p.timestamp_to <> line.period_end)
      offset 0
    ) and not exists (
      select from line_items v
      join invoices w on w.environment_id = v.environment_id and w.id = v.invoice_id and w.status = 'void'
      where v.environment_id = line.environment_id and v.subscription_id = line.subscription_id
        and v.charge_id = line.charge_id and v.full_period_start = line.full_period_start
        and (v.type = 'late_usage' or w.replaced_by is null)
      offset 0
    )
  ), due as materialized (
    select l.place, l.id as of_line, l.environment_id, l.subscription_id, l.charge_id, l.full_period_start,
      least(l.period_end, b.cancel_at) as ends_at, l.up_to_epoch, l.up_to_snapshot, ${countedBy('l')}
    from unclear l
    join charges h on h.environment_id = l.environment_id and h.id = l.charge_id
      and h.aggregation ->> 'type' = 'count' and ${isOfNone(FALLING_MODELS, 'h')}
    join subscriptions b on b.environment_id = l.environment_id and b.id = l.subscription_id
    join customers c on c.environment_id = b.environment_id and c.id = b.customer_id
  ), span as materialized (
    select d.place, d.of_line, d.customer_key, d.event_name, d.filters, d.pricing, d.group_by, d.own, s.*
    from due d cross join lateral (${SPANS}
      where l.environment_id = d.environment_id and l.subscription_id = d.subscription_id
        and l.charge_id = d.charge_id and l.full_period_start = d.full_period_start offset 0) as s
  ), stored as materialized (
    select span.place, span.of_line, span.charge_id, e.id
    from due as span join events e on ${OF_CUSTOMER}
      and e.timestamp >= span.full_period_start and e.timestamp < span.ends_at
      and event_in_cut_off(e.epoch, e.created_xid, span.up_to_epoch, span.up_to_snapshot) and ${WANTED}
  ), held as materialized (
    select span.place, span.of_line, span.charge_id, e.id from span join events e on ${HELD}
  )`,
  faults: `
  select place, format('event %s, charge %s, line item %s', id, charge_id, of_line) as "row",
    'was stored before the cut-off of the line item, but is on no line item' as what
  from (select * from stored except select * from held) as left_out`,
};

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
