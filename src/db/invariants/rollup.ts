import { bySql } from './invariant.ts';

const ROLLED_UP = `
  select e.*, date_trunc('day', e.timestamp, 'UTC') as day from events e
  join epochs p on p.epoch = e.epoch and e.created_xid < p.rolled_up_to`;

/** SQL: leaves out customers that are set aside. Their days are not used, and are rebuilt later. */
const NOT_SET_ASIDE = `customer_key <> all(array(
  select c.key from set_aside s join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
  where s.job = 'rollup'))`;

/** SQL: counts, and the first and last event stored. A bill relies on them to decide whether it may use a day's totals. */
const COUNTED = `
  with day as (
    select customer_key, event_name, day, count(*) as events, min(created_at) as first_stored_at,
      max(created_at) as last_stored_at, max(array[epoch, created_xid::text::numeric]) as last
    from (${ROLLED_UP}) as e group by 1, 2, 3
  )
  select format('customer key %s, %s, %s', customer_key, event_name, day) as "row",
    format('has %s events, but there are %s', d.events, day.events) as what
  from day full join (select * from usage_days where property = '') as d using (customer_key, event_name, day)
  where ${NOT_SET_ASIDE} and (d.events is distinct from day.events or d.first_stored_at <> day.first_stored_at
    or d.last_stored_at <> day.last_stored_at or array[d.last_epoch, d.last_xid::text::numeric] <> day.last)`;

/** SQL: totals of complete rows. Incomplete rows are not used (src/db/usage/daily-usage.ts). */
const ADDED = `
  with added as (
    select d.* from usage_days d
    join usage_days w on w.customer_key = d.customer_key and w.event_name = d.event_name and w.property = '' and w.day = d.day
      and w.events = d.events
    where d.property <> ''
  ), day as (
    select e.customer_key, e.event_name, p.property, e.day, count(*) filter (where value.number is null) as skipped_events,
      sum(value.number) as total, max(value.number) as maximum
    from (${ROLLED_UP}) as e
    join (select distinct environment_id, event_name, property from added) as p
      on p.environment_id = e.environment_id and p.event_name = e.event_name
    cross join lateral (select event_number(e.properties -> p.property) as number offset 0) as value
    group by 1, 2, 3, 4
  )
  select format('customer key %s, %s, %s, %s', customer_key, event_name, property, day) as "row",
    format('has %s, but its events have %s', added.total, day.total) as what
  from added join day using (customer_key, event_name, property, day)
  where ${NOT_SET_ASIDE} and (added.total is distinct from day.total or added.maximum is distinct from day.maximum
    or added.skipped_events <> day.skipped_events)`;

/**
 * SQL: cells of days that have all their events and the same properties in every cell. Other days are not used, or in part by charges
 * that need fewer properties (src/db/usage/daily-usage.ts).
 */
const CELLS = `
  with whole as (
    select c.customer_key, c.event_name, c.day, (array_agg(c."values"))[1] as "values"
    from usage_cells c
    join usage_days d on d.customer_key = c.customer_key and d.event_name = c.event_name and d.property = '' and d.day = c.day
    where c.property = ''
    group by c.customer_key, c.event_name, c.day, d.events
    having sum(c.events) = d.events and count(distinct array(select jsonb_object_keys(c."values") order by 1)) = 1
  ), placed as (
    select e.customer_key, e.event_name, e.day, e.properties, (
        select jsonb_object_agg(name, dimension_value(e.properties -> name)) from jsonb_object_keys(whole."values") as name
      ) as "values"
    from (${ROLLED_UP}) as e join whole using (customer_key, event_name, day)
  ), stored as (
    select c.* from usage_cells c join whole using (customer_key, event_name, day)
  ), cell as (
    select p.customer_key, p.event_name, p.day, p."values", added.property, count(*) as events,
      count(*) filter (where added.property <> '' and value.number is null) as skipped_events,
      sum(value.number) as total, max(value.number) as maximum
    from placed p
    join (select distinct customer_key, event_name, day, property from stored) as added using (customer_key, event_name, day)
    cross join lateral (
      select case when added.property <> '' then event_number(p.properties -> added.property) end as number offset 0) as value
    group by 1, 2, 3, 4, 5
  )
  select format('customer key %s, %s, %s, %s of cell %s', customer_key, event_name, day, property, "values") as "row",
    format('has %s events and %s, but its events are %s and have %s', stored.events, stored.total, cell.events, cell.total) as what
  from stored left join cell using (customer_key, event_name, day, "values", property)
  where ${NOT_SET_ASIDE} and (stored.property = '' or stored.events = cell.events)
    and (stored.events is distinct from cell.events or stored.total is distinct from cell.total
      or stored.maximum is distinct from cell.maximum or stored.skipped_events <> cell.skipped_events)`;

const NAMED = `
  with day as (
    select environment_id, event_name, day, count(*) as events from (${ROLLED_UP}) as e group by 1, 2, 3
  )
  select format('environment %s, %s, %s', environment_id, event_name, day) as "row",
    format('has %s events, but there are %s', d.events, day.events) as what
  from day full join event_days d using (environment_id, event_name, day)
  where d.events is distinct from day.events`;

export const ROLLUP_INVARIANTS = [
  bySql(
    'I33',
    'The daily totals of usage, also by the values of properties, equal the totals of the events of the day, read one by one.',
    COUNTED,
    ADDED,
    CELLS,
    NAMED,
  ),
];
