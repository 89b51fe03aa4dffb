-- The schema of the first release. From here on a migration that was released is never edited: a change is a further file.
-- A comment before a table, a column or a function is its note in docs/schema.sql.

create sequence audit_log_order;

-- One id for each statement that stores events, and their places in it counted from there: so many as a batch holds.
create sequence events_id_seq increment by 1000;

-- Functions of values

-- An instant as the API writes it.
create function instant_text(instant timestamptz) returns text language sql stable parallel safe
return to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- The run of the server that answers: another after a start, a restore or a failover.
create function server_run() returns text language sql stable
return extract(epoch from pg_postmaster_start_time())::text || ' ' || (select oid from pg_database where datname = current_database());

-- The text of a decimal, without an exponent: at most 40 significant digits and 30 places, where zeros at both ends do
-- not count, and 100 characters. One of 32 characters has no more of either, which is all that is asked of most.
create function decimal_fits(written text) returns boolean language sql immutable parallel safe
return octet_length(written) <= 32
  or (octet_length(written) <= 100 and length(trim('0' from translate(written, '-.', ''))) <= 40
    and length(rtrim(split_part(written, '.', 2), '0')) <= 30);

-- The value of a property by which events are priced and grouped: its text, null for none, false for a text that is too
-- long for a price.
create function dimension_value(value jsonb) returns jsonb language sql immutable parallel safe
return case
  when coalesce(jsonb_typeof(value) not in ('string', 'number', 'boolean'), true) then 'null'::jsonb
  when length(value #>> '{}') > 255 then 'false'::jsonb
  else to_jsonb(value #>> '{}')
end;

-- What counts as a number in the properties of an event (billing.md 2); null for everything else.
create function event_number(value jsonb) returns numeric language sql immutable parallel safe
return case jsonb_typeof(value)
  when 'number' then case when decimal_fits(value #>> '{}') then value::numeric end
  when 'string' then
    case when decimal_fits(value #>> '{}') and value #>> '{}' ~ '^-?[0-9]+(\.[0-9]+)?$' then (value #>> '{}')::numeric end
end;

-- Whether an event passes a charge's filters. The events of a bill are read by the same condition written out, in
-- src/db/usage/series.ts.
create function event_matches(properties jsonb, filters jsonb) returns boolean language sql immutable parallel safe
return filters is null or not exists (
  select from jsonb_each(filters) as filter
  where coalesce(jsonb_typeof(properties -> filter.key) not in ('string', 'number', 'boolean'), true)
    or not exists (
      select from jsonb_array_elements_text(filter.value) as allowed where allowed = properties ->> filter.key
    )
);

-- The place of an event's price in the charge's list, from 0; -1 if no price is for it, null if the charge has no list.
create function event_price(properties jsonb, prices jsonb) returns integer language sql immutable parallel safe
return case when prices is not null then coalesce(
  (select min(p.place) - 1 from jsonb_array_elements(prices) with ordinality as p(price, place)
   where p.price ? 'match' and event_matches(properties, p.price -> 'match')),
  (select min(p.place) - 1 from jsonb_array_elements(prices) with ordinality as p(price, place) where p.price ? 'default'),
  -1) end;

-- The group of an event: the text of each property, null for none; false for a text that is too long; null if the
-- charge has no groups.
create function event_group(properties jsonb, group_by jsonb) returns jsonb language sql immutable parallel safe
return (select jsonb_object_agg(name, dimension_value(properties -> name)) from jsonb_array_elements_text(group_by) as name);

-- Whether a line of the series bills the event, if it is in the line's spans; `own` are the series of the groups with
-- lines of their own.
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

-- Whether a cut-off holds an event, or a row of the log. Every statement that asks it calls this function.
create function event_in_cut_off(event_epoch integer, event_xid xid8, cut_epoch integer, cut_snapshot pg_snapshot)
returns boolean language sql immutable parallel safe
return event_epoch < cut_epoch or (event_epoch = cut_epoch and pg_visible_in_snapshot(event_xid, cut_snapshot));

-- 128 bits of SHA-256 over what was submitted. Texts become bytes by replace and decode, because convert_to is not
-- immutable: of a function that says more than its body, PostgreSQL does not make a part of the statement, and a call costs
-- three times as much.
create function event_content(customer_key bigint, idempotency_key text, event_name text, given timestamptz, properties jsonb)
returns uuid language sql immutable parallel safe
return encode(substring(sha256(int8send(customer_key) || timestamptz_send(coalesce(given, '-infinity'))
  || decode(replace(idempotency_key, '\', '\\'), 'escape') || '\x00' || decode(replace(event_name, '\', '\\'), 'escape')
  || '\x00' || jsonb_send(properties)) for 16), 'hex')::uuid;

-- The bucket of live events that are stored now; 0 while the month has no partition.
create function event_bucket() returns integer language sql stable parallel safe
return coalesce((
  select month::integer from to_char(now() at time zone 'UTC', 'YYYYMM') as month where to_regclass('events_' || month) is not null), 0);

-- The pieces of a text of the given lengths, each behind its environment: an index of them finds a part of a name.
create function search_grams(environment_id integer, searched text, sizes integer[]) returns text[]
language sql immutable parallel safe
return (
  select array_agg(distinct (environment_id::text || ':' || substr(searched, place, size)) collate "C")
  from unnest(sizes) as size, generate_series(1, length(searched) - size + 1) as place);

-- A new id as src/keys/ids.ts makes them: a UUIDv7 whose first random bits count, so that ids of one millisecond sort
-- by their making.
create function new_audit_id() returns text language sql volatile as $$
  select 'aud_' || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits from 1 + 5 * place for 5)::bit(5)::integer + 1, 1), ''
    order by place)
  from generate_series(0, 25) as place,
    (select B'00' || ('x' || lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
      || lpad(to_hex(nextval('audit_log_order') % 4096), 3, '0') || '8'
      || substr(replace(gen_random_uuid()::text, '-', ''), 18))::bit(128) as bits) as made
$$;

-- The members of a row by their names, as the API writes them; personal ones are not shown.
create function audit_members(of_row jsonb, names jsonb, personal jsonb) returns jsonb language sql immutable as $$
  select jsonb_object_agg(name, case
    when of_row -> name = 'null' or of_row ->> name = '-infinity' then 'null'
    when personal ? name then '"[personal]"'
    when jsonb_typeof(of_row -> name) = 'string' and of_row ->> name ~ '^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$'
      then to_jsonb(instant_text((of_row ->> name)::timestamptz))
    when jsonb_typeof(of_row -> name) = 'number' then to_jsonb(of_row ->> name)
    else of_row -> name end)
  from jsonb_array_elements_text(names) as name
$$;

-- The server and the account

-- Clusters that the database has lived in: transaction ids mean nothing in another one.
create table epochs (
  epoch integer primary key,
  system_identifier text not null unique,
  started_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  -- Every event of the epoch with a lower transaction id is in usage_days.
  rolled_up_to xid8 not null default '0',
  -- Every event of the epoch with a lower transaction id was given to the check of the invariants.
  events_checked_to xid8 not null default '0'
);

-- A company that bills its customers.
create table accounts (
  id text primary key,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now())
);

-- Test or live data of an account.
create table environments (
  id integer generated always as identity primary key,
  account_id text not null references accounts,
  livemode boolean not null,
  -- A counter row and no sequence: a rolled back issue gives its number back.
  last_invoice_number bigint not null default 0,
  -- Null before the first comparison.
  numbering_run text,
  -- Where the server was when they were last compared. Another epoch or timeline of its WAL: it was restored, or failed
  -- over.
  numbering_epoch integer,
  numbering_timeline text,
  -- Why no live invoice is issued until an operator says which number was the last; null where it is.
  numbering_halt text,
  -- The number that was remembered then: a lower one is refused, also where it is forgotten meanwhile.
  numbering_given bigint,
  name text not null,
  currency text not null,
  tax_rate numeric not null default 0 check (tax_rate between 0 and 100),
  -- Members line1, line2, postal_code, city, state, country; null is no address.
  address jsonb,
  -- A list of {type, value}.
  tax_ids jsonb not null default '[]',
  invoice_footer text,
  timezone text not null default 'UTC',
  -- Days from the issue to the due date.
  net_days integer not null default 0 check (net_days between 0 and 365),
  invoice_prefix text not null default 'INV-',
  -- Whether documents leave out lines of quantity and amount 0.
  hide_zero_lines boolean not null default false,
  last_credit_note_number bigint not null default 0,
  -- The number that was remembered when the count was halted.
  numbering_given_credit_note bigint,
  -- Sites that may frame the page of portal links; the same in both environments of an account.
  portal_origins jsonb not null default '[]',
  -- Notices of dates that come: how many days before each, and which date was noted last
  -- (docs/decisions/0044-the-feed.md).
  notice_days jsonb not null default '{"renewal": null, "trial_end": null,
    "credit_expiry": null}' check (jsonb_typeof(notice_days) = 'object'),
  -- The bookkeeper's numbers of the accounts of the journal: a list of {account, tax_treatment, tax_rate, number,
  -- tax_key}.
  account_numbers jsonb not null default '[]',
  -- Members consultant, client, fiscal_year_start, account_length; null is no file for DATEV.
  datev jsonb,
  -- The logo on documents from now on, a row of logos.
  logo_sha256 text,
  unique (account_id, livemode)
);

-- Logos of documents: the one of now, and those that issued invoices have.
create table logos (
  environment_id integer references environments,
  sha256 text check (sha256 = encode(sha256(png), 'hex')),
  png bytea not null,
  -- The last invoice number when it was set: where it is the same when another follows, no invoice has this logo.
  set_after_number bigint not null,
  primary key (environment_id, sha256)
);

-- People who sign in, and what they may do.
create table users (
  account_id text not null references accounts,
  id text collate "C" primary key,
  -- Null for the owner who has not written one.
  email text,
  name text not null,
  role text not null check (role in ('viewer', 'support', 'finance', 'admin')),
  role_from text not null default 'admin' check (role_from in ('admin', 'provider')),
  status text not null check (status in ('invited', 'active', 'removed')),
  -- The user whom the command line signs in.
  is_owner boolean not null default false,
  -- Who the user is at the provider that people sign in with.
  issuer text,
  subject text,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now())
);
create unique index users_email on users (account_id, lower(email));
create index users_of_account on users (account_id, id);
create unique index users_owner on users (account_id) where is_owner;
create unique index users_subject on users (account_id, issuer, subject);

-- Public keys of people's devices, which sign in without a link.
create table passkeys (
  user_id text collate "C" not null references users,
  id text collate "C" primary key,
  name text not null,
  credential_id text collate "C" not null unique,
  public_key bytea not null,
  -- How often the device says that the key was used; 0 for devices that do not count.
  counter bigint not null,
  transports jsonb not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  last_used_at timestamptz(3)
);
create index passkeys_of_user on passkeys (user_id, id);

-- Challenges that were answered, until they expire: each is good once.
create table used_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz(3) not null
);
create index used_challenges_by_end on used_challenges (expires_at);

