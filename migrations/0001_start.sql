-- Every tenant table carries environment_id, in every key that it has: test and live data cannot meet by a mistake in a query.

create table accounts (
  id text primary key,
  name text not null,
  currency text not null,
  tax_rate numeric not null default 0,
  address text,
  invoice_footer text,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now())
);

create table environments (
  id integer generated always as identity primary key,
  account_id text not null references accounts,
  livemode boolean not null,
  -- A counter row and not a sequence: a rolled back issue must give its number back.
  last_invoice_number bigint not null default 0,
  unique (account_id, livemode)
);

create table api_keys (
  environment_id integer not null references environments,
  id text collate "C" not null,
  name text not null,
  kind text not null check (kind in ('full', 'events_only')),
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  last_four text not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (environment_id, id)
);

create table customers (
  environment_id integer not null references environments,
  id text collate "C" not null,
  -- What events name their customer by: 8 bytes in the table and the index that grow with every event, where the id takes 31.
  key bigint generated always as identity unique,
  external_id text collate "C" not null,
  name text,
  email text,
  currency text not null,
  tax_rate numeric check (tax_rate between 0 and 100),
  metadata jsonb not null,
  -- Test mode only. Null is real time; otherwise the customer's time stands still here between advances.
  test_clock timestamptz(3),
  -- Where a running advance is going; null when none runs.
  test_clock_target timestamptz(3),
  hold_drafts boolean not null default false,
  created_at timestamptz(3) not null,
  primary key (environment_id, id),
  unique (environment_id, external_id)
);

create table plans (
  environment_id integer not null references environments,
  id text collate "C" not null,
  name text not null,
  currency text not null,
  interval text not null check (interval in ('day', 'week', 'month', 'year')),
  interval_count integer not null check (interval_count > 0),
  pricing_model text,
  metadata jsonb not null,
  created_at timestamptz(3) not null,
  primary key (environment_id, id)
);

create table charges (
  environment_id integer not null,
  id text collate "C" not null,
  plan_id text collate "C" not null,
  position integer not null,
  event_name text collate "C" not null,
  name text,
  aggregation jsonb not null,
  filters jsonb,
  -- The model and its fields, decimals as canonical strings: src/domain/pricing/charge.ts has the shape.
  pricing jsonb not null,
  primary key (environment_id, id),
  unique (environment_id, plan_id, position),
  foreign key (environment_id, plan_id) references plans (environment_id, id)
);

create table subscriptions (
  environment_id integer not null,
  id text collate "C" not null,
  customer_id text collate "C" not null,
  plan_id text collate "C" not null,
  start_date timestamptz(3) not null,
  trial_end_date timestamptz(3) check (trial_end_date > start_date),
  billing_anchor timestamptz(3),
  cancel_at timestamptz(3),
  canceled_at timestamptz(3),
  -- Why it waits for a person; null when it does not.
  attention text,
  -- When its last period was billed and its workflow ended.
  finished_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, plan_id) references plans (environment_id, id)
);
create index subscriptions_customer on subscriptions (environment_id, customer_id, id);
create index subscriptions_plan on subscriptions (environment_id, plan_id);
create index subscriptions_live on subscriptions (id) where finished_at is null;

-- Boundaries are computed once, by src/domain/time/period.ts, and stored when the period opens.
create table periods (
  environment_id integer not null,
  subscription_id text collate "C" not null,
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null check (period_end > period_start),
  kind text not null check (kind in ('trial', 'billing')),
  -- The two boundaries of the anchor around the period: the whole that flat amounts of a short period are a part of.
  interval_start timestamptz(3) not null,
  interval_end timestamptz(3) not null,
  -- Parts of one cut period share it: quantities, tiers and free units run over the whole.
  whole_start timestamptz(3) not null,
  -- When the period's invoice was drafted, or the trial ended. The period after it opens in the same transaction.
  closed_at timestamptz(3),
  primary key (environment_id, subscription_id, period_start),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id)
);
create unique index periods_open on periods (environment_id, subscription_id) where closed_at is null;

