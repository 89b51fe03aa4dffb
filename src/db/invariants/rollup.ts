import { bySql, type EventQuery } from './invariant.ts';
import { OF_DAY, TO_LAST } from './unit.ts';

/** SQL: a common table of how far the events of each epoch are rolled up. */
const ROLLED_UP_TO = `rolled_up as materialized (select epoch, rolled_up_to from epochs)`;

/** SQL: joins to it the events `e` that are rolled up. */
const ROLLED_UP = `join rolled_up p on p.epoch = e.epoch and e.created_xid < p.rolled_up_to`;

/**
 * SQL: false for customers that are set aside, whose days are not used, and are rebuilt later; and for days whose
 * events are archived: the totals stay, and nothing is left to compare them with.
 */
const NOT_SET_ASIDE = `not exists (
  select from set_aside s join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
  where s.job = 'rollup' and c.key = unit.customer_key)
  and not exists (select from customers c where c.key = unit.customer_key and c.archived_to > unit.day)`;

/**
 * SQL: the stored totals of each unit's day. Finds the customer's names and properties one by one, so that its other
 * days are not read; the index has the day last.
 */
const STORED = `
  stored as materialized (
    select unit.place, total.* from unit cross join lateral (
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
        and d.day = unit.day) as total
  )`;

/** SQL: what is counted of the names of each day, the totals of all their events. */
const OF_NAMES = `(select * from stored where property = '')`;

/**
 * SQL: counts, and the first and last event stored. A bill relies on them to decide whether it may use a day's totals.
 */
const COUNTED: EventQuery = {
  tables: `
  ${ROLLED_UP_TO}, day as materialized (
    select unit.place, e.event_name, count(*) as events, min(e.created_at) as first_stored_at,
      max(e.created_at) as last_stored_at, max(array[e.epoch, e.created_xid::text::numeric]) as last
    from unit join events e on ${OF_DAY} ${ROLLED_UP} group by 1, 2
  ), ${STORED}`,
  faults: `
  select place, format('customer key %s, %s, %s', unit.customer_key, event_name, unit.day) as "row",
    format('has %s events, but there are %s', d.events, day.events) as what
  from day full join ${OF_NAMES} as d using (place, event_name) join unit using (place)
  where ${NOT_SET_ASIDE} and (d.events is distinct from day.events or d.first_stored_at <> day.first_stored_at
    or d.last_stored_at <> day.last_stored_at or array[d.last_epoch, d.last_xid::text::numeric] <> day.last)`,
};

/** SQL: totals of complete rows. Incomplete rows are not used (src/db/usage/daily-usage.ts). */
const ADDED: EventQuery = {
  tables: `
  ${STORED}, added as materialized (
    select * from (
      select *, max(events) filter (where property = '') over (partition by place, event_name) as of_name
      from stored) as d
    where property <> '' and events = of_name
  ), asked as materialized (
    select place, customer_key, day, day + ${TO_LAST} as until, jsonb_object_agg(event_name, properties) as names
    from (
      select place, customer_key, day, event_name, jsonb_agg(property) as properties from added
      group by 1, 2, 3, 4) as d
    group by 1, 2, 3
  ), ${ROLLED_UP_TO}, read as materialized (
    select unit.place, e.event_name, unit.names -> e.event_name as asked, e.properties
    from asked as unit join events e on ${OF_DAY} ${ROLLED_UP} where unit.names ? e.event_name
  ), day as materialized (
    select e.place, e.event_name, p.property, count(*) as events,
      count(*) filter (where value.number is null) as skipped_events, sum(value.number) as total,
      max(value.number) as maximum
    from read e cross join lateral jsonb_array_elements_text(e.asked) as p(property)
    cross join lateral (select event_number(e.properties -> p.property) as number offset 0) as value
    group by 1, 2, 3
  )`,
  faults: `
  select place, format('customer key %s, %s, %s, %s', unit.customer_key, event_name, property, unit.day) as "row",
    format('has %s, but its events have %s', added.total, day.total) as what
  from added full join day using (place, event_name, property) join unit using (place)
  where ${NOT_SET_ASIDE} and coalesce(day.events, 0) > 0 and (added.total is distinct from day.total
    or added.maximum is distinct from day.maximum or added.skipped_events is distinct from day.skipped_events)`,
};