-- Hashes of the sessions of the dashboard.
create table sessions (
  id text collate "C" primary key,
  account_id text not null references accounts,
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  expires_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  changed_in xid8 not null default pg_current_xact_id(),
  user_id text collate "C" not null references users,
  user_agent text,
  address text
);
create index sessions_changed on sessions (changed_in);
create index sessions_of_account on sessions (account_id, id);
create index sessions_of_user on sessions (user_id) where revoked_at is null;

-- Hashes of links that sign in to the dashboard, once.
create table sign_in_links (
  token_hash bytea primary key check (length(token_hash) = 32),
  account_id text not null references accounts,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  user_id text collate "C" not null references users,
  -- A link of the command line makes its user an active admin again.
  restores_owner boolean not null default false,
  -- Who made an invitation: it is void once this person may invite nobody any more. Null for links of the command line.
  created_by text collate "C" references users
);
create index sign_in_links_made_by on sign_in_links (created_by) where used_at is null;
create index sign_in_links_of_user on sign_in_links (user_id) where used_at is null;

-- Hashes of the keys of an environment.
create table api_keys (
  environment_id integer references environments,
  id text collate "C",
  name text not null,
  kind text not null check (kind in ('full', 'events_only', 'read_only')),
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  last_four text not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  -- The transaction that changed a key or a session last. Who has read all that a snapshot shows finds the rest from
  -- there on: what the snapshot did not show was changed in a transaction of at least its lowest number
  -- (pg_snapshot_xmin).
  changed_in xid8 not null default pg_current_xact_id(),
  created_by text collate "C",
  primary key (environment_id, id)
);
create index api_keys_changed on api_keys (changed_in);

-- Answers of POSTs that carried an Idempotency-Key header, kept for 24 hours.
create table idempotency_keys (
  environment_id integer references environments,
  key text collate "C",
  -- SHA-256 over method, path and body.
  fingerprint bytea not null,
  claimed_at timestamptz(3) not null,
  -- Null while the first request still runs.
  status integer,
  location text,
  body text,
  -- The use that has the key, named by who claims it: who got no answer to a claim can give it up.
  claim uuid not null,
  primary key (environment_id, key)
);
create index idempotency_keys_age on idempotency_keys (claimed_at);

-- What each key has taken of its rate.
create unlogged table rate_buckets (
  key_id text collate "C" primary key,
  -- Units and hundredths of units, taken of a full bucket and not filled up again at `counted_at`; beyond its size they
  -- are owed.
  taken numeric not null,
  counted_at timestamptz not null,
  -- Of `taken`, what the last to ask was given.
  granted integer not null
) with (fillfactor=20);

-- Customers

-- Whom an account bills.
create table customers (
  environment_id integer references environments,
  id text collate "C",
  -- What events name their customer by.
  key bigint generated always as identity unique,
  external_id text collate "C" not null,
  name text,
  email text,
  currency text not null,
  tax_rate numeric check (tax_rate between 0 and 100),
  metadata jsonb not null,
  -- Test data only: where the time of the customer stands; null is real time.
  test_clock timestamptz(3),
  -- Where a running advance is going; null when none runs.
  test_clock_target timestamptz(3),
  hold_drafts boolean not null default false,
  created_at timestamptz(3) not null,
  -- Up to which end of a period answers of advances have reported the invoices, so that of several at once each is in
  -- one answer; null before the first advance.
  test_clock_reported timestamptz(3),
  -- Invoices before the end that an advance made before it moved, and that no answer has reported.
  test_clock_unreported text[] not null default '{}',
  address jsonb,
  tax_ids jsonb not null default '[]',
  tax_treatment text not null default 'standard' check (tax_treatment in ('standard', 'exempt', 'reverse_charge')),
  -- What the buyer wants to read on its documents, such as a purchase order.
  buyer_reference text,
  -- Null: the environment's.
  timezone text,
  net_days integer check (net_days between 0 and 365),
  -- Money in advance: the sum of its entries.
  balance numeric not null default 0 check (balance >= 0),
  -- External id, name and email without case and accents (src/domain/people/search-text.ts); null: the worker writes it
  -- soon.
  search_text text,
  search_grams text[] generated always as (search_grams(environment_id, search_text, '{1,2,3}'::integer[])) stored,
  -- Its events before it are in files, or leave for them now.
  archived_to timestamptz(3),
  primary key (environment_id, id),
  unique (environment_id, external_id)
);
create index customers_search on customers using gin (search_grams);
create index customers_without_search_text on customers (environment_id, id) where search_text is null;

-- Customers that were deleted; what stores events is ordered against a deletion by a lock of this table.
create table deleted_customers (
  environment_id integer references environments,
  id text collate "C",
  key bigint not null unique,
  deleted_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  deleted_by text not null,
  primary key (environment_id, id)
);

-- Calls that blanked a customer, each with the properties that its events lose; never deleted.
create table redactions (
  id bigint generated always as identity primary key,
  environment_id integer not null references environments,
  customer_id text collate "C" not null,
  customer_key bigint not null,
  -- Names of properties that the worker removes from the customer's events.
  properties text[] not null,
  redacted_at timestamptz(3) not null,
  -- A key or a session.
  redacted_by text not null,
  -- With epoch, which events were stored before the call: those of lower transaction ids.
  xid xid8 not null default pg_current_xact_id(),
  epoch integer not null,
  -- The last event that the worker has passed, by timestamp and id; null before the first.
  swept_to_timestamp timestamptz(3),
  swept_to_id bigint,
  -- Since when no event that was stored before the call has the properties.
  finished_at timestamptz(3),
  check ((swept_to_timestamp is null) = (swept_to_id is null))
);
create index redactions_customer on redactions (customer_key, id);
create index redactions_environment on redactions (environment_id, customer_id);
create index redactions_pending on redactions (id) where finished_at is null;

-- What a batch job could not do for one customer, while it went on with the others.
create table set_aside (
  environment_id integer,
  job text collate "C" check (job in ('rollup', 'expired_credit', 'usage_report')),
  customer_id text collate "C",
  -- Why, as the database or the program says it.
  reason text not null,
  -- The instant of the oldest change that the job lacks of the customer, or of the failure.
  failed_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  tried_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  primary key (environment_id, job, customer_id),
  foreign key (environment_id, customer_id) references customers (environment_id, id)
);
create index set_aside_tried on set_aside (job, tried_at);

-- Links by which customers read their own documents and usage; only hashes of their tokens.
create table portal_sessions (
  environment_id integer references environments,
  id text collate "C",
  customer_id text collate "C" not null,
  token_hash bytea not null unique,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  -- The transaction that wrote what the API caches; src/db/account/credentials.ts reads rows by it.
  changed_in xid8 not null default pg_current_xact_id(),
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id) on delete cascade,
  check (expires_at > created_at)
);
create index portal_sessions_by_end on portal_sessions (expires_at);
create index portal_sessions_changed on portal_sessions (changed_in);
create index portal_sessions_of_customer on portal_sessions (environment_id, customer_id, id);

-- Plans and subscriptions

-- What a customer can subscribe to; a plan never changes.
create table plans (
  environment_id integer references environments,
  id text collate "C",
  name text not null,
  currency text not null,
  interval text not null check (interval in ('day', 'week', 'month', 'year')),
  interval_count integer not null check (interval_count > 0),
  pricing_model text,
  metadata jsonb not null,
  created_at timestamptz(3) not null,
  -- Its periods begin with work: the plan has fees in advance.
  opens_periods boolean not null default false,
  -- The name that versions of a plan share.
  key text collate "C",
  -- Counted from 1 for each key.
  version integer,
  -- Since then no subscription begins with the plan or changes to it.
  archived_at timestamptz(3),
  -- Credit for some events or one subscription, and credit that comes with a plan (billing.md 4).
  grants jsonb not null default '[]',
  -- The least that a full period costs, net (billing.md 13).
  minimum_amount numeric check (minimum_amount > 0),
  -- The base of a custom plan, whose charges it has with other prices (billing.md 12); null of other plans.
  based_on text collate "C",
  -- The only customer that may use a custom plan.
  customer_id text collate "C",
  -- The other prices of a custom plan, as they were sent.
  overrides jsonb,
  primary key (environment_id, id),
  foreign key (environment_id, based_on) references plans (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  constraint plans_key_check check (((key is null) = (version is null)) and version > 0),
  constraint plans_custom_check check (num_nulls(based_on, customer_id, overrides) = 3
    or (num_nulls(based_on, customer_id, overrides) = 0 and key is null))
);
create index plans_of_customer on plans (environment_id, customer_id, id) where customer_id is not null;
create index plans_of_base on plans (environment_id, based_on) where based_on is not null;
-- The list of plans leaves custom plans out, of which there may be many.
create index plans_of_everybody on plans (environment_id, id) where customer_id is null;
create index plans_archived on plans (environment_id, id) where archived_at is not null;
create unique index plans_of_key on plans (environment_id, key, version);

-- What a plan charges for, in the order of its lines.
create table charges (
  environment_id integer,
  id text collate "C",
  plan_id text collate "C" not null,
  position integer not null,
  event_name text collate "C" not null,
  name text,
  aggregation jsonb not null,
  filters jsonb,
  -- The model and its fields, decimals as canonical strings: src/domain/pricing/charge.ts has the shape.
  pricing jsonb not null,
  -- What a charge counts, in the plural, as its lines say it to the person who pays: "minutes".
  unit_name text,
  -- Prices by the values of properties, and lines by group.
  group_by jsonb,
  primary key (environment_id, id),
  unique (environment_id, plan_id, position),
  foreign key (environment_id, plan_id) references plans (environment_id, id)
);

-- A customer on a plan; each has one workflow.
create table subscriptions (
  environment_id integer,
  id text collate "C",
  customer_id text collate "C" not null,
  plan_id text collate "C" not null,
  start_date timestamptz(3) not null,
  trial_end_date timestamptz(3),
  billing_anchor timestamptz(3),
  cancel_at timestamptz(3),
  -- Why billing waits for a person.
  attention text,
  -- When its last period was billed and its workflow ended.
  finished_at timestamptz(3),
  created_at timestamptz(3) not null,
  -- Fixed when the subscription is made: its boundaries are days of this zone.
  timezone text not null default 'UTC',
  -- Whether the date that anchors the periods was sent as a day: they then begin at midnight, also after a day that has
  -- none.
  anchor_is_day boolean not null default false,
  noted_status text not null default 'pending' check (noted_status in ('pending', 'trialing', 'active', 'canceled')),
  cancel_settle text not null default 'balance' check (cancel_settle in ('balance', 'outside', 'none')),
  -- The use of unused time of fees that the end leaves out, where cancel_settle is that of a change of plan.
  settle_left_out text not null default 'balance' check (settle_left_out in ('balance', 'outside', 'none')),
  billing_failed boolean not null default false,
  -- The end of a billing period that the last notice was about.
  noted_renewal timestamptz(3),
  -- The end of a trial that the last notice was about.
  noted_trial_end timestamptz(3),
  -- The usage of a part, net, at which the part is billed before its end.
  bill_at numeric check (bill_at > 0),
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, plan_id) references plans (environment_id, id),
  check (trial_end_date > start_date)
);
-- What waits for a person is asked for by the dashboard, by every scrape of the metrics and by the command line, and is
-- rare.
create index subscriptions_attention on subscriptions (environment_id, id) where attention is not null;
-- The rollup asks each step for them, and they are few.
create index subscriptions_bill_at on subscriptions (environment_id, customer_id) where ((bill_at is not null)
  and (finished_at is null));
