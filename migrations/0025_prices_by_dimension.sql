-- Prices by the values of properties, and lines by group.
alter table charges add column group_by jsonb;

-- The price and the group that a line bills: {"price_index", "group", "others"}; nulls and false for a line that bills all of its charge.
alter table line_items add column series jsonb not null default '{"price_index": null, "group": null, "others": false}';
do $$
declare
  old name;
begin
  select conname into strict old from pg_constraint where conrelid = 'line_items'::regclass and contype = 'u';
  execute format('alter table line_items drop constraint %I', old);
end $$;
create unique index line_items_series on line_items (environment_id, invoice_id, charge_id, full_period_start, series);

-- The groups that have lines of their own in a full period; all other groups are on the line "others" of their price.
create table line_groups (
  environment_id integer not null,
  subscription_id text collate "C" not null,
  charge_id text collate "C" not null,
  full_period_start timestamptz(3) not null,
  series jsonb not null,
  primary key (environment_id, subscription_id, charge_id, full_period_start, series),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id),
  foreign key (environment_id, charge_id) references charges (environment_id, id)
);

-- The value of a property by which events are priced and grouped: its text, null for none, false for a text that is too long for a price.
create function dimension_value(value jsonb) returns jsonb language sql immutable parallel safe
return case
  when coalesce(jsonb_typeof(value) not in ('string', 'number', 'boolean'), true) then 'null'::jsonb
  when length(value #>> '{}') > 255 then 'false'::jsonb
  else to_jsonb(value #>> '{}')
end;

-- The place of an event's price in the charge's list, from 0; -1 if no price is for it, null if the charge has no list.
create function event_price(properties jsonb, prices jsonb) returns integer language sql immutable parallel safe
return case when prices is not null then coalesce(
  (select min(p.place) - 1 from jsonb_array_elements(prices) with ordinality as p(price, place)
   where p.price ? 'match' and event_matches(properties, p.price -> 'match')),
  (select min(p.place) - 1 from jsonb_array_elements(prices) with ordinality as p(price, place) where p.price ? 'default'),
  -1) end;

-- The group of an event: the text of each property, null for none; false for a text that is too long; null if the charge has no groups.
create function event_group(properties jsonb, group_by jsonb) returns jsonb language sql immutable parallel safe
return (select jsonb_object_agg(name, dimension_value(properties -> name)) from jsonb_array_elements_text(group_by) as name);

-- Whether a line of the series bills the event, if it is in the line's spans; `own` are the series of the groups with lines of their own.
create function event_in_series(properties jsonb, pricing jsonb, group_by jsonb, series jsonb, own jsonb)
returns boolean language sql immutable parallel safe
return event_price(properties, pricing -> 'prices') is not distinct from (series ->> 'price_index')::integer
  and case
    when group_by is null then true
    when (series ->> 'others')::boolean then not coalesce(own, '[]') @> jsonb_build_array(jsonb_build_object(
      'price_index', event_price(properties, pricing -> 'prices'), 'group', event_group(properties, group_by)))
    else event_group(properties, group_by) = series -> 'group'
  end;

-- The properties by whose values a charge selects, prices or groups events.
create function charge_dimensions(filters jsonb, pricing jsonb, group_by jsonb) returns setof text
language sql immutable parallel safe
begin atomic
  select jsonb_object_keys(coalesce(filters, '{}'))
  union select jsonb_object_keys(p.price -> 'match') from jsonb_array_elements(pricing -> 'prices') as p(price) where p.price ? 'match'
  union select jsonb_array_elements_text(group_by);
end;

-- The dimensions of a customer's plans. A new one is filled from the newest day to the oldest: the worker reads the days before
-- `unfilled_before` once; null if all days have it.
create table usage_dimensions (
  environment_id integer not null,
  customer_key bigint not null,
  event_name text collate "C" not null,
  property text collate "C" not null,
  unfilled_before timestamptz(3) default 'infinity',
  primary key (customer_key, event_name, property)
);
create index usage_dimensions_unfilled on usage_dimensions (customer_key, event_name) where unfilled_before is not null;

insert into usage_dimensions (environment_id, customer_key, event_name, property)
select distinct s.environment_id, c.key, h.event_name, d.property
from subscriptions s
join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
join charges h on h.environment_id = s.environment_id and h.plan_id = s.plan_id
cross join lateral charge_dimensions(h.filters, h.pricing, h.group_by) as d(property);

-- The daily totals of usage_days by the values of the customer's dimensions. A day whose cells do not have all its events, or not all the
-- properties of a charge, is read from the events. `property` as in usage_days.
create table usage_cells (
  environment_id integer not null,
  customer_key bigint not null,
  event_name text collate "C" not null,
  day timestamptz(3) not null,
  -- A hash of the values, which may be long.
  cell uuid not null,
  property text collate "C" not null,
  values jsonb not null,
  events bigint not null,
  skipped_events bigint not null,
  total numeric,
  maximum numeric,
  primary key (customer_key, event_name, day, cell, property)
) with (fillfactor = 80);

-- The day has more cells than are kept.
alter table usage_days add column has_no_cells boolean not null default false;