-- One row for each cluster that the database has lived in: transaction ids mean nothing in another one.
create table epochs (
  epoch integer primary key,
  system_identifier text not null unique,
  started_at timestamptz(3) not null default date_trunc('milliseconds', now())
);

create table events (
  id bigint generated always as identity,
  -- 128 bits of SHA-256 over environment and idempotency key. The public id is derived from it.
  key_hash uuid not null,
  environment_id integer not null,
  customer_key bigint not null,
  event_name text collate "C" not null,
  idempotency_key text collate "C" not null,
  timestamp timestamptz(3) not null,
  -- A resend without a timestamp equals only an original without one.
  timestamp_given boolean not null,
  created_at timestamptz(3) not null,
  -- With epoch, what a cut-off is compared with.
  created_xid xid8 not null default pg_current_xact_id(),
  epoch integer not null,
  properties jsonb not null
);
create unique index events_key on events (key_hash);
create index events_timestamp on events (environment_id, timestamp, id);
create index events_customer on events (customer_key, timestamp, id);

-- The moment of a billing read, taken under the subscription's lock.
create table cut_offs (
  environment_id integer not null,
  id bigint generated always as identity,
  subscription_id text collate "C" not null,
  epoch integer not null references epochs,
  snapshot pg_snapshot not null,
  taken_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (environment_id, id),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id)
);
create index cut_offs_subscription on cut_offs (environment_id, subscription_id);

create table invoices (
  environment_id integer not null,
  id text collate "C" not null,
  subscription_id text collate "C" not null,
  customer_id text collate "C" not null,
  plan_id text collate "C" not null,
  number bigint,
  status text not null check (status in ('draft', 'open', 'paid', 'void')),
  currency text not null,
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null,
  subtotal numeric not null,
  tax_rate numeric not null,
  tax_amount numeric not null,
  total numeric not null,
  amount_paid numeric not null,
  credits_applied numeric not null,
  replaces text collate "C",
  replaced_by text collate "C",
  -- A draft waits until then for late events.
  hold_until timestamptz(3) not null,
  -- The steps aggregateUsage and applyCredits have run for these revisions: running one again changes nothing.
  usage_revision integer not null,
  credit_revision integer not null,
  -- The customer as it was when the invoice was issued: external_id, name, email.
  customer jsonb,
  -- SHA-256 over everything that an issued invoice says.
  content_hash bytea,
  created_at timestamptz(3) not null,
  issued_at timestamptz(3),
  paid_at timestamptz(3),
  voided_at timestamptz(3),
  void_reason text,
  payment_reference text,
  primary key (environment_id, id),
  unique (environment_id, number),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, plan_id) references plans (environment_id, id),
  foreign key (environment_id, replaces) references invoices (environment_id, id),
  foreign key (environment_id, replaced_by) references invoices (environment_id, id),
  check ((number is null) = (issued_at is null)),
  check (status <> 'draft' or number is null),
  check (status not in ('open', 'paid') or number is not null)
);
create unique index invoices_period on invoices (environment_id, subscription_id, period_start) where status <> 'void';
create index invoices_subscription on invoices (environment_id, subscription_id, period_start);
create index invoices_customer on invoices (environment_id, customer_id, id);
create index invoices_drafts on invoices (environment_id, subscription_id) where status = 'draft';
create index invoices_period_end on invoices (environment_id, period_end);

create table line_items (
  environment_id integer not null,
  id text collate "C" not null,
  invoice_id text collate "C" not null,
  position integer not null,
  type text not null check (type in ('flat', 'usage', 'late_usage')),
  charge_id text collate "C" not null,
  event_name text collate "C" not null,
  description text not null,
  pricing_model text not null,
  aggregation jsonb,
  quantity numeric not null,
  skipped_events integer not null,
  credits_applied numeric not null,
  billable_quantity numeric not null,
  tiers jsonb,
  amount numeric not null,
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null,
  whole_start timestamptz(3) not null,
  primary key (environment_id, id),
  unique (environment_id, invoice_id, position),
  foreign key (environment_id, invoice_id) references invoices (environment_id, id),
  foreign key (environment_id, charge_id) references charges (environment_id, id)
);
create index line_items_charge on line_items (environment_id, charge_id, whole_start);