create index subscriptions_customer on subscriptions (environment_id, customer_id, id);
create index subscriptions_live on subscriptions (id) where finished_at is null;
create index subscriptions_plan on subscriptions (environment_id, plan_id);
-- When the next status is due.
create index subscriptions_to_note on subscriptions (environment_id, LEAST(cancel_at,
case noted_status
   
  when 'pending' then start_date
    when 'trialing' then trial_end_date
    else null::timestamptz
end))
  where noted_status <> 'canceled';

-- Subscriptions whose open part is to be compared with bill_at (decision 64).
create table threshold_looks (
  environment_id integer,
  subscription_id text collate "C",
  -- Real time, from which on a worker looks.
  look_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  -- False for a rest after a look that read many events: without usage in between no look follows.
  is_asked boolean not null default true,
  primary key (environment_id, subscription_id),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id)
);
create index threshold_looks_due on threshold_looks (look_at);

-- The plan of a subscription changes (decision 46). Its first plan stays in subscriptions.plan_id.
create table plan_changes (
  environment_id integer,
  subscription_id text collate "C",
  -- The first instant of the plan.
  at timestamptz(3),
  plan_id text collate "C" not null,
  -- Whether the instant was sent as a day: periods that are anchored at it then begin at midnight.
  is_day boolean not null,
  -- When the feed noted that the plan holds; null while it is to come.
  noted_at timestamptz(3),
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  settle text not null default 'balance' check (settle in ('balance', 'outside', 'none')),
  -- The use of unused time of each plan that was exchanged at this instant, by the id of the plan.
  exchanges jsonb not null default '{}',
  proration text not null default 'exact' check (proration in ('exact', 'none', 'full')),
  cycle text not null default 'keep' check (cycle in ('keep', 'restart')),
  take_back_grants boolean not null default false,
  primary key (environment_id, subscription_id, at),
  foreign key (environment_id, plan_id) references plans (environment_id, id),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id)
);
create index plan_changes_by_plan on plan_changes (environment_id, plan_id);
create index plan_changes_to_note on plan_changes (environment_id, at) where noted_at is null;

-- Quantities of the flat charges of a subscription, by their event names, each from an instant on (decision 63).
create table quantity_changes (
  environment_id integer,
  subscription_id text collate "C",
  event_name text collate "C",
  -- The first instant of the quantity; -infinity for one with which the subscription begins.
  at timestamptz(3),
  quantity numeric not null check (quantity >= 0),
  -- The use of what was paid for a lower quantity, and the invoice of a higher one.
  settle text not null check (settle in ('balance', 'outside', 'none')),
  bill text not null check (bill in ('with_next', 'now')),
  -- It was sent with the change of plan at its instant, and is taken back with it.
  with_change boolean not null default false,
  -- When it had come, and its notes and openings were made; null while it is to come.
  came_at timestamptz(3),
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  -- As the audit log says it.
  quantities jsonb generated always as (jsonb_object(array[event_name, trim_scale(quantity)::text])) stored,
  primary key (environment_id, subscription_id, event_name, at),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id)
);
create index quantity_changes_to_settle on quantity_changes (environment_id, subscription_id, at)
  where came_at is null;

-- The plan of each span of a subscription: its first one, then that of each change.
create view subscription_plans as
select environment_id, subscription_id, plan_id, begins_at,
  coalesce(lead(begins_at) over (partition by environment_id, subscription_id order by begins_at), 'infinity') as ends_at
from (
  select environment_id, id as subscription_id, plan_id, '-infinity'::timestamptz as begins_at from subscriptions
  union all
  select environment_id, subscription_id, plan_id, at from plan_changes
) as plan;

-- Moves of all subscribers of a plan to another one, and how far each is.
create table plan_migrations (
  environment_id integer references environments,
  id text collate "C",
  -- As it was sent: a plan, or the key of all versions in from_plan_ids.
  from_plan_id text not null,
  from_plan_ids text[] not null,
  to_plan_id text collate "C" not null,
  -- As it was sent: now, period_end, an instant, or a day in the time zone of each subscription.
  at text not null,
  settle text not null check (settle in ('balance', 'outside', 'none')),
  status text not null default 'running' check (status in ('running', 'done', 'stopped', 'taken_back')),
  -- The last subscription that the pass over them has reached; the empty text before the first.
  reached text collate "C" not null default '',
  total integer not null,
  changed integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  taken_back integer not null default 0,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  created_by text not null,
  -- Set again where a migration that is over is taken back.
  finished_at timestamptz(3),
  proration text not null default 'exact' check (proration in ('exact', 'none', 'full')),
  cycle text not null default 'keep' check (cycle in ('keep', 'restart')),
  -- Whether custom plans are based anew on the target; else they are passed over.
  custom boolean not null default false,
  primary key (environment_id, id),
  foreign key (environment_id, to_plan_id) references plans (environment_id, id),
  check (finished_at is not null or (status in ('running', 'taken_back'))),
  check (finished_at is null or status <> 'running')
);
create index plan_migrations_by_plan on plan_migrations (environment_id, to_plan_id);
create index plan_migrations_to_run on plan_migrations (environment_id, id) where finished_at is null;

-- The subscriptions of a migration, with what became of each.
create table plan_migration_outcomes (
  environment_id integer,
  migration_id text collate "C",
  subscription_id text collate "C",
  -- Null until its turn.
  status text check (status in ('changed', 'skipped', 'failed', 'taken_back')),
  reason text,
  -- The instant of the change that was made.
  changed_at timestamptz(3),
  details jsonb,
  -- The custom plan to which it was changed; null: the target of the migration.
  to_plan_id text collate "C",
  primary key (environment_id, migration_id, subscription_id),
  foreign key (environment_id, to_plan_id) references plans (environment_id, id),
  foreign key (environment_id, migration_id) references plan_migrations (environment_id, id),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id),
  check ((changed_at is not null) = coalesce((status in ('changed', 'taken_back')), false)),
  check (reason is null or status is not null)
);
create index plan_migration_outcomes_by_status on plan_migration_outcomes (environment_id, migration_id, status,
  subscription_id);
create index plan_migration_outcomes_by_subscription on plan_migration_outcomes (environment_id, subscription_id);

-- Billing periods, trials and late windows of a subscription, each opened when the one before it closes.
create table periods (
  environment_id integer,
  subscription_id text collate "C",
  period_start timestamptz(3),
  period_end timestamptz(3) not null,
  kind text not null check (kind in ('trial', 'billing', 'late')),
  -- The two boundaries of the anchor around the period: the whole that flat amounts of a short period are a part of.
  interval_start timestamptz(3) not null,
  interval_end timestamptz(3) not null,
  -- Parts of one cut period share it: quantities, tiers and free units run over all of them.
  full_period_start timestamptz(3) not null,
  -- When the period's invoice was drafted, or the trial ended. The period after it opens in the same transaction.
  closed_at timestamptz(3),
  -- Since when no late line can come any more; null again once an invoice that bills the period is void.
  late_window_closed_at timestamptz(3),
  -- Until when an event of a settled period was stored in time.
  late_usage_until timestamptz(3),
  plan_id text collate "C" not null,
  -- Null until the beginning of the period is worked off.
  opened_at timestamptz(3) default date_trunc('milliseconds', now()),
  -- Whether the notice of its end is made, or not wanted since nothing follows; a change of the subscription asks anew.
  end_noted boolean not null default false,
  primary key (environment_id, subscription_id, period_start),
  foreign key (environment_id, plan_id) references plans (environment_id, id),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id),
  check (period_end > period_start)
);
create index periods_late_window_open on periods (environment_id, subscription_id, full_period_start)
  where late_window_closed_at is null;
create unique index periods_open on periods (environment_id, subscription_id) where closed_at is null;
create index periods_to_notice on periods (environment_id, period_end) where (closed_at is null and kind <> 'late'
  and (not end_noted));
create index periods_to_open on periods (environment_id, subscription_id) where opened_at is null;

-- Events, and what they add up to

-- What customers used, one row an idempotency key.
create table events (
  id bigint not null default nextval('events_id_seq'::regclass),
  -- 128 bits of SHA-256 over environment and idempotency key; the public id is derived from it.
  key_hash uuid not null,
  environment_id integer not null,
  -- The month of storing as a number, 202612 for December 2026; 0 is for every other event.
  bucket integer not null default 0,
  customer_key bigint not null,
  timestamp timestamptz(3) not null,
  created_at timestamptz(3) not null,
  -- With epoch, what a cut-off is compared with.
  created_xid xid8 not null default pg_current_xact_id(),
  epoch integer not null default 1,
  -- A resend without a timestamp equals only an original without one.
  timestamp_given boolean not null,
  event_name text collate "C" not null,
  idempotency_key text collate "C" not null,
  properties jsonb not null
) partition by list (bucket);
create index events_customer on events (customer_key, "timestamp", id);
-- What the rollup has not added up yet is found by it. Transaction ids only rise, so that new entries go to its right
-- edge and cost next to nothing.
create index events_stored on events (epoch, created_xid);
create index events_timestamp on events (environment_id, "timestamp", id);

-- Events of bucket 0: of test data, and those that stay when their month leaves.
create table events_kept partition of events for values in (0);

-- One row for each event ever stored, for ever: what makes a resend a duplicate.
create table event_keys (
  key_hash uuid not null,
  -- Of what was sent, made when the event left or lost properties; null: the event is stored as it was sent.
  content_hash uuid,
  -- With timestamp, where the event is in the index events_timestamp.
  event_id bigint not null,
  timestamp timestamptz(3) not null,
  created_at timestamptz(3) not null,
  -- The hash of the event as it is stored since some of its properties were redacted.
  redacted_hash uuid
);
create unique index event_keys_key on event_keys (key_hash);

-- On which days an environment has events of a name.
create table event_days (
  environment_id integer references environments,
  event_name text collate "C",
  day timestamptz(3),
  events bigint not null,
  primary key (environment_id, event_name, day)
) with (fillfactor=80);

-- What the events of a customer and name come to in a UTC day. It may lag behind the events.
create table usage_days (
  environment_id integer not null,
  customer_key bigint,
  event_name text collate "C",
  -- The property whose numbers are added up; '' in the row that only counts, which every day has.
  property text collate "C",
  -- Its first instant.
  day timestamptz(3),
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
  -- The day has more cells than are kept, so bills read its events.
  has_no_cells boolean not null default false,
  primary key (customer_key, event_name, property, day)
) with (fillfactor=80);

-- What the events of a customer, name and day come to by the values of the properties that plans price or select by.
create table usage_cells (
  environment_id integer not null,
  customer_key bigint,
  event_name text collate "C",
  day timestamptz(3),
  -- A hash of the values, which may be long.
  cell uuid,
  property text collate "C",
  values jsonb not null,
  events bigint not null,
  skipped_events bigint not null,
  total numeric,
  maximum numeric,
  primary key (customer_key, event_name, day, cell, property)
) with (fillfactor=80);

