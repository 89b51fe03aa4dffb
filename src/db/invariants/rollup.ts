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
 * that need fewer properties (src/db/usage/daily-usage.ts). Recounts each day separately, by the index of the customer's events.
 */
const CELLS = `
  with named as (
    select c.*, array(select jsonb_object_keys(c."values") order by 1) as names from usage_cells c where c.property = ''
  ), whole as materialized (
    select c.customer_key, c.event_name, c.day, min(c.names) as names
    from named c
    join usage_days d on d.customer_key = c.customer_key and d.event_name = c.event_name and d.property = '' and d.day = c.day
    group by c.customer_key, c.event_name, c.day, d.events
    having sum(c.events) = d.events and min(c.names) = max(c.names)
  )
  select format('customer key %s, %s, %s, cell %s', whole.customer_key, event_name, day, found.cell) as "row",
    'differs from the events that have its values' as what
  from whole
  cross join lateral (
    select coalesce(stored.cell, counted.cell) as cell
    from (
      select md5("values"::text)::uuid as cell, property, count(*) as events,
        count(*) filter (where property <> '' and value.number is null) as skipped_events, sum(value.number) as total,
        max(value.number) as maximum
      from (
        select e.properties, (
            select jsonb_object_agg(name, dimension_value(e.properties -> name)) from unnest(whole.names) as name) as "values"
        from events e
        join epochs p on p.epoch = e.epoch and e.created_xid < p.rolled_up_to
        where e.customer_key = whole.customer_key and e.event_name = whole.event_name
          and e.timestamp >= whole.day and e.timestamp < whole.day + interval '24 hours'
        offset 0) as e
      cross join (
        select distinct c.property from usage_cells c
        where c.customer_key = whole.customer_key and c.event_name = whole.event_name and c.day = whole.day) as added
      cross join lateral (select case when property <> '' then event_number(properties -> property) end as number) as value
      group by 1, 2
    ) as counted
    full join (
      select c.cell, c.property, c.events, c.skipped_events, c.total, c.maximum from usage_cells c
      where c.customer_key = whole.customer_key and c.event_name = whole.event_name and c.day = whole.day
    ) as stored using (cell, property)
    where case when property = '' or stored.events = counted.events
      then row(stored.events, stored.skipped_events, stored.total, stored.maximum)
        is distinct from row(counted.events, counted.skipped_events, counted.total, counted.maximum)
      else counted.events is null end
  ) as found
  where ${NOT_SET_ASIDE}`;

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