/**
 * SQL: cells of names whose cells have all events of the day and the same properties in every cell. Others are not
 * used, or in part by charges that need fewer properties (src/db/usage/daily-usage.ts).
 */
const CELLS: EventQuery = {
  tables: `
  ${STORED}, cell as materialized (
    select d.place, d.events as of_name, c.*, array(select jsonb_object_keys(c."values") order by 1) as names
    from ${OF_NAMES} as d
    join usage_cells c on c.customer_key = d.customer_key and c.event_name = d.event_name and c.day = d.day
  ), whole as materialized (
    select * from (
      select *, sum(events) filter (where property = '') over of_name = of_name
        and min(names) filter (where property = '') over of_name
          = max(names) filter (where property = '') over of_name as is_whole
      from cell window of_name as (partition by place, event_name)) as c
    where is_whole
  ), asked as materialized (
    select place, customer_key, day, day + ${TO_LAST} as until, jsonb_object_agg(event_name, cells) as names
    from (
      select place, customer_key, day, event_name, jsonb_build_object('properties', jsonb_agg(distinct property),
        'dimensions', to_jsonb(min(names) filter (where property = ''))) as cells
      from whole group by 1, 2, 3, 4) as c
    group by 1, 2, 3
  ), ${ROLLED_UP_TO}, read as materialized (
    select unit.place, e.event_name, unit.names -> e.event_name as asked, e.properties
    from asked as unit join events e on ${OF_DAY} ${ROLLED_UP} where unit.names ? e.event_name
  ), placed as materialized (
    select e.*, (
      select jsonb_object_agg(name, dimension_value(e.properties -> name))
      from jsonb_array_elements_text(e.asked -> 'dimensions') as name) as "values"
    from read e
  ), counted as materialized (
    select e.place, e.event_name, md5(e."values"::text)::uuid as cell, p.property, count(*) as events,
      count(*) filter (where p.property <> '' and value.number is null) as skipped_events,
      sum(value.number) as total, max(value.number) as maximum
    from placed e cross join lateral jsonb_array_elements_text(e.asked -> 'properties') as p(property)
    cross join lateral (
      select case when p.property <> '' then event_number(e.properties -> p.property) end as number offset 0) as value
    group by 1, 2, 3, 4
  )`,
  faults: `
  select place, format('customer key %s, %s, %s, cell %s', unit.customer_key, event_name, unit.day, cell) as "row",
    'differs from the events that have its values' as what
  from counted full join whole as kept using (place, event_name, cell, property) join unit using (place)
  where ${NOT_SET_ASIDE} and case when property = '' or kept.events = counted.events
    then row(kept.events, kept.skipped_events, kept.total, kept.maximum)
      is distinct from row(counted.events, counted.skipped_events, counted.total, counted.maximum)
    else counted.events is null end`,
};

/**
 * SQL: names of the customer's day that the days of its environment do not have, so that a list would not look at them.
 */
const UNNAMED: EventQuery = {
  tables: `
  ${ROLLED_UP_TO}, named as materialized (
    select distinct unit.place, unit.day, e.environment_id, e.event_name
    from unit join events e on ${OF_DAY} ${ROLLED_UP}
  )`,
  faults: `
  select place, format('environment %s, %s, %s', e.environment_id, e.event_name, e.day) as "row",
    'has events, but is not named' as what
  from named e
  where not exists (
    select from event_days d where d.environment_id = e.environment_id and d.event_name = e.event_name
      and d.day = e.day)`,
};

const NAMED: EventQuery = {
  tables: `
  ${ROLLED_UP_TO}, day as materialized (
    select unit.place, e.event_name, count(*) as events
    from unit join events e on e.environment_id = unit.environment_id and e.timestamp between unit.day and unit.until
    ${ROLLED_UP} group by 1, 2
  ), named as materialized (
    select unit.place, d.event_name, d.events
    from unit join event_days d on d.environment_id = unit.environment_id and d.day = unit.day
  )`,
  faults: `
  select place, format('environment %s, %s, %s', unit.environment_id, event_name, unit.day) as "row",
    format('has %s events, but there are %s', d.events, day.events) as what
  from day full join named d using (place, event_name) join unit using (place)
  where d.events is distinct from day.events`,
};

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
