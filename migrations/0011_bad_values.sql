-- The two functions are the only place that says what counts as a number in the properties of an event (billing.md 2).

-- The text of a decimal, without an exponent: at most 40 significant digits and 30 places, where zeros at both ends do not count, and
-- 100 characters. One of 32 characters has no more of either, which is all that is asked of most.
create function decimal_fits(written text) returns boolean language sql immutable parallel safe
return octet_length(written) <= 32
  or (octet_length(written) <= 100 and length(trim('0' from translate(written, '-.', ''))) <= 40
    and length(rtrim(split_part(written, '.', 2), '0')) <= 30);

-- A JSON number or a decimal string that fits; null for everything else. The length is asked first: what follows must not meet a
-- text that is long, nor a cast one that fails.
create or replace function event_number(value jsonb) returns numeric language sql immutable parallel safe
return case jsonb_typeof(value)
  when 'number' then case when decimal_fits(value #>> '{}') then value::numeric end
  when 'string' then
    case when decimal_fits(value #>> '{}') and value #>> '{}' ~ '^-?[0-9]+(\.[0-9]+)?$' then (value #>> '{}')::numeric end
end;

-- Until this is committed, nothing is rolled up or counted by the function as it was.
select pg_advisory_xact_lock(hashtext('tidemark.rollup'));
lock table cut_offs in share mode;

-- What was a number until now.
create temporary table beyond on commit drop as
select e.id as event_id, e.environment_id, e.customer_key, e.event_name, read.property, date_trunc('day', e.timestamp, 'UTC') as day
from (
  select distinct environment_id, event_name, aggregation ->> 'property' as property from charges
  where aggregation ->> 'type' in ('sum', 'max', 'latest')
) as read
join events e on e.environment_id = read.environment_id and e.event_name = read.event_name
where octet_length(e.properties ->> read.property) > 32
  and jsonb_typeof(e.properties -> read.property) in ('number', 'string')
  and e.properties ->> read.property ~ '^-?[0-9]+(\.[0-9]+)?$'
  and event_number(e.properties -> read.property) is null;

-- A row that misses events is not used, and stays as it is.
update usage_days d set skipped_events = day.skipped_events, total = day.total, maximum = day.maximum
from (
  select b.customer_key, b.event_name, b.property, b.day, count(*) as events,
    count(*) filter (where value.number is null) as skipped_events, sum(value.number) as total, max(value.number) as maximum
  from (select distinct environment_id, customer_key, event_name, property, day from beyond) as b
  join events e on e.customer_key = b.customer_key and e.environment_id = b.environment_id and e.event_name = b.event_name
    and e.timestamp >= b.day and e.timestamp < b.day + interval '24 hours'
  join epochs p on p.epoch = e.epoch and e.created_xid < p.rolled_up_to
  cross join lateral (select event_number(e.properties -> b.property) as number offset 0) as value
  group by b.customer_key, b.event_name, b.property, b.day
) as day
where d.customer_key = day.customer_key and d.event_name = day.event_name and d.property = day.property and d.day = day.day
  and d.events = day.events;

-- Lines that say something else than their events, and why that is no fault (docs/invariants.md).
create table line_item_exceptions (
  environment_id integer not null,
  line_item_id text collate "C" not null,
  reason text not null,
  primary key (environment_id, line_item_id),
  foreign key (environment_id, line_item_id) references line_items (environment_id, id) on delete cascade
);
insert into line_item_exceptions (environment_id, line_item_id, reason)
select distinct l.environment_id, l.id,
  'it was counted before numbers had a bound, and holds a number of more than 40 digits or 30 places'
from beyond b
join events e on e.id = b.event_id and e.customer_key = b.customer_key
join customers c on c.key = b.customer_key
join subscriptions s on s.environment_id = c.environment_id and s.customer_id = c.id
join charges h on h.environment_id = s.environment_id and h.plan_id = s.plan_id and h.event_name = b.event_name
  and h.aggregation ->> 'property' = b.property and h.aggregation ->> 'type' in ('sum', 'max', 'latest')
  and event_matches(e.properties, h.filters)
join line_items l on l.environment_id = s.environment_id and l.subscription_id = s.id and l.charge_id = h.id
join line_item_spans span on span.environment_id = l.environment_id and span.line_item_id = l.id
join cut_offs u on u.environment_id = span.environment_id and u.id = span.up_to_cut_off_id
left join cut_offs a on a.environment_id = span.environment_id and a.id = span.after_cut_off_id
where e.timestamp >= span.timestamp_from and e.timestamp < span.timestamp_to
  and (span.stored_from is null or e.created_at >= span.stored_from)
  and (span.stored_to is null or e.created_at < span.stored_to)
  and event_in_cut_off(e.epoch, e.created_xid, u.epoch, u.snapshot)
  and (a.id is null or not event_in_cut_off(e.epoch, e.created_xid, a.epoch, a.snapshot));

-- What could not be billed for such a value can be now: the reconciler wakes it.
update subscriptions set attention = null where attention like 'Billing would write a row%value overflows numeric format%';

-- What a batch job could not do for one customer, while it went on with the others; it is tried again by itself.
create table set_aside (
  environment_id integer not null,
  job text collate "C" not null check (job in ('rollup', 'expired_credit')),
  customer_id text collate "C" not null,
  -- Why, as the database or the program says it.
  reason text not null,
  failed_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  tried_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  primary key (environment_id, job, customer_id),
  foreign key (environment_id, customer_id) references customers (environment_id, id)
);
create index set_aside_tried on set_aside (job, tried_at);
