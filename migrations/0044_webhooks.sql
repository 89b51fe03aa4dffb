-- Endpoints: addresses to which the worker posts the changes of the feed, in order (docs/decisions/0045-webhooks.md).
create table webhook_endpoints (
  environment_id integer not null references environments,
  id text collate "C" not null,
  url text not null check (length(url) <= 2048),
  -- Names and patterns such as invoice.*; null is every type, later ones too.
  types text[],
  description text,
  payload text not null check (payload in ('full', 'thin')),
  status text not null default 'active' check (status in ('active', 'paused', 'parked')),
  status_reason text,
  -- Encrypted under TIDEMARK_SECRET, bound to the id.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz(3),
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  deleted_at timestamptz(3),
  -- The number up to which every change of its types has a delivery.
  taken_up_to bigint not null,
  -- Failed tries since the last one that succeeded.
  failures integer not null default 0,
  -- Its workflow waits for a signal when a change comes.
  is_asleep boolean not null default false,
  primary key (environment_id, id),
  check ((previous_secret is null) = (previous_secret_until is null)),
  check (status_reason is null or status <> 'active')
);

-- The deliveries of changes to endpoints. A closed one is kept for 30 days.
create table webhook_deliveries (
  environment_id integer not null,
  id text collate "C" not null,
  endpoint_id text collate "C" not null,
  change_id text collate "C" not null,
  -- Null for a test, which is in no feed.
  sequence bigint,
  type text collate "C" not null,
  object_id text collate "C" not null,
  status text not null check (status in ('pending', 'failing', 'delivered', 'skipped')),
  attempts integer not null default 0,
  -- Failed tries since the endpoint was last resumed: they time the next one.
  failures integer not null default 0,
  response_status integer,
  response_body text,
  error text,
  duration_ms integer,
  created_at timestamptz(3) not null,
  first_attempt_at timestamptz(3),
  last_attempt_at timestamptz(3),
  next_attempt_at timestamptz(3),
  primary key (environment_id, id),
  foreign key (environment_id, endpoint_id) references webhook_endpoints,
  check (status <> 'pending' or attempts = 0),
  check (status in ('pending', 'failing') or next_attempt_at is null)
);
-- The list of an endpoint, newest first.
create index webhook_deliveries_newest on webhook_deliveries (environment_id, endpoint_id, id);
-- Those that are open: each change once, and the oldest of each object.
create unique index webhook_deliveries_open on webhook_deliveries (environment_id, endpoint_id, sequence)
  where status in ('pending', 'failing') and sequence is not null;
create index webhook_deliveries_open_by_object on webhook_deliveries (environment_id, endpoint_id, object_id, sequence)
  where status in ('pending', 'failing') and sequence is not null;

-- Events that no invoice counts, or that came late, as the feed has told of them: at most once an hour for each row.
create table usage_notices (
  environment_id integer not null references environments,
  customer_id text collate "C" not null,
  event_name text collate "C" not null,
  cause text not null,
  -- Of the events that the rollup has just found.
  events bigint not null,
  from_day timestamptz(3) not null,
  to_day timestamptz(3) not null,
  told_at timestamptz(3) not null,
  primary key (environment_id, customer_id, event_name, cause),
  foreign key (environment_id, customer_id) references customers
);
create index usage_notices_newest on usage_notices (environment_id, told_at);

-- src/db/changes/watched-columns.ts has the same list.
create trigger logged after insert or delete or update on usage_notices for each row
  execute function log_row_change('customer_id', 'event_name', 'cause', 'events', 'from_day', 'to_day');
alter table usage_notices enable always trigger logged;
create trigger logged after insert or delete or update of url, types, description, payload, status, previous_secret_until, deleted_at
  on webhook_endpoints for each row execute function log_row_change('id', 'status', 'deleted_at');
alter table webhook_endpoints enable always trigger logged;
