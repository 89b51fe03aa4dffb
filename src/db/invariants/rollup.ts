import { bySql } from './invariant.ts';

const ROLLED_UP = `
  select e.* from events e
  join epochs p on p.epoch = e.epoch and e.created_xid < p.rolled_up_to`;

/** SQL: an event `e` of the unit, by the index of the customer's events. */
const OF_DAY = `e.customer_key = unit.customer_key and e.timestamp between unit.day and unit.until`;

/**
 * SQL: false for customers that are set aside, whose days are not used, and are rebuilt later; and for days whose
 * events are archived: the totals stay, and nothing is left to compare them with.
 */
const NOT_SET_ASIDE = `not exists (
  select from set_aside s join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
  where s.job = 'rollup' and c.key = unit.customer_key)
  and not exists (select from customers c where c.key = unit.customer_key and c.archived_to > unit.day)`;

/**
 * SQL: the stored totals of the unit's day. Finds the customer's names and properties one by one, so that its other
 * days are not read; the index has the day last.
 */
const STORED = `
  stored as materialized (
    with recursive series as (
      (select event_name, property from usage_days where customer_key = unit.customer_key
       order by event_name, property limit 1)
      union all
      select next.* from series cross join lateral (
        select event_name, property from usage_days
        where customer_key = unit.customer_key and (event_name, property) > (series.event_name, series.property)
        order by event_name, property limit 1) as next
    )
    select d.* from series
    join usage_days d on d.customer_key = unit.customer_key and d.event_name = series.event_name
      and d.property = series.property
      and d.day = unit.day
  )`;

/**
 * SQL: counts, and the first and last event stored. A bill relies on them to decide whether it may use a day's totals.
 */
const COUNTED = `
  with ${STORED}, day as (
    select event_name, count(*) as events, min(created_at) as first_stored_at, max(created_at) as last_stored_at,
      max(array[epoch, created_xid::text::numeric]) as last
    from (${ROLLED_UP} where ${OF_DAY}) as e group by 1
  )
  select format('customer key %s, %s, %s', unit.customer_key, event_name, unit.day) as "row",
    format('has %s events, but there are %s', d.events, day.events) as what
  from day full join (select * from stored where property = '') as d using (event_name)
  where ${NOT_SET_ASIDE} and (d.events is distinct from day.events or d.first_stored_at <> day.first_stored_at
    or d.last_stored_at <> day.last_stored_at or array[d.last_epoch, d.last_xid::text::numeric] <> day.last)`;

/** SQL: totals of complete rows. Incomplete rows are not used (src/db/usage/daily-usage.ts). */
const ADDED = `
  with ${STORED}, added as (
    select d.* from stored d join stored w on w.event_name = d.event_name and w.property = '' and w.events = d.events
    where d.property <> ''
  ), day as (
    select e.event_name, p.property, count(*) filter (where value.number is null) as skipped_events,
      sum(value.number) as total, max(value.number) as maximum
    from (${ROLLED_UP} where ${OF_DAY}) as e
    join added as p on p.event_name = e.event_name
    cross join lateral (select event_number(e.properties -> p.property) as number offset 0) as value
    group by 1, 2
  )
  select format('customer key %s, %s, %s, %s', unit.customer_key, event_name, property, unit.day) as "row",
    format('has %s, but its events have %s', added.total, day.total) as what
  from added join day using (event_name, property)
  where ${NOT_SET_ASIDE} and (added.total is distinct from day.total or added.maximum is distinct from day.maximum
    or added.skipped_events <> day.skipped_events)`;

/**
 * SQL: cells of names whose cells have all events of the day and the same properties in every cell. Others are not
 * used, or in part by charges that need fewer properties (src/db/usage/daily-usage.ts).
 */
const CELLS = `
  with ${STORED}, cell as materialized (
    select c.* from (select event_name, events from stored where property = '') as d
    join usage_cells c on c.customer_key = unit.customer_key and c.event_name = d.event_name and c.day = unit.day
  ), whole as (
    select d.event_name, min(array(select jsonb_object_keys(c."values") order by 1)) as names
    from stored d join cell c on c.event_name = d.event_name and c.property = ''
    where d.property = ''
    group by d.event_name, d.events
    having sum(c.events) = d.events and min(array(select jsonb_object_keys(c."values") order by 1))
      = max(array(select jsonb_object_keys(c."values") order by 1))
  ), placed as materialized (
    select e.event_name, e.properties,
      (select jsonb_object_agg(name, dimension_value(e.properties -> name))
        from unnest(whole.names) as name) as "values"
    from (${ROLLED_UP} where ${OF_DAY}) as e join whole on whole.event_name = e.event_name
  ), counted as (
    select p.event_name, md5(p."values"::text)::uuid as cell, added.property, count(*) as events,
      count(*) filter (where added.property <> '' and value.number is null) as skipped_events,
      sum(value.number) as total, max(value.number) as maximum
    from placed p
    join (select distinct event_name, property from cell) as added on added.event_name = p.event_name
    cross join lateral (
      select case when added.property <> '' then event_number(p.properties -> added.property) end as number
      offset 0) as value
    group by 1, 2, 3
  )
  select format('customer key %s, %s, %s, cell %s', unit.customer_key, event_name, unit.day, cell) as "row",
    'differs from the events that have its values' as what
  from counted
  full join (select cell.* from cell join whole using (event_name)) as kept using (event_name, cell, property)
  where ${NOT_SET_ASIDE} and case when property = '' or kept.events = counted.events
    then row(kept.events, kept.skipped_events, kept.total, kept.maximum)
      is distinct from row(counted.events, counted.skipped_events, counted.total, counted.maximum)
    else counted.events is null end`;

/**
 * SQL: names of the customer's day that the days of its environment do not have, so that a list would not look at them.
 */
const UNNAMED = `
  select format('environment %s, %s, %s', e.environment_id, e.event_name, unit.day) as "row",
    'has events, but is not named' as what
  from (select distinct environment_id, event_name from (${ROLLED_UP} where ${OF_DAY}) as e) as e
  where not exists (
    select from event_days d where d.environment_id = e.environment_id and d.event_name = e.event_name
      and d.day = unit.day)`;

const NAMED = `
  with day as (
    select event_name, count(*) as events
    from (
      ${ROLLED_UP} where e.environment_id = unit.environment_id and e.timestamp between unit.day and unit.until) as e
    group by 1
  )
  select format('environment %s, %s, %s', unit.environment_id, event_name, unit.day) as "row",
    format('has %s events, but there are %s', d.events, day.events) as what
  from day full join (
    select * from event_days where environment_id = unit.environment_id and day = unit.day) as d using (event_name)
  where d.events is distinct from day.events`;

export const ROLLUP_INVARIANTS = [
  bySql(
    'I33',
    'The daily totals of usage, also by the values of properties, equal the totals of the events of the day, read one by one.',
    {
      usage_day: [COUNTED, ADDED, CELLS, UNNAMED],
      event_day: [NAMED],
    },
  ),
];