-- The properties by whose values the rollup adds up the events of a customer and name.
create table usage_dimensions (
  environment_id integer not null,
  customer_key bigint,
  event_name text collate "C",
  property text collate "C",
  unfilled_before timestamptz(3) default 'infinity'::timestamptz,
  primary key (customer_key, event_name, property)
);
create index usage_dimensions_unfilled on usage_dimensions (customer_key, event_name) where unfilled_before is not null;

-- Moments at which billing read the events; a line bills what lies between two of them.
create table cut_offs (
  environment_id integer,
  id bigint generated always as identity,
  subscription_id text collate "C" not null,
  epoch integer not null references epochs,
  snapshot pg_snapshot not null,
  taken_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (environment_id, id),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id)
);
create index cut_offs_subscription on cut_offs (environment_id, subscription_id);

-- Files with events that left the database, each entered once it was read back and compared.
create table archive_files (
  environment_id integer references environments,
  month text collate "C" check (month ~ '^\d{4}-\d{2}$'),
  part integer check (part > 0),
  name text collate "C" not null,
  events bigint not null check (events > 0),
  bytes bigint not null,
  sha256 bytea not null check (length(sha256) = 32),
  epoch integer not null,
  -- With epoch, up to where in the order of storing it has the events.
  up_to_xid xid8 not null,
  written_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  -- When the last of its events left the database.
  removed_at timestamptz(3),
  -- How many of its events a restore has brought back, and when it was done.
  restored_events bigint not null default 0,
  restored_at timestamptz(3),
  primary key (environment_id, month, part)
);

-- Invoices, and what happens after their issue

-- Bills of a period, from the draft on; at most one of a period is not void.
create table invoices (
  environment_id integer,
  id text collate "C",
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
  -- A draft whose lines were counted beside a line that is void by now: it is counted again before it is issued.
  is_stale boolean not null default false,
  -- Who sells, as it was when the invoice was issued: name, address, footer. Beside `customer` it is all that a
  -- document says of others.
  seller jsonb,
  content_hash_version smallint,
  -- The number as documents show it: the prefix at the issue and the count.
  full_number text,
  tax_treatment text not null default 'standard' check (tax_treatment in ('standard', 'exempt', 'reverse_charge')),
  tax_note text,
  timezone text not null default 'UTC',
  hide_zero_lines boolean not null default false,
  due_date date,
  -- The end of the due date in the zone of the invoice.
  due_at timestamptz(3),
  -- What the balance covered when the invoice was issued, as its document says.
  balance_at_issue numeric not null default 0,
  -- What the balance covers now.
  balance_applied numeric not null default 0,
  -- What its credit notes take off it.
  credited numeric not null default 0,
  -- When the worker first saw that the open invoice was overdue, by the clock of its customer; never cleared.
  overdue_at timestamptz(3),
  -- An opening invoice bills the period that it begins, beside the invoice that closes the period.
  kind text not null default 'period' check (kind in ('period', 'opening', 'late')),
  -- Of an opening: 1 where it begins its period, more of one for a higher quantity inside it.
  opening_number integer,
  -- Why it was made before the end of its period, if not by a person.
  cause text check (cause in ('threshold')),
  -- The sums of its lines by their type, from the issue on: what revenue is made of.
  fees numeric,
  usage numeric,
  late_usage numeric,
  items numeric,
  discounts numeric,
  minimums numeric,
  -- The logo on its pages, as it was when the invoice was issued: a row of logos.
  logo_sha256 text,
  primary key (environment_id, id),
  unique (environment_id, full_number),
  unique (environment_id, number),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, plan_id) references plans (environment_id, id),
  foreign key (environment_id, replaced_by) references invoices (environment_id, id),
  foreign key (environment_id, replaces) references invoices (environment_id, id),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id),
  check ((number is null) = (issued_at is null)),
  check (status <> 'draft' or number is null),
  check ((kind = 'opening') = (opening_number is not null)),
  check ((status not in ('open', 'paid')) or number is not null),
  check (number is null or (seller is not null and customer is not null)),
  check (number is null or num_nulls(fees, usage, late_usage, items, discounts, minimums) = 0),
  check ((content_hash is null) = (content_hash_version is null)),
  check ((number is null) = (full_number is null)),
  check ((number is null) = (due_date is null)),
  check ((due_date is null) = (due_at is null)),
  check (cause is null or kind = 'period')
);
create index invoices_customer on invoices (environment_id, customer_id, id);
create index invoices_drafts on invoices (environment_id, subscription_id) where status = 'draft';
create index invoices_due on invoices (environment_id, due_at) where status = 'open';
-- The row of a bank's file whose amount is due.
create index invoices_amount_due on invoices (environment_id, currency,
  (((total - amount_paid) - balance_applied) - credited), id) where status = 'open';
-- Lists of invoices by the time of their issue; a draft has none. Revenue, and receivables of a past day, are read from
-- the index alone.
create index invoices_issued_at on invoices (environment_id, issued_at)
  include (id, customer_id, currency, due_date, plan_id, fees, usage, late_usage, items, discounts, minimums,
    tax_amount)
  where issued_at is not null;
-- Lists in the order of ids, filtered by a time that is far back: the index is read from the newest row on, and no row
-- beyond the range.
create index invoices_newest on invoices (environment_id, id, issued_at, period_end);
create index invoices_not_yet_overdue on invoices (environment_id, due_at) where (status = 'open'
  and overdue_at is null);
create unique index invoices_period on invoices (environment_id, subscription_id, period_start, kind, opening_number)
  nulls not distinct where status <> 'void';
create index invoices_period_end on invoices (environment_id, period_end);
create index invoices_subscription on invoices (environment_id, subscription_id, period_start);
-- The journal reads by the time of recording.
create index invoices_voided_at on invoices (environment_id, voided_at) where voided_at is not null;

-- Amounts that a person puts on the next invoice of a subscription; a deleted one stays, marked.
create table invoice_items (
  environment_id integer references environments,
  id text collate "C",
  -- The order of writing, under the lock of the customer: ids of two machines may differ from it by their clocks.
  position bigint generated always as identity,
  customer_id text collate "C" not null,
  subscription_id text collate "C" not null,
  description text not null,
  quantity numeric not null check (quantity > 0),
  -- Below zero for a discount.
  unit_amount numeric not null,
  -- Quantity times unit amount, rounded once.
  amount numeric not null,
  -- By the customer's clock.
  created_at timestamptz(3) not null,
  created_by text not null,
  deleted_at timestamptz(3),
  deleted_by text,
  -- An item below zero is split where a part of it fits: the item becomes the part, and the rest is an item of its own.
  -- A line keeps the unit amount that it was made with, since its item may be split again later.
  split_from text collate "C",
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id),
  check ((deleted_at is null) = (deleted_by is null))
);
create index invoice_items_customer on invoice_items (environment_id, customer_id, id);
create index invoice_items_subscription on invoice_items (environment_id, subscription_id, position)
  where deleted_at is null;

-- Percents off the lines of a customer.
create table discounts (
  environment_id integer references environments,
  id text collate "C",
  customer_id text collate "C" not null,
  -- Null is each subscription of the customer.
  subscription_id text collate "C",
  name text not null,
  -- Of the price, or an amount off each full period, net.
  percent numeric check (percent > 0 and percent <= 100),
  amount numeric check (amount > 0),
  -- A list of the event names of charges; null is all.
  event_names jsonb,
  -- It holds for the full periods that begin before its end and end after its start; for none where they are equal.
  "from" timestamptz(3) not null,
  until timestamptz(3),
  -- By the customer's clock.
  created_at timestamptz(3) not null,
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id),
  check (until >= "from"),
  check ((percent is null) <> (amount is null)),
  check (amount is null or event_names is null)
);
create index discounts_customer on discounts (environment_id, customer_id, id);
create index discounts_subscription on discounts (environment_id, subscription_id, id)
  where subscription_id is not null;

-- One charge, one of its prices or groups, or one invoice item, on an invoice.
create table line_items (
  environment_id integer,
  id text collate "C",
  invoice_id text collate "C" not null,
  position integer not null,
  type text not null check (type in ('flat', 'usage', 'late_usage', 'item', 'discount', 'minimum')),
  charge_id text collate "C",
  event_name text collate "C",
  description text not null,
  pricing_model text,
  aggregation jsonb,
  quantity numeric not null,
  skipped_events integer not null,
  credits_applied numeric not null,
  billable_quantity numeric not null,
  tiers jsonb,
  amount numeric not null,
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null,
  full_period_start timestamptz(3) not null,
  -- All lines of a charge and an uncut period are priced together (billing.md 5) and are found by these columns.
  subscription_id text collate "C" not null,
  invoice_item_id text collate "C",
  -- The price and the group that the line bills of its charge.
  series jsonb not null default '{"group": null, "others": false, "price_index": null}',
  unit_amount numeric,
  -- Its discounts, each {discount_id, name, percent}, and its amount without their percents.
  discounts jsonb not null default '[]',
  amount_before numeric,
  -- The times of a fee with a quantity, each {period_start, period_end, quantity, amount}, and what other lines bill.
  stretches jsonb,
  billed_before numeric,
  primary key (environment_id, id),
  foreign key (environment_id, charge_id) references charges (environment_id, id),
  foreign key (environment_id, invoice_id) references invoices (environment_id, id),
  foreign key (environment_id, invoice_item_id) references invoice_items (environment_id, id),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id),
  constraint line_items_source_check check (
case type
    when 'item' then (invoice_item_id is not null
    and charge_id is null and event_name is null and pricing_model is null)
    when 'discount' then (invoice_item_id is null
    and charge_id is null and event_name is null and pricing_model is null)
    when 'minimum' then (invoice_item_id is null
    and charge_id is null and event_name is null and pricing_model is null)
    else (invoice_item_id is null
    and charge_id is not null and event_name is not null and pricing_model is not null)
end),
  constraint line_items_unit_amount_check check ((type = 'item') = (unit_amount is not null)),
  constraint line_items_discounts_check check (case type
    when 'discount' then (jsonb_array_length(discounts) = 1 and amount_before is null)
    else ((discounts = '[]') = (amount_before is null))
end),
  check ((stretches is null) = (billed_before is null))
);
create index line_items_charge on line_items (environment_id, charge_id);
create index line_items_full_period on line_items (environment_id, subscription_id, full_period_start);
create unique index line_items_invoice_item on line_items (environment_id, invoice_item_id, invoice_id)
  where invoice_item_id is not null;
create unique index line_items_period on line_items (environment_id, invoice_id, full_period_start, type,
  (discounts -> 0 ->> 'discount_id')) nulls not distinct where type in ('discount', 'minimum');
create unique index line_items_series on line_items (environment_id, invoice_id, charge_id, full_period_start, series);

