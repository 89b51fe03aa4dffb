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
    'The daily totals of usage equal the totals of the events of the day, read one by one.',
    COUNTED,
    ADDED,
    NAMED,
  ),
];