-- What a line holds: events with a timestamp in [timestamp_from, timestamp_to) that are stored up to one cut-off and not up to
-- the one before. A line of a later part of a cut period, and a late line, has more than one span.
create table line_item_spans (
  environment_id integer not null,
  line_item_id text collate "C" not null,
  position integer not null,
  after_cut_off_id bigint,
  up_to_cut_off_id bigint not null,
  timestamp_from timestamptz(3) not null,
  timestamp_to timestamptz(3) not null,
  primary key (environment_id, line_item_id, position),
  foreign key (environment_id, line_item_id) references line_items (environment_id, id) on delete cascade,
  foreign key (environment_id, after_cut_off_id) references cut_offs (environment_id, id),
  foreign key (environment_id, up_to_cut_off_id) references cut_offs (environment_id, id)
);

create table credit_grants (
  environment_id integer not null,
  id text collate "C" not null,
  customer_id text collate "C" not null,
  amount numeric not null check (amount > 0),
  -- The sum of the ledger, kept in the same statement that appends to it.
  remaining numeric not null check (remaining >= 0),
  expires_in_days integer,
  rollover boolean not null,
  -- The end of the billing period that a grant without rollover is bound to; null while that is not known.
  period_bound timestamptz(3),
  expires_at timestamptz(3),
  voided_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id)
);
create index credit_grants_customer on credit_grants (environment_id, customer_id, id);

create table credit_ledger (
  id bigint generated always as identity primary key,
  environment_id integer not null,
  grant_id text collate "C" not null,
  type text not null check (type in ('granted', 'drawn', 'returned', 'expired', 'voided')),
  amount numeric not null check (amount <> 0),
  invoice_id text collate "C",
  line_item_id text collate "C",
  created_at timestamptz(3) not null,
  foreign key (environment_id, grant_id) references credit_grants (environment_id, id),
  foreign key (environment_id, invoice_id) references invoices (environment_id, id),
  foreign key (environment_id, line_item_id) references line_items (environment_id, id)
);
create index credit_ledger_grant on credit_ledger (environment_id, grant_id, id);
create index credit_ledger_invoice on credit_ledger (environment_id, invoice_id);

-- Answers of POSTs that carried an Idempotency-Key header, kept for 24 hours.
create table idempotency_keys (
  environment_id integer not null references environments,
  key text collate "C" not null,
  -- SHA-256 over method, path and body.
  fingerprint bytea not null,
  claimed_at timestamptz(3) not null,
  -- Null while the first request still runs.
  status integer,
  location text,
  body text,
  primary key (environment_id, key)
);
create index idempotency_keys_age on idempotency_keys (claimed_at);

-- The three functions below are the only places that say which events a charge wants and a cut-off holds: the bill, the list of
-- a line's events and an event's fate ask the same question.

create function event_in_cut_off(event_epoch integer, event_xid xid8, cut_epoch integer, cut_snapshot pg_snapshot)
returns boolean language sql immutable parallel safe
return event_epoch < cut_epoch or (event_epoch = cut_epoch and pg_visible_in_snapshot(event_xid, cut_snapshot));

-- A JSON number or a decimal string; null for everything else.
create function event_number(value jsonb) returns numeric language sql immutable parallel safe
return case jsonb_typeof(value)
  when 'number' then (value #>> '{}')::numeric
  when 'string' then case when value #>> '{}' ~ '^-?[0-9]+(\.[0-9]+)?$' then (value #>> '{}')::numeric end
end;

-- Values are compared as text, so 1 and "1" are one; null, objects and arrays match nothing.
create function event_matches(properties jsonb, filters jsonb) returns boolean language sql immutable parallel safe
return filters is null or not exists (
  select from jsonb_each(filters) as filter
  where coalesce(jsonb_typeof(properties -> filter.key) not in ('string', 'number', 'boolean'), true)
    or not exists (
      select from jsonb_array_elements_text(filter.value) as allowed where allowed = properties ->> filter.key
    )
);