-- Which events a line bills: from one cut-off to another, within a span of time.
create table line_item_spans (
  environment_id integer,
  line_item_id text collate "C",
  position integer,
  after_cut_off_id bigint,
  up_to_cut_off_id bigint not null,
  timestamp_from timestamptz(3) not null,
  timestamp_to timestamptz(3) not null,
  -- The time of storing, half open, null for no bound: a late line holds only what was stored in time.
  stored_from timestamptz(3),
  stored_to timestamptz(3),
  primary key (environment_id, line_item_id, position),
  foreign key (environment_id, after_cut_off_id) references cut_offs (environment_id, id),
  foreign key (environment_id, line_item_id) references line_items (environment_id, id) on delete cascade,
  foreign key (environment_id, up_to_cut_off_id) references cut_offs (environment_id, id)
);

-- The groups of a charge that have lines of their own in a full period; all others share one.
create table line_groups (
  environment_id integer,
  subscription_id text collate "C",
  charge_id text collate "C",
  full_period_start timestamptz(3),
  series jsonb,
  primary key (environment_id, subscription_id, charge_id, full_period_start, series),
  foreign key (environment_id, charge_id) references charges (environment_id, id),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id)
);

-- What lines held whose events left: how many events, and a sum over their keys.
create table archived_lines (
  environment_id integer,
  line_item_id text collate "C",
  events bigint not null,
  key_sum numeric not null,
  primary key (environment_id, line_item_id),
  foreign key (environment_id, line_item_id) references line_items (environment_id, id)
);

-- Requests to replace an invoice, and what became of each.
create table regenerations (
  environment_id integer,
  id text collate "C",
  subscription_id text collate "C" not null,
  invoice_id text collate "C" not null,
  reason text,
  -- Names who asked, the Idempotency-Key or a signal that a person sent by hand: asking again finds the row.
  request_key text collate "C",
  status text not null check (status in ('pending', 'done', 'refused')),
  new_invoice_id text collate "C",
  -- Why it was refused, for the person who asked.
  refusal text,
  requested_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- Who asked for a regeneration; its worker acts in this name. Null: a signal by hand.
  actor text default NULLIF(current_setting('tidemark.actor', true), ''),
  -- Why a regeneration, or a turn of a plan migration, was refused: the details of the error, [{param, reason,
  -- message}]. Null where it was not refused, or the database refused a row.
  details jsonb,
  primary key (environment_id, id),
  unique (environment_id, request_key),
  foreign key (environment_id, invoice_id) references invoices (environment_id, id),
  foreign key (environment_id, new_invoice_id) references invoices (environment_id, id),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id),
  check ((status = 'done') = (new_invoice_id is not null)),
  check ((status = 'pending') = (finished_at is null))
);
create index regenerations_invoice on regenerations (environment_id, invoice_id);
create index regenerations_pending on regenerations (environment_id, subscription_id, id) where status = 'pending';
create index regenerations_subscription on regenerations (environment_id, subscription_id, id);

-- Ranges of invoice numbers that no invoice has, each with its reason.
create table invoice_number_gaps (
  environment_id integer references environments,
  number_from bigint,
  number_to bigint not null,
  reason text not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  primary key (environment_id, number_from),
  check (number_to >= number_from)
);

-- What a customer paid at once, such as for several invoices; its payments are the parts, and say whether it stands.
create table transfers (
  environment_id integer references environments,
  id text collate "C",
  customer_id text collate "C" not null,
  -- In the currency of the customer.
  amount numeric not null check (amount > 0),
  reference text,
  paid_at timestamptz(3) not null,
  -- By the customer's clock.
  created_at timestamptz(3) not null,
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id)
);
create index transfers_customer on transfers (environment_id, customer_id, id);
-- The row of a bank's file that is booked already.
create index transfers_received on transfers (environment_id, reference, amount, paid_at) where reference is not null;

-- What customers paid, for invoices and in advance; a payment made by mistake is reversed and stays.
create table payments (
  environment_id integer references environments,
  id text collate "C",
  invoice_id text collate "C",
  amount numeric not null check (amount > 0),
  reference text,
  paid_at timestamptz(3) not null,
  -- By the customer's clock.
  created_at timestamptz(3) not null,
  -- The key or the session that recorded it.
  created_by text,
  reversed_at timestamptz(3),
  reversal_reason text,
  reversed_by text,
  -- The part of a payment that was above what was due.
  to_balance numeric not null default 0,
  -- Who paid: of an invoice its customer.
  customer_id text collate "C" not null,
  -- The transfer of which it is a part.
  transfer_id text collate "C",
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, invoice_id) references invoices (environment_id, id),
  foreign key (environment_id, transfer_id) references transfers (environment_id, id),
  check (to_balance >= 0 and to_balance <= amount),
  check (invoice_id is not null or to_balance = amount),
  check (reversed_at is not null or reversal_reason is null)
);
create index payments_created_at on payments (environment_id, created_at);
create index payments_customer on payments (environment_id, customer_id, id);
create index payments_invoice on payments (environment_id, invoice_id);
create index payments_newest on payments (environment_id, id, paid_at);
-- The row of a bank's file that is booked already.
create index payments_received on payments (environment_id, reference, amount, paid_at)
  where (reference is not null and reversed_at is null);
create index payments_reference on payments (environment_id, reference, id) where reference is not null;
create index payments_reversed_at on payments (environment_id, reversed_at) where reversed_at is not null;
create index payments_transfer on payments (environment_id, transfer_id) where transfer_id is not null;

-- What takes back part of an issued invoice, in money; one without created_by was issued by billing itself.
create table credit_notes (
  environment_id integer references environments,
  id text collate "C",
  invoice_id text collate "C" not null,
  status text not null check (status in ('issued', 'void')),
  number bigint not null,
  full_number text not null,
  -- Zero where the lines of discounts take off all that other lines give back.
  subtotal numeric not null check (subtotal >= 0),
  tax_amount numeric not null check (tax_amount >= 0),
  total numeric not null,
  to_invoice numeric not null check (to_invoice >= 0),
  to_balance numeric not null check (to_balance >= 0),
  -- Paid back outside of this system.
  outside numeric not null check (outside >= 0),
  reason text not null,
  -- By the customer's clock, as all times here.
  issued_at timestamptz(3) not null,
  created_by text,
  voided_at timestamptz(3),
  void_reason text,
  voided_by text,
  content_hash bytea,
  -- The invoice whose late lines an automatic note settles: the note is void with it.
  cause_invoice_id text collate "C",
  primary key (environment_id, id),
  unique (environment_id, full_number),
  unique (environment_id, number),
  foreign key (environment_id, cause_invoice_id) references invoices (environment_id, id),
  foreign key (environment_id, invoice_id) references invoices (environment_id, id),
  check (total = (subtotal + tax_amount)),
  check (total = ((to_invoice + to_balance) + outside)),
  check ((status = 'void') = (voided_at is not null)),
  check (cause_invoice_id is null or created_by is null)
);
create index credit_notes_cause on credit_notes (environment_id, cause_invoice_id) where cause_invoice_id is not null;
create index credit_notes_invoice on credit_notes (environment_id, invoice_id);
create index credit_notes_issued_at on credit_notes (environment_id, issued_at);
create index credit_notes_voided_at on credit_notes (environment_id, voided_at) where voided_at is not null;

-- What a credit note takes off each line of its invoice.
create table credit_note_lines (
  environment_id integer,
  credit_note_id text collate "C",
  position integer,
  line_item_id text collate "C" not null,
  -- Net.
  amount numeric not null check (amount <> 0),
  primary key (environment_id, credit_note_id, position),
  unique (environment_id, credit_note_id, line_item_id),
  foreign key (environment_id, credit_note_id) references credit_notes (environment_id, id),
  foreign key (environment_id, line_item_id) references line_items (environment_id, id)
);
create index credit_note_lines_line_item on credit_note_lines (environment_id, line_item_id);

-- Ranges of credit note numbers that no credit note has, each with its reason.
create table credit_note_number_gaps (
  environment_id integer references environments,
  number_from bigint,
  number_to bigint not null,
  reason text not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  primary key (environment_id, number_from),
  check (number_to >= number_from)
);

-- What moved the balance of a customer; never changed.
create table balance_entries (
  environment_id integer references environments,
  id text collate "C",
  -- The order of writing, under the lock of the customer: ids of two machines may differ from it by their clocks.
  position bigint generated always as identity,
  customer_id text collate "C" not null,
  type text not null check (type in ('credit_note', 'adjustment', 'applied', 'returned', 'overpayment', 'deposit',
    'unapplied')),
  -- Signed, and in the currency of the customer.
  amount numeric not null check (amount <> 0),
  reason text,
  invoice_id text collate "C",
  credit_note_id text collate "C",
  payment_id text collate "C",
  -- By the customer's clock.
  created_at timestamptz(3) not null,
  -- The key or the session that caused it; null for what billing itself did.
  created_by text,
  primary key (environment_id, id),
  foreign key (environment_id, credit_note_id) references credit_notes (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, invoice_id) references invoices (environment_id, id),
  foreign key (environment_id, payment_id) references payments (environment_id, id),
  check (type <> 'unapplied' or (amount > 0 and invoice_id is not null and (num_nonnulls(payment_id,
    credit_note_id) = 1)))
);
create index balance_entries_created_at on balance_entries (environment_id, created_at);
create index balance_entries_credit_note on balance_entries (environment_id, credit_note_id)
  where credit_note_id is not null;
create index balance_entries_customer on balance_entries (environment_id, customer_id, id);
create index balance_entries_invoice on balance_entries (environment_id, invoice_id) where invoice_id is not null;
create index balance_entries_payment on balance_entries (environment_id, payment_id) where payment_id is not null;

-- Months whose books are closed; one that was opened again stays, marked.
create table closed_months (
  environment_id integer references environments,
  id text collate "C",
  month text collate "C" not null check (month ~ '^\d{4}-\d{2}$'),
  -- Its instants in the time zone of the account, as that was when it was closed.
  month_from timestamptz(3) not null,
  month_to timestamptz(3) not null check (month_to > month_from),
  closed_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  closed_by text not null,
  -- Of the journal: how many, and SHA-256 of its lines as a CSV file of ten columns.
  entries bigint not null,
  journal_sha256 text not null check (journal_sha256 ~ '^[0-9a-f]{64}$'),
  -- The trial balance, a list of {currency, account, debit, credit}.
  data jsonb not null,
  opened_at timestamptz(3),
  opened_by text,
  open_reason text,
  primary key (environment_id, id),
  check (num_nulls(opened_at, opened_by, open_reason) in (0, 3))
);
create unique index closed_months_closed on closed_months (environment_id, month) where opened_at is null;

-- Prepaid credit

-- Prepaid units of a customer, and what is left of them.
create table credit_grants (
  environment_id integer,
  id text collate "C",
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
  expiry_noted_at timestamptz(3),
  event_names jsonb,
  subscription_id text collate "C",
  note text,
  carry_over_max numeric,
  carry_over_until timestamptz(3),
  -- Of a plan's grant: the full period that has it, and its place in the plan's list.
  full_period_start timestamptz(3),
  place integer,
  -- The expiry that the last notice was about.
  noted_expiry timestamptz(3),
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id),
  constraint credit_grants_carry_over_check check (carry_over_max > 0 and carry_over_max <= amount),
  constraint credit_grants_of_plan_check check (((full_period_start is null) = (place is null)) and (place is null
    or subscription_id is not null))
);
create index credit_grants_customer on credit_grants (environment_id, customer_id, id);
-- The list of grants in the order of ids, filtered by a time that is far back: the index is read from the newest grant
-- on.
create index credit_grants_newest on credit_grants (environment_id, id, created_at);
create unique index credit_grants_of_plan on credit_grants (environment_id, subscription_id, full_period_start,
  place) where (place is not null and voided_at is null);
