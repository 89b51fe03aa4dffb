import { bySql } from './invariant.ts';

const ROLLED_UP = `
  select e.* from events e
  join epochs p on p.epoch = e.epoch and e.created_xid < p.rolled_up_to`;

/** SQL: an event `e` of the unit, by the index of the customer's events. */
const OF_DAY = `e.customer_key = unit.customer_key and e.timestamp between unit.day and unit.until`;

/** SQL: false for customers that are set aside. Their days are not used, and are rebuilt later. */
const NOT_SET_ASIDE = `not exists (
  select from set_aside s join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
  where s.job = 'rollup' and c.key = unit.customer_key)`;

/**
 * SQL: the stored totals of the unit's day. Finds the customer's names and properties one by one, so that its other days are not read; the
 * index has the day last.
 */
const STORED = `
  stored as materialized (
    with recursive series as (
      (select event_name, property from usage_days where customer_key = unit.customer_key order by event_name, property limit 1)
      union all
      select next.* from series cross join lateral (
        select event_name, property from usage_days
        where customer_key = unit.customer_key and (event_name, property) > (series.event_name, series.property)
        order by event_name, property limit 1) as next
    )
    select d.* from series
    join usage_days d on d.customer_key = unit.customer_key and d.event_name = series.event_name and d.property = series.property
      and d.day = unit.day
  )`;

/** SQL: counts, and the first and last event stored. A bill relies on them to decide whether it may use a day's totals. */
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

/** SQL: names of the customer's day that the days of its environment do not have, so that a list would not look at them. */
const UNNAMED = `
  select format('environment %s, %s, %s', e.environment_id, e.event_name, unit.day) as "row", 'has events, but is not named' as what
  from (select distinct environment_id, event_name from (${ROLLED_UP} where ${OF_DAY}) as e) as e
  where not exists (
    select from event_days d where d.environment_id = e.environment_id and d.event_name = e.event_name and d.day = unit.day)`;

const NAMED = `
  with day as (
    select event_name, count(*) as events
    from (${ROLLED_UP} where e.environment_id = unit.environment_id and e.timestamp between unit.day and unit.until) as e group by 1
  )
  select format('environment %s, %s, %s', unit.environment_id, event_name, unit.day) as "row",
    format('has %s events, but there are %s', d.events, day.events) as what
  from day full join (
    select * from event_days where environment_id = unit.environment_id and day = unit.day) as d using (event_name)
  where d.events is distinct from day.events`;

export const ROLLUP_INVARIANTS = [
  bySql('I33', 'The daily totals of usage equal the totals of the events of the day, read one by one.', {
    usage_day: [COUNTED, ADDED, UNNAMED],
    event_day: [NAMED],
  }),
];
