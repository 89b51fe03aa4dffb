-- The rollup: what the events of a customer and name come to, a UTC day, so that a bill does not cost more with every event.
-- The worker keeps it (src/db/rollup.ts), and it may lag: what it does not hold yet is found by this index. Transaction ids only
-- rise, so that new entries go to its right edge and cost next to nothing.
create index events_stored on events (epoch, created_xid);

-- Rolled up is every event of the epoch whose transaction id is below.
alter table epochs add column rolled_up_to xid8 not null default '0';

create table usage_days (
  environment_id integer not null,
  customer_key bigint not null,
  event_name text collate "C" not null,
  -- The property whose numbers are added up; '' in the row that only counts, which every day has.
  property text collate "C" not null,
  -- Its first instant.
  day timestamptz(3) not null,
  events bigint not null,
  -- Those whose property holds no number.
  skipped_events bigint not null,
  total numeric,
  maximum numeric,
  first_stored_at timestamptz(3) not null,
  last_stored_at timestamptz(3) not null,
  -- Of the event that was stored last: a cut-off that holds it holds all of the row.
  last_epoch integer not null,
  last_xid xid8 not null,
  primary key (customer_key, event_name, property, day)
) with (fillfactor = 80);

-- On which days an environment has events of a name, so that a list of rare ones does not read all others.
create table event_days (
  environment_id integer not null references environments,
  event_name text collate "C" not null,
  day timestamptz(3) not null,
  events bigint not null,
  primary key (environment_id, event_name, day)
) with (fillfactor = 80);