create index credit_grants_to_notice on credit_grants (environment_id, (
case
   
  when (carry_over_max is null) then expires_at
    else carry_over_until
end)) where (expiry_noted_at is null
  and voided_at is null and (noted_expiry is distinct from
case
   
  when (carry_over_max is null) then expires_at
    else carry_over_until
end));
create index credit_grants_to_note on credit_grants (environment_id, (
case
   
  when (carry_over_max is null) then expires_at
    else carry_over_until
end)) where (expiry_noted_at is null
  and voided_at is null);

-- What moved the balance of a grant; never changed.
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
create index credit_ledger_line on credit_ledger (environment_id, line_item_id) where line_item_id is not null;

-- Credit that each issued line has of each grant, signed; a line may have several shares of one grant.
create table credit_draws (
  environment_id integer,
  -- In the order of drawing.
  id bigint generated always as identity,
  line_item_id text collate "C" not null,
  grant_id text collate "C" not null,
  amount numeric not null check (amount <> 0),
  primary key (environment_id, id),
  foreign key (environment_id, grant_id) references credit_grants (environment_id, id),
  foreign key (environment_id, line_item_id) references line_items (environment_id, id)
);
create index credit_draws_grant on credit_draws (environment_id, grant_id);
create index credit_draws_line_item on credit_draws (environment_id, line_item_id);

-- Reports

-- What became of the events of a customer, event name and UTC day, by billing status or reason; of all events that are
-- rolled up.
create table billing_days (
  environment_id integer not null,
  customer_key bigint,
  event_name text collate "C",
  day timestamptz(3),
  cause text collate "C",
  events bigint not null,
  primary key (customer_key, day, event_name, cause)
) with (fillfactor=80);
-- Which customers have such events on a day. Most customers have some that are billed or pending, so that a list needs
-- no index of them.
create index billing_days_found on billing_days (environment_id, day, cause, customer_key) where (cause <> 'billed'
  and cause <> 'pending');
-- Of all customers on a day: for the check of the sums below.
create index billing_days_of_day on billing_days (environment_id, day);

-- billing_days, summed over the customers of an environment.
create table report_days (
  environment_id integer references environments,
  event_name text collate "C",
  day timestamptz(3),
  cause text collate "C",
  events bigint not null,
  primary key (environment_id, event_name, day, cause)
) with (fillfactor=80);
create index report_days_of_cause on report_days (environment_id, cause, day, event_name);

-- By which LATE_USAGE_DAYS billing_days tells late events from those that are too late.
create table report_settings (
  is_only boolean default true primary key check (is_only),
  late_usage_days integer not null check (late_usage_days >= 0)
);

-- The log of changed rows, the feed and webhooks

-- The log of changed rows: of each its key and the columns that some consumer reads; triggers write it.
create table row_changes (
  id bigint generated always as identity,
  epoch integer default 1,
  -- With epoch, what the place of a consumer is compared with.
  created_xid xid8 default pg_current_xact_id(),
  table_name text collate "C" not null,
  environment_id integer not null,
  -- Null before an insert.
  before jsonb,
  -- Null after a delete.
  after jsonb,
  -- The key or session whose request did it.
  actor text,
  -- Rounded down: no report may be exact as of a later instant.
  noted_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  primary key (epoch, created_xid, id)
);

-- How far each consumer has read the log.
create table consumers (
  name text collate "C" primary key,
  -- The place, as of a cut-off: what it holds is read.
  epoch integer not null,
  -- With epoch, the place: what this cut-off holds is read.
  snapshot pg_snapshot not null,
  -- While batches are under way: the next place, and the last row on the way to it that is read.
  next_epoch integer,
  -- With next_epoch, the next place, while batches are under way.
  next_snapshot pg_snapshot,
  last_epoch integer,
  last_xid xid8,
  -- With last_epoch and last_xid, the last row on the way to the next place that is read.
  last_id bigint,
  check (num_nulls(next_epoch, next_snapshot, last_epoch, last_xid, last_id) in (0, 5))
);

-- The last number of each environment. A row of its own, because closes hold the row of the environment.
create table feeds (
  environment_id integer primary key references environments,
  last_sequence bigint not null
);

create table feed (
  environment_id integer,
  sequence bigint,
  id text collate "C" not null,
  created_at timestamptz(3) not null,
  -- The partition: the week in which it was numbered.
  numbered_at timestamptz(3),
  type text collate "C" not null,
  object_id text collate "C" not null,
  -- The customer concerned, by both of its ids.
  customer_key text collate "C",
  customer_id text collate "C",
  actor text,
  -- As text, because a client reads the members in the order of a GET. Null if too large, gone or redacted.
  data json,
  primary key (environment_id, sequence, numbered_at)
) partition by range (numbered_at);
create index feed_by_customer on feed (environment_id, customer_key, sequence);
create index feed_by_object on feed (environment_id, object_id, sequence);

-- For what is numbered while a partition is missing.
create table feed_rest partition of feed default;

-- Events without a bill, or that came late, that the feed has as changes.
create table usage_notices (
  environment_id integer references environments,
  customer_id text collate "C",
  event_name text collate "C",
  cause text,
  -- Of the events that the rollup has just found.
  events bigint not null,
  from_day timestamptz(3) not null,
  to_day timestamptz(3) not null,
  noted_at timestamptz(3) not null,
  primary key (environment_id, customer_id, event_name, cause),
  foreign key (environment_id, customer_id) references customers (environment_id, id)
);
create index usage_notices_newest on usage_notices (environment_id, noted_at);

-- Addresses to which the worker posts the changes of the feed.
create table webhook_endpoints (
  environment_id integer references environments,
  id text collate "C",
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

-- Changes that are posted to endpoints, and how that went.
create table webhook_deliveries (
  environment_id integer,
  id text collate "C",
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
  -- Where the last try went; null before the first.
  sent_to text,
  -- Of the last try; with the change and its time, all that makes its request again.
  sent_payload text check (sent_payload in ('full', 'thin')),
  -- The header webhook-signature of the last try.
  signature text,
  -- The tries before the last one, the oldest first: the newest 24 of them.
  earlier_tries jsonb not null default '[]',
  -- As text: the object that a test has sent.
  test_data json,
  primary key (environment_id, id),
  foreign key (environment_id, endpoint_id) references webhook_endpoints (environment_id, id),
  check (status <> 'pending' or attempts = 0),
  check ((status in ('pending', 'failing')) or next_attempt_at is null),
  check (num_nulls(sent_to, sent_payload, signature) in (0, 3)),
  check (jsonb_array_length(earlier_tries) = least(greatest(attempts - 1, 0), 24))
);
-- The list of an endpoint, newest first.
create index webhook_deliveries_newest on webhook_deliveries (environment_id, endpoint_id, id);
-- By which an erasure finds the answers to the changes of a customer.
create index webhook_deliveries_by_change on webhook_deliveries (environment_id, change_id);
-- Those that are open: each change once, and the oldest of each object.
create unique index webhook_deliveries_open on webhook_deliveries (environment_id, endpoint_id, sequence)
  where ((status in ('pending', 'failing')) and sequence is not null);
create index webhook_deliveries_open_by_object on webhook_deliveries (environment_id, endpoint_id, object_id,
  sequence) where ((status in ('pending', 'failing')) and sequence is not null);

-- The check of the invariants

-- Units that the check of the invariants looks at next.
create table check_queue (
  kind text collate "C",
  environment integer,
  unit text collate "C",
  primary key (kind, environment, unit)
);

-- Where the sweep of the check over all units of a kind is, and what its last round came to.
create table check_sweeps (
  kind text collate "C" primary key,
  -- The last unit that was checked; null before the first.
  environment integer,
  unit text collate "C",
  started_at timestamptz(3) not null,
  checked bigint not null,
  busy_ms bigint not null,
  finished_at timestamptz(3),
  last_started_at timestamptz(3),
  last_checked bigint,
  last_busy_ms bigint
);

-- Which worker checks the invariants.
create table check_turn (
  holder uuid,
  held_until timestamptz(3) not null default now()
);

-- The last checks of what is new: all that was stored up to their start.
create table checks (
  id bigint generated always as identity primary key,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  -- Breaches by invariant, {"I5": 0}; null for one that could not be checked.
  counts jsonb not null,
  -- [{"invariant", "row", "what"}], at most a hundred of each invariant.
  breaches jsonb not null
);

-- Breaches of the invariants that are open: their unit was not checked again and sound since.
create table breaches (
  id bigint generated always as identity primary key,
  invariant text collate "C" not null,
  kind text collate "C" not null,
  -- The id of the environment of the unit; 0 if it is of none.
  environment integer not null,
  unit text collate "C" not null,
  row text not null,
  what text not null,
  -- Why the row stays as it is: a known exception, which is no breach.
  exception text,
  first_seen_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now()
);
-- The text of a row may be longer than an index holds.
create unique index breaches_row on breaches (invariant, kind, environment, unit, md5("row"));

-- The audit log

-- Who did what, when and from where; each row is written in the transaction of its act, and never changed.
create table audit_log (
  id text collate "C" default new_audit_id() primary key,
  account_id text not null references accounts,
  -- Null for users, sessions and passkeys, which belong to the account.
  environment_id integer references environments,
  action text not null,
  object_id text collate "C" not null,
  customer_id text collate "C",
  invoice_id text collate "C",
  actor_type text not null check (actor_type in ('user', 'key', 'command_line', 'signal', 'system', 'portal_session')),
  actor_id text collate "C",
  -- As it was at the time.
  actor_name text,
  before jsonb,
  after jsonb,
  request_id text,
  address text,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp())
);
create index audit_log_actor on audit_log (actor_id, id) where actor_id is not null;
create index audit_log_customer on audit_log (environment_id, customer_id, id) where customer_id is not null;
create index audit_log_deleted on audit_log (environment_id, ((before ->> 'external_id')))
  where action = 'customer.deleted';
create index audit_log_invoice on audit_log (invoice_id, id) where invoice_id is not null;
create index audit_log_newest on audit_log (environment_id, id);
create index audit_log_object on audit_log (object_id, id);
create index audit_log_of_account on audit_log (account_id, id) where environment_id is null;

-- Functions of rows

-- Writes the act that a changed row is. The argument is its rule: `object`, the first word of the action; `insert`,
-- `delete` and `update`, the second one; `verbs`, by the column that gets a value; `released`, by the column that a
-- caller clears; `members`, of which the changed ones are kept; `personal` ones, which are not; `id`, the column of the
-- object's id, if that is not `id`.
create function audit_row() returns trigger language plpgsql as $$
declare
  rule constant jsonb := tg_argv[0]::jsonb;
  actor text := nullif(current_setting('tidemark.actor', true), '');
  old_row constant jsonb := to_jsonb(old);
  new_row constant jsonb := to_jsonb(new);
  present constant jsonb := coalesce(new_row, old_row);
  environment constant integer := present ->> case tg_table_name when 'environments' then 'id' else 'environment_id' end;
  account text := present ->> 'account_id';
  customer text := present ->> case tg_table_name when 'customers' then 'id' else 'customer_id' end;
  actor_name text;
  verb text;
  changed jsonb;
  object constant text := present ->> coalesce(rule ->> 'id', 'id');
  written record;
  members_before jsonb;
  members_after jsonb;
  same text[];
begin
  select coalesce(jsonb_agg(name), '[]') into changed from jsonb_array_elements_text(rule -> 'members') as name
  where old_row -> name is distinct from new_row -> name and not (old_row is null and new_row -> name = 'null');
  select v.value into verb from jsonb_each_text(rule -> 'verbs') as v
  where new_row ->> v.key is not null and old_row ->> v.key is distinct from new_row ->> v.key;
  if tg_op = 'INSERT' then
    verb := coalesce(rule ->> 'insert', verb);
  elsif verb is null and actor is not null then
    select v.value into verb from jsonb_each_text(rule -> 'released') as v
    where old_row ->> v.key is not null and new_row ->> v.key is null;
  end if;
  verb := coalesce(verb, case when tg_op = 'DELETE' then rule ->> 'delete'
    when tg_op = 'UPDATE' and changed <> '[]' then rule ->> 'update' end);
  if verb is null then
    return null;
  end if;
  -- An erasure is an act of its own.
  if tg_table_name = 'customers' and verb = 'updated' then
    if exists (select from redactions r where r.environment_id = environment and r.customer_id = customer
      and r.xid = pg_current_xact_id()) then
      return null;
    end if;
  end if;
  -- Who signs in, or arrives by a link, does it.
  if actor is null and tg_table_name in ('sessions', 'users', 'passkeys', 'api_keys') then
    actor := present ->> case tg_table_name when 'users' then 'id' when 'api_keys' then 'created_by' else 'user_id' end;
  end if;
  if old_row is not null then
    members_before := audit_members(old_row, changed, rule -> 'personal');
  end if;
  if new_row is not null then
    members_after := audit_members(new_row, changed, rule -> 'personal');
  end if;
  -- What an act does to its object in several statements is in one entry.
  if verb = 'updated' or (tg_op = 'UPDATE' and rule ? 'update') then
    select newest.* into written
    from (select a.*, a.xmin as written_by from audit_log a where a.object_id = object order by a.id desc limit 4) as newest
    where newest.written_by = pg_current_xact_id()::xid and newest.environment_id is not distinct from environment
      and split_part(newest.action, '.', 1) = rule ->> 'object' and 'updated' in (verb, split_part(newest.action, '.', 2))
    order by newest.id desc limit 1;
    if found then
      -- Each name has a row.
      members_after := members_after
        || jsonb_strip_nulls(jsonb_build_object('quantities', written.after -> 'quantities' || members_after -> 'quantities'));
      members_before := nullif(members_before - array(select jsonb_object_keys(written.after)), '{}');
      members_before := coalesce(members_before || written.before, written.before, members_before);
      members_after := coalesce(written.after || members_after, written.after, members_after);
      select array_agg(b.key) into same from jsonb_each(members_before) as b
      where members_after -> b.key = b.value and b.value <> '"[personal]"';
      update audit_log set before = members_before - coalesce(same, '{}'), after = members_after - coalesce(same, '{}'),
        action = case when verb = 'updated' then written.action else (rule ->> 'object') || '.' || verb end
      where id = written.id;
      return null;
    end if;
  end if;
  -- Each is read only where it is needed: one statement with all of it would be planned again for each row.
  if tg_table_name in ('plan_changes', 'quantity_changes') then
    select s.customer_id into customer from subscriptions s
    where s.environment_id = environment and s.id = present ->> 'subscription_id';
  elsif tg_table_name = 'credit_notes' then
    select i.customer_id into customer from invoices i
    where i.environment_id = environment and i.id = present ->> 'invoice_id';
  end if;
  if account is null and environment is null then
    select u.account_id into account from users u where u.id = present ->> 'user_id';
  elsif account is null then
    select n.account_id into account from environments n where n.id = environment;
  end if;
  if actor like 'usr\_%' then
    select u.name into actor_name from users u where u.id = actor;
  elsif actor like 'key\_%' then
    select k.name into actor_name from api_keys k where k.id = actor;
  end if;
  insert into audit_log (account_id, environment_id, action, object_id, customer_id, invoice_id, actor_type, actor_id,
    actor_name, before, after, request_id, address)
  values (account, environment, (rule ->> 'object') || '.' || verb, object, customer,
    present ->> case tg_table_name when 'invoices' then 'id' else 'invoice_id' end,
    case when actor is null then 'system' when actor like 'usr\_%' then 'user' when actor like 'key\_%' then 'key'
      when actor like 'ps\_%' then 'portal_session' else actor end,
    case when actor ~ '^(usr|key|ps)_' then actor end, actor_name, members_before, members_after,
    nullif(current_setting('tidemark.request_id', true), ''), nullif(current_setting('tidemark.address', true), ''));
  return null;
end $$;

-- Any program may rename a customer; the worker writes the search text again.
create function forget_search_text() returns trigger language plpgsql as $$
begin
  new.search_text := null;
  return new;
end $$;

-- Writes the columns of a changed row that the trigger names to the log.
create function log_row_change() returns trigger language plpgsql as $$
declare
  before jsonb;
  after jsonb;
begin
  if old *= new then
    return null;
  end if;
  before := to_jsonb(old);
  after := to_jsonb(new);
  insert into row_changes (table_name, environment_id, actor, before, after)
  select tg_table_name,
    (coalesce(after, before) ->> case tg_table_name when 'environments' then 'id' else 'environment_id' end)::integer,
    nullif(current_setting('tidemark.actor', true), ''),
    jsonb_object_agg(name, before -> name) filter (where before is not null),
    jsonb_object_agg(name, after -> name) filter (where after is not null)
  from unnest(tg_argv) as name;
  return null;
end $$;

create function note_change() returns trigger language plpgsql as $$
begin
  new.changed_in := pg_current_xact_id();
  return new;
end $$;

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception '% is never changed', tg_table_name;
end $$;

-- Raises an error if one of these customers was deleted.
create function refuse_deleted_customers(keys bigint[]) returns void language plpgsql as $$
begin
  perform from deleted_customers where key = any(keys) for key share;
  if found then
    raise exception 'a customer of the events was deleted' using errcode = 'TM001';
  end if;
end $$;

-- Inserts the keys of the events that this transaction has stored in a bucket; fails if one is there already. A
-- function, because its plan is kept: COPY, which it follows, is sent as text.
create function store_event_keys(in_bucket integer, copied_events integer) returns void language plpgsql as $$
declare
  -- Values, because in a statement that reads events a node of a cluster would put its own transaction in their place.
  this_epoch integer := (select max(epoch) from epochs);
  this_xid xid8 := pg_current_xact_id();
  stored_keys integer;
begin
  insert into event_keys (key_hash, event_id, timestamp, created_at)
  select e.key_hash, e.id, e.timestamp, e.created_at
  from events e
  where e.bucket = in_bucket and e.epoch = this_epoch and e.created_xid = this_xid
  order by e.key_hash;
  get diagnostics stored_keys = row_count;
  if stored_keys <> copied_events then
    raise exception 'stored % keys for % events', stored_keys, copied_events;
  end if;
end $$;

-- Triggers

create trigger audited after update of name, currency, tax_rate, address, tax_ids, invoice_footer, timezone, net_days,
  invoice_prefix, hide_zero_lines, portal_origins, notice_days, account_numbers, datev,
  logo_sha256 on environments for each row
  execute function audit_row('{
  "object": "account", "update": "updated", "id": "account_id",
  "members": ["name", "currency", "tax_rate", "address", "tax_ids", "invoice_footer", "timezone", "net_days",
    "invoice_prefix", "hide_zero_lines", "portal_origins", "notice_days", "account_numbers", "datev",
    "logo_sha256"]}');
create trigger logged after insert or delete or update of name, currency, tax_rate, address, tax_ids, invoice_footer,
  timezone, net_days, invoice_prefix, hide_zero_lines, notice_days, account_numbers, datev,
  logo_sha256 on environments for each row
  execute function log_row_change('account_id');
create trigger audited after update of email, name, role, role_from, status on users for each row
  when (new.status <> 'removed' or old.status = 'removed')
  execute function audit_row('{
  "object": "user", "update": "updated", "members": ["email", "name", "role", "role_from", "status"]}');
create trigger audited_invitation after insert on users for each row when (not new.is_owner)
  execute function audit_row('{
  "object": "user", "insert": "invited", "members": ["email", "name", "role", "role_from", "status"]}');
create trigger audited_removal after update of status on users for each row when (new.status = 'removed'
  and old.status <> 'removed')
  execute function audit_row('{
  "object": "user", "update": "removed", "members": ["status"]}');
create trigger audited after insert or delete on passkeys for each row execute function audit_row('{
  "object": "passkey", "insert": "created", "delete": "removed", "members": ["user_id", "name"]}');
create trigger audited after insert or update of revoked_at on sessions for each row
  execute function audit_row('{
  "object": "session", "insert": "created", "verbs": {"revoked_at": "revoked"}, "members": ["user_id", "revoked_at"]}');
create trigger sessions_change before update of account_id, token_hash, expires_at, revoked_at on sessions for each row
  execute function note_change();
-- Not for last_used_at, which changes nothing of who gets in.
create trigger api_keys_change before update of environment_id, kind, secret_hash, expires_at, revoked_at
  on api_keys for each row
  execute function note_change();
create trigger audited after insert or update of revoked_at on api_keys for each row execute function audit_row('{
  "object": "api_key", "insert": "created", "verbs": {"revoked_at": "revoked"},
  "members": ["name", "kind", "last_four", "expires_at", "revoked_at"]}');
create trigger logged after insert or delete or update of revoked_at on api_keys for each row
  execute function log_row_change('id', 'revoked_at');
create trigger audited after insert or delete or update of name, email, currency, tax_rate, metadata, address, tax_ids,
  tax_treatment, buyer_reference, timezone, net_days on customers for each row
  execute function audit_row('{
  "object": "customer", "insert": "created", "update": "updated", "delete": "deleted",
  "members": ["external_id", "name", "email", "currency", "tax_rate", "metadata", "address", "tax_ids", "tax_treatment",
    "buyer_reference", "timezone", "net_days"],
  "personal": ["name", "email", "metadata", "address", "tax_ids", "buyer_reference"]}');
create trigger audited_clock after update of test_clock_target on customers for each row execute function audit_row('{
  "object": "test_clock", "verbs": {"test_clock_target": "advanced"}, "members": ["test_clock_target"]}');
create trigger customers_renamed before update of external_id, name, email on customers for each row
  when (((old.external_id is distinct from new.external_id) or (old.name is distinct from new.name))
  or (old.email is distinct from new.email))
  execute function forget_search_text();
create trigger logged after insert or delete or update of name, email, currency, tax_rate, metadata, address, tax_ids,
  tax_treatment, buyer_reference, timezone, net_days, balance on customers for each row
  execute function log_row_change('id', 'external_id', 'balance');
create trigger audited after insert on redactions for each row execute function audit_row('{
  "object": "customer", "insert": "redacted", "id": "customer_id", "members": ["properties"]}');
create trigger logged after insert or delete or update of finished_at on redactions for each row
  execute function log_row_change('id', 'customer_id', 'finished_at');
create trigger audited after insert or update of revoked_at on portal_sessions for each row
  execute function audit_row('{
  "object": "portal_session", "insert": "created", "verbs": {"revoked_at": "revoked"},
  "members": ["expires_at", "revoked_at"]}');
create trigger portal_sessions_change before update of revoked_at, expires_at, token_hash on portal_sessions
  for each row
  execute function note_change();
create trigger audited after insert or update of archived_at on plans for each row when (new.customer_id is null)
  execute function audit_row('{
  "object": "pricing_plan", "insert": "created", "update": "updated",
  "members": ["name", "currency", "interval", "interval_count", "key", "version", "archived_at"]}');
create trigger audited_custom after insert or update of archived_at on plans for each row
  when (new.customer_id is not null)
  execute function audit_row('{
  "object": "pricing_plan", "insert": "created", "update": "updated", "personal": ["name"],
  "members": ["name", "based_on", "currency", "interval", "interval_count", "archived_at"]}');
create trigger logged after insert or delete or update on plans for each row
  execute function log_row_change('id', 'key', 'customer_id', 'archived_at');
create trigger audited after insert or update of trial_end_date, cancel_at, attention, bill_at on subscriptions
  for each row
  execute function audit_row('{
  "object": "subscription", "insert": "created", "update": "updated", "verbs": {"cancel_at": "canceled"},
  "released": {"attention": "woken"}, "members": ["plan_id", "start_date", "trial_end_date", "cancel_at", "bill_at"]}');
create trigger logged after insert or delete or update on subscriptions for each row
  execute function log_row_change('id', 'customer_id', 'start_date', 'trial_end_date', 'plan_id', 'cancel_at',
    'attention', 'noted_status', 'noted_renewal', 'noted_trial_end', 'billing_failed', 'bill_at');
create trigger audited after insert or delete or update of plan_id, settle, proration, cycle, take_back_grants
  on plan_changes for each row
  execute function audit_row('{
  "object": "subscription", "insert": "updated", "delete": "updated", "update": "updated", "id": "subscription_id",
  "members": ["plan_id", "at", "settle", "proration", "cycle", "take_back_grants"]}');
create trigger logged after insert or delete or update on plan_changes for each row
  execute function log_row_change('subscription_id', 'at', 'plan_id', 'noted_at');
create trigger audited after insert or delete or update of quantity, settle, bill on quantity_changes for each row
  execute function audit_row('{
  "object": "subscription", "insert": "updated", "delete": "updated", "update": "updated", "id": "subscription_id",
  "members": ["quantities", "at", "settle", "bill"]}');
create trigger logged after insert or delete or update on quantity_changes for each row
  execute function log_row_change('subscription_id', 'event_name', 'at', 'came_at');
create trigger audited after insert or update of finished_at on plan_migrations for each row
  execute function audit_row('{
  "object": "plan_migration", "insert": "created", "verbs": {"finished_at": "finished"},
  "members": ["from_plan_id", "to_plan_id", "at", "settle", "status", "changed", "skipped", "failed", "taken_back"]}');
create trigger logged after insert or delete or update of status, finished_at on plan_migrations for each row
  execute function log_row_change('id', 'status', 'finished_at');
create trigger logged after insert or delete or update of period_start, period_end, kind, interval_start, interval_end,
  full_period_start, closed_at, late_window_closed_at, late_usage_until, plan_id, opened_at on periods for each row
  execute function log_row_change('subscription_id', 'period_start', 'period_end', 'interval_end', 'full_period_start',
    'kind', 'closed_at', 'plan_id');
create trigger logged after insert or delete or update on cut_offs for each row
  execute function log_row_change('id', 'subscription_id');
create trigger audited after insert or update of issued_at, voided_at on invoices for each row
  execute function audit_row('{
  "object": "invoice", "verbs": {"issued_at": "issued", "voided_at": "voided"},
  "members": ["full_number", "status", "total", "currency"]}');
create trigger logged after insert or delete or update on invoices for each row
  execute function log_row_change('id', 'subscription_id', 'customer_id', 'period_start', 'status', 'number',
    'overdue_at', 'amount_paid', 'balance_applied', 'credited', 'replaced_by');
create trigger audited_creation after insert on invoice_items for each row when (new.split_from is null)
  execute function audit_row('{
  "object": "invoice_item", "insert": "created", "members": ["subscription_id", "quantity", "unit_amount", "amount"]}');
create trigger audited_deletion after update of deleted_at on invoice_items for each row execute function audit_row('{
  "object": "invoice_item", "verbs": {"deleted_at": "deleted"}, "members": ["amount"]}');
create trigger logged after insert or delete or update on invoice_items for each row
  execute function log_row_change('id', 'customer_id', 'subscription_id', 'unit_amount', 'amount', 'deleted_at');
create trigger audited after insert or update of until on discounts for each row execute function audit_row('{
  "object": "discount", "insert": "created", "update": "updated", "personal": ["name"],
  "members": ["subscription_id", "name", "percent", "amount", "event_names", "from", "until"]}');
create trigger logged after insert or delete or update on discounts for each row
  execute function log_row_change('id', 'customer_id', 'subscription_id', 'until');
create trigger logged after insert or delete or update on line_items for each row
  execute function log_row_change('id', 'invoice_id', 'subscription_id', 'invoice_item_id', 'full_period_start',
    'period_end');
create trigger logged after insert or delete or update on line_item_spans for each row
  execute function log_row_change('line_item_id', 'position', 'timestamp_from', 'timestamp_to');
create trigger logged after insert or delete or update on regenerations for each row
  execute function log_row_change('id', 'invoice_id');
create trigger audited after insert on transfers for each row execute function audit_row('{
  "object": "transfer", "insert": "recorded", "members": ["amount", "paid_at"]}');
create trigger logged after insert or delete or update on transfers for each row
  execute function log_row_change('id', 'customer_id');
create trigger audited after insert or update of reversed_at on payments for each row execute function audit_row('{
  "object": "payment", "insert": "recorded", "verbs": {"reversed_at": "reversed"},
  "members": ["amount", "to_balance", "paid_at", "reversed_at"]}');
create trigger logged after insert or delete or update on payments for each row
  execute function log_row_change('id', 'invoice_id', 'customer_id', 'reversed_at');
create trigger audited after insert or update of voided_at on credit_notes for each row execute function audit_row('{
  "object": "credit_note", "insert": "issued", "verbs": {"voided_at": "voided"},
  "members": ["full_number", "status", "total", "to_invoice", "to_balance", "outside"]}');
create trigger logged after insert or delete or update on credit_notes for each row
  execute function log_row_change('id', 'invoice_id', 'number', 'status');
create trigger logged after insert or delete or update on credit_note_lines for each row
  execute function log_row_change('credit_note_id', 'position');
create trigger audited after insert on balance_entries for each row when (new.created_by is not null
  and new.payment_id is null and new.credit_note_id is null)
  execute function audit_row('{"object": "balance_entry", "insert": "created", "members": ["type", "amount"]}');
create trigger logged after insert or delete or update on balance_entries for each row
  execute function log_row_change('id', 'customer_id', 'invoice_id');
create trigger audited after insert or update of opened_at on closed_months for each row execute function audit_row('{
  "object": "month", "insert": "closed", "verbs": {"opened_at": "opened"}, "id": "month",
  "members": ["entries", "journal_sha256", "closed_at", "opened_at"]}');
create trigger logged after insert or delete or update on closed_months for each row
  execute function log_row_change('id', 'opened_at');
create trigger audited after insert or update of voided_at on credit_grants for each row execute function audit_row('{
  "object": "credit_grant", "insert": "created", "verbs": {"voided_at": "voided"},
  "members": ["amount", "expires_at", "rollover", "event_names", "subscription_id", "voided_at"]}');
create trigger logged after insert or delete or update on credit_grants for each row
  execute function log_row_change('id', 'customer_id', 'remaining', 'expires_at', 'carry_over_until', 'voided_at',
    'expiry_noted_at', 'noted_expiry');
create trigger logged after insert or delete or update on credit_ledger for each row
  execute function log_row_change('id', 'grant_id');
create trigger logged after insert or delete or update on credit_draws for each row
  execute function log_row_change('id', 'line_item_id', 'grant_id');
create trigger logged after insert or delete or update on usage_notices for each row
  execute function log_row_change('customer_id', 'event_name', 'cause', 'events', 'from_day', 'to_day');
create trigger audited after insert or update of url, types, description, payload, deleted_at
  on webhook_endpoints for each row
  execute function audit_row('{
  "object": "webhook_endpoint", "insert": "created", "update": "updated", "verbs": {"deleted_at": "deleted"},
  "members": ["url", "types", "description", "payload"]}');
create trigger logged after insert or delete or update of url, types, description, payload, status,
  previous_secret_until, deleted_at on webhook_endpoints for each row
  execute function log_row_change('id', 'status', 'deleted_at');
create trigger changed_by_its_act before update on audit_log for each row when (old.xmin <> (pg_current_xact_id())::xid)
  execute function refuse_audit_change();
create trigger never_changed before delete or truncate on audit_log for each statement
  execute function refuse_audit_change();

-- Logged and guarded also where a session switches triggers off (session_replication_role).
alter table environments enable always trigger logged;
alter table api_keys enable always trigger logged;
alter table customers enable always trigger logged;
alter table redactions enable always trigger logged;
alter table plans enable always trigger logged;
alter table subscriptions enable always trigger logged;
alter table plan_changes enable always trigger logged;
alter table quantity_changes enable always trigger logged;
alter table plan_migrations enable always trigger logged;
alter table periods enable always trigger logged;
alter table cut_offs enable always trigger logged;
alter table invoices enable always trigger logged;
alter table invoice_items enable always trigger logged;
alter table discounts enable always trigger logged;
alter table line_items enable always trigger logged;
alter table line_item_spans enable always trigger logged;
alter table regenerations enable always trigger logged;
alter table transfers enable always trigger logged;
alter table payments enable always trigger logged;
alter table credit_notes enable always trigger logged;
alter table credit_note_lines enable always trigger logged;
alter table balance_entries enable always trigger logged;
alter table closed_months enable always trigger logged;
alter table credit_grants enable always trigger logged;
alter table credit_ledger enable always trigger logged;
alter table credit_draws enable always trigger logged;
alter table usage_notices enable always trigger logged;
alter table webhook_endpoints enable always trigger logged;
alter table audit_log enable always trigger changed_by_its_act;
alter table audit_log enable always trigger never_changed;

-- Rows that are there from the start

insert into check_turn default values;
insert into report_settings (late_usage_days) values (35);
insert into consumers (name, epoch, snapshot) values ('check', 1, '3:3:'), ('reports', 1, '3:3:'), ('feed', 1, '3:3:');
