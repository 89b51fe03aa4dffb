-- The schema that the migrations make, read from the catalogs of a migrated database by test/db/schema.test.ts, which writes this
-- file anew. It is to be read, not to be run: the migrations make the schema, and their comments say why it is so. Functions are shown as
-- the migrations write them.

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

-- The properties by whose values a charge selects, prices or groups events.
create function charge_dimensions(filters jsonb, pricing jsonb, group_by jsonb) returns setof text
language sql immutable parallel safe
begin atomic
  select jsonb_object_keys(coalesce(filters, '{}'))
  union select jsonb_object_keys(p.price -> 'match') from jsonb_array_elements(pricing -> 'prices') as p(price) where p.price ? 'match'
  union select jsonb_array_elements_text(group_by);
end;

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

-- The bucket of live events that are stored now; 0 while the month has no partition.
create function event_bucket() returns integer language sql stable parallel safe
return coalesce((
  select month::integer from to_char(now() at time zone 'UTC', 'YYYYMM') as month where to_regclass('events_' || month) is not null), 0);

-- 128 bits of SHA-256 over what was submitted. Texts become bytes by replace and decode, because convert_to is not
-- immutable: of a function that says more than its body, PostgreSQL does not make a part of the statement, and a call costs
-- three times as much.
create function event_content(customer_key bigint, idempotency_key text, event_name text, given timestamptz, properties jsonb)
returns uuid language sql immutable parallel safe
return encode(substring(sha256(int8send(customer_key) || timestamptz_send(coalesce(given, '-infinity'))
  || decode(replace(idempotency_key, '\', '\\'), 'escape') || '\x00' || decode(replace(event_name, '\', '\\'), 'escape')
  || '\x00' || jsonb_send(properties)) for 16), 'hex')::uuid;

-- The group of an event: the text of each property, null for none; false for a text that is too long; null if the
-- charge has no groups.
create function event_group(properties jsonb, group_by jsonb) returns jsonb language sql immutable parallel safe
return (select jsonb_object_agg(name, dimension_value(properties -> name)) from jsonb_array_elements_text(group_by) as name);

-- Whether a cut-off holds an event, or a row of the log. Every statement that asks it calls this function.
create function event_in_cut_off(event_epoch integer, event_xid xid8, cut_epoch integer, cut_snapshot pg_snapshot)
returns boolean language sql immutable parallel safe
return event_epoch < cut_epoch or (event_epoch = cut_epoch and pg_visible_in_snapshot(event_xid, cut_snapshot));

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

-- What counts as a number in the properties of an event (billing.md 2); null for everything else.
create function event_number(value jsonb) returns numeric language sql immutable parallel safe
return case jsonb_typeof(value)
  when 'number' then case when decimal_fits(value #>> '{}') then value::numeric end
  when 'string' then
    case when decimal_fits(value #>> '{}') and value #>> '{}' ~ '^-?[0-9]+(\.[0-9]+)?$' then (value #>> '{}')::numeric end
end;

-- The place of an event's price in the charge's list, from 0; -1 if no price is for it, null if the charge has no list.
create function event_price(properties jsonb, prices jsonb) returns integer language sql immutable parallel safe
return case when prices is not null then coalesce(
  (select min(p.place) - 1 from jsonb_array_elements(prices) with ordinality as p(price, place)
   where p.price ? 'match' and event_matches(properties, p.price -> 'match')),
  (select min(p.place) - 1 from jsonb_array_elements(prices) with ordinality as p(price, place) where p.price ? 'default'),
  -1) end;

-- Any program may rename a customer; the worker writes the search text again.
create function forget_search_text() returns trigger language plpgsql as $$
begin
  new.search_text := null;
  return new;
end $$;

-- An instant as the API writes it.
create function instant_text(instant timestamptz) returns text language sql stable parallel safe
return to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- A time zone as the database knows it: UTC for one that its list of zones lacks, because the code has a list of its own.
-- One name must not fail the statement of all customers.
create function known_zone(zone text) returns text language plpgsql stable as $$
begin
  perform now() at time zone zone;
  return zone;
exception when invalid_parameter_value then
  return 'UTC';
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

-- The pieces of a text of the given lengths, each behind its environment: an index of them finds a part of a name.
create function search_grams(environment_id integer, searched text, sizes integer[]) returns text[]
language sql immutable parallel safe
return (
  select array_agg(distinct (environment_id::text || ':' || substr(searched, place, size)) collate "C")
  from unnest(sizes) as size, generate_series(1, length(searched) - size + 1) as place);

-- The run of the server that answers: another after a start, a restore or a failover.
create function server_run() returns text language sql stable
return extract(epoch from pg_postmaster_start_time())::text || ' ' || (select oid from pg_database where datname = current_database());

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

-- A company that bills its customers.
create table accounts (
  id text not null,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  PRIMARY KEY (id)
);

-- Hashes of the keys of an environment.
create table api_keys (
  environment_id integer not null,
  id text collate "C" not null,
  name text not null,
  kind text not null,
  secret_hash bytea not null,
  last_four text not null,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  last_used_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  -- The transaction that changed a key or a session last. Who has read all that a snapshot shows finds the rest from
  -- there on: what the snapshot did not show was changed in a transaction of at least its lowest number
  -- (pg_snapshot_xmin).
  changed_in xid8 default pg_current_xact_id() not null,
  created_by text collate "C",
  PRIMARY KEY (environment_id, id),
  UNIQUE (secret_hash),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  CHECK ((kind = ANY (ARRAY['full'::text, 'events_only'::text, 'read_only'::text]))),
  CHECK ((length(secret_hash) = 32))
);
CREATE INDEX api_keys_changed ON public.api_keys USING btree (changed_in);
CREATE TRIGGER api_keys_change BEFORE UPDATE OF environment_id, kind, secret_hash, expires_at, revoked_at ON public.api_keys FOR EACH ROW EXECUTE FUNCTION note_change();
CREATE TRIGGER audited AFTER INSERT OR UPDATE OF revoked_at ON public.api_keys FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "api_key", "insert": "created", "verbs": {"revoked_at": "revoked"},
  "members": ["name", "kind", "last_four", "expires_at", "revoked_at"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE OF revoked_at ON public.api_keys FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'revoked_at');

-- Files with events that left the database, each entered once it was read back and compared.
create table archive_files (
  environment_id integer not null,
  month text collate "C" not null,
  part integer not null,
  name text collate "C" not null,
  events bigint not null,
  bytes bigint not null,
  sha256 bytea not null,
  epoch integer not null,
  -- With epoch, up to where in the order of storing it has the events.
  up_to_xid xid8 not null,
  written_at timestamp(3) with time zone default date_trunc('milliseconds'::text, clock_timestamp()) not null,
  -- When the last of its events left the database.
  removed_at timestamp(3) with time zone,
  -- How many of its events a restore has brought back, and when it was done.
  restored_events bigint default 0 not null,
  restored_at timestamp(3) with time zone,
  PRIMARY KEY (environment_id, month, part),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  CHECK ((events > 0)),
  CHECK ((month ~ '^\d{4}-\d{2}$'::text)),
  CHECK ((part > 0)),
  CHECK ((length(sha256) = 32))
);

-- What lines held whose events left: how many events, and a sum over their keys.
create table archived_lines (
  environment_id integer not null,
  line_item_id text collate "C" not null,
  events bigint not null,
  key_sum numeric not null,
  PRIMARY KEY (environment_id, line_item_id),
  FOREIGN KEY (environment_id, line_item_id) REFERENCES line_items(environment_id, id)
);

-- Who did what, when and from where; each row is written in the transaction of its act, and never changed.
create table audit_log (
  id text collate "C" default new_audit_id() not null,
  account_id text not null,
  -- Null for users, sessions and passkeys, which belong to the account.
  environment_id integer,
  action text not null,
  object_id text collate "C" not null,
  customer_id text collate "C",
  invoice_id text collate "C",
  actor_type text not null,
  actor_id text collate "C",
  -- As it was at the time.
  actor_name text,
  before jsonb,
  after jsonb,
  request_id text,
  address text,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, clock_timestamp()) not null,
  PRIMARY KEY (id),
  FOREIGN KEY (account_id) REFERENCES accounts(id),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  CHECK ((actor_type = ANY (ARRAY['user'::text, 'key'::text, 'command_line'::text, 'signal'::text, 'system'::text, 'portal_session'::text])))
);
CREATE INDEX audit_log_actor ON public.audit_log USING btree (actor_id, id) WHERE (actor_id IS NOT NULL);
CREATE INDEX audit_log_customer ON public.audit_log USING btree (environment_id, customer_id, id) WHERE (customer_id IS NOT NULL);
CREATE INDEX audit_log_deleted ON public.audit_log USING btree (environment_id, ((before ->> 'external_id'::text))) WHERE (action = 'customer.deleted'::text);
CREATE INDEX audit_log_invoice ON public.audit_log USING btree (invoice_id, id) WHERE (invoice_id IS NOT NULL);
CREATE INDEX audit_log_newest ON public.audit_log USING btree (environment_id, id);
CREATE INDEX audit_log_object ON public.audit_log USING btree (object_id, id);
CREATE INDEX audit_log_of_account ON public.audit_log USING btree (account_id, id) WHERE (environment_id IS NULL);
CREATE TRIGGER changed_by_its_act BEFORE UPDATE ON public.audit_log FOR EACH ROW WHEN ((old.xmin <> (pg_current_xact_id())::xid)) EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER never_changed BEFORE DELETE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- What moved the balance of a customer; never changed.
create table balance_entries (
  environment_id integer not null,
  id text collate "C" not null,
  -- The order of writing, under the lock of the customer: ids of two machines may differ from it by their clocks.
  "position" bigint generated always as identity not null,
  customer_id text collate "C" not null,
  type text not null,
  -- Signed, and in the currency of the customer.
  amount numeric not null,
  reason text,
  invoice_id text collate "C",
  credit_note_id text collate "C",
  payment_id text collate "C",
  -- By the customer's clock.
  created_at timestamp(3) with time zone not null,
  -- The key or the session that caused it; null for what billing itself did.
  created_by text,
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id, credit_note_id) REFERENCES credit_notes(environment_id, id),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoices(environment_id, id),
  FOREIGN KEY (environment_id, payment_id) REFERENCES payments(environment_id, id),
  CHECK ((amount <> (0)::numeric)),
  CHECK (((type <> 'unapplied'::text) OR ((amount > (0)::numeric) AND (invoice_id IS NOT NULL) AND (num_nonnulls(payment_id, credit_note_id) = 1)))),
  CHECK ((type = ANY (ARRAY['credit_note'::text, 'adjustment'::text, 'applied'::text, 'returned'::text, 'overpayment'::text, 'deposit'::text, 'unapplied'::text])))
);
CREATE INDEX balance_entries_created_at ON public.balance_entries USING btree (environment_id, created_at);
CREATE INDEX balance_entries_credit_note ON public.balance_entries USING btree (environment_id, credit_note_id) WHERE (credit_note_id IS NOT NULL);
CREATE INDEX balance_entries_customer ON public.balance_entries USING btree (environment_id, customer_id, id);
CREATE INDEX balance_entries_invoice ON public.balance_entries USING btree (environment_id, invoice_id) WHERE (invoice_id IS NOT NULL);
CREATE INDEX balance_entries_payment ON public.balance_entries USING btree (environment_id, payment_id) WHERE (payment_id IS NOT NULL);
CREATE TRIGGER audited AFTER INSERT ON public.balance_entries FOR EACH ROW WHEN (((new.created_by IS NOT NULL) AND (new.payment_id IS NULL) AND (new.credit_note_id IS NULL))) EXECUTE FUNCTION audit_row('{"object": "balance_entry", "insert": "created", "members": ["type", "amount"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.balance_entries FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'customer_id', 'invoice_id');

-- What became of the events of a customer, event name and UTC day, by billing status or reason; of all events that are
-- rolled up.
create table billing_days (
  environment_id integer not null,
  customer_key bigint not null,
  event_name text collate "C" not null,
  day timestamp(3) with time zone not null,
  cause text collate "C" not null,
  events bigint not null,
  PRIMARY KEY (customer_key, day, event_name, cause)
) with (fillfactor=80);
-- Which customers have such events on a day. Most customers have some that are billed or pending, so that a list needs
-- no index of them.
CREATE INDEX billing_days_found ON public.billing_days USING btree (environment_id, day, cause, customer_key) WHERE ((cause <> 'billed'::text) AND (cause <> 'pending'::text));
-- Of all customers on a day: for the check of the sums below.
CREATE INDEX billing_days_of_day ON public.billing_days USING btree (environment_id, day);

-- Breaches of the invariants that are open: their unit was not checked again and sound since.
create table breaches (
  id bigint generated always as identity not null,
  invariant text collate "C" not null,
  kind text collate "C" not null,
  -- The id of the environment of the unit; 0 if it is of none.
  environment integer not null,
  unit text collate "C" not null,
  "row" text not null,
  what text not null,
  -- Why the row stays as it is: a known exception, which is no breach.
  exception text,
  first_seen_at timestamp(3) with time zone default now() not null,
  last_seen_at timestamp(3) with time zone default now() not null,
  PRIMARY KEY (id)
);
-- The text of a row may be longer than an index holds.
CREATE UNIQUE INDEX breaches_row ON public.breaches USING btree (invariant, kind, environment, unit, md5("row"));

-- What a plan charges for, in the order of its lines.
create table charges (
  environment_id integer not null,
  id text collate "C" not null,
  plan_id text collate "C" not null,
  "position" integer not null,
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
  PRIMARY KEY (environment_id, id),
  UNIQUE (environment_id, plan_id, "position"),
  FOREIGN KEY (environment_id, plan_id) REFERENCES plans(environment_id, id)
);

-- Units that the check of the invariants looks at next.
create table check_queue (
  kind text collate "C" not null,
  environment integer not null,
  unit text collate "C" not null,
  PRIMARY KEY (kind, environment, unit)
);

-- Where the sweep of the check over all units of a kind is, and what its last round came to.
create table check_sweeps (
  kind text collate "C" not null,
  -- The last unit that was checked; null before the first.
  environment integer,
  unit text collate "C",
  started_at timestamp(3) with time zone not null,
  checked bigint not null,
  busy_ms bigint not null,
  finished_at timestamp(3) with time zone,
  last_started_at timestamp(3) with time zone,
  last_checked bigint,
  last_busy_ms bigint,
  PRIMARY KEY (kind)
);

-- Which worker checks the invariants.
create table check_turn (
  holder uuid,
  held_until timestamp(3) with time zone default now() not null
);

-- The last checks of what is new: all that was stored up to their start.
create table checks (
  id bigint generated always as identity not null,
  started_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone not null,
  -- Breaches by invariant, {"I5": 0}; null for one that could not be checked.
  counts jsonb not null,
  -- [{"invariant", "row", "what"}], at most a hundred of each invariant.
  breaches jsonb not null,
  PRIMARY KEY (id)
);

-- Months whose books are closed; one that was opened again stays, marked.
create table closed_months (
  environment_id integer not null,
  id text collate "C" not null,
  month text collate "C" not null,
  -- Its instants in the time zone of the account, as that was when it was closed.
  month_from timestamp(3) with time zone not null,
  month_to timestamp(3) with time zone not null,
  closed_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  closed_by text not null,
  -- Of the journal: how many, and SHA-256 of its lines as a CSV file of ten columns.
  entries bigint not null,
  journal_sha256 text not null,
  -- The trial balance, a list of {currency, account, debit, credit}.
  data jsonb not null,
  opened_at timestamp(3) with time zone,
  opened_by text,
  open_reason text,
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  CHECK ((month_to > month_from)),
  CHECK ((num_nulls(opened_at, opened_by, open_reason) = ANY (ARRAY[0, 3]))),
  CHECK ((journal_sha256 ~ '^[0-9a-f]{64}$'::text)),
  CHECK ((month ~ '^\d{4}-\d{2}$'::text))
);
CREATE UNIQUE INDEX closed_months_closed ON public.closed_months USING btree (environment_id, month) WHERE (opened_at IS NULL);
CREATE TRIGGER audited AFTER INSERT OR UPDATE OF opened_at ON public.closed_months FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "month", "insert": "closed", "verbs": {"opened_at": "opened"}, "id": "month",
  "members": ["entries", "journal_sha256", "closed_at", "opened_at"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.closed_months FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'opened_at');

-- Invoices with a plan or an attempt. Written under the lock of the customer, but for a new plan: a consumer of the log
-- inserts it after the issue, and the first turn of its workflow looks at the invoice again.
create table collections (
  environment_id integer not null,
  invoice_id text collate "C" not null,
  customer_id text collate "C" not null,
  status text not null,
  -- When the plan has its first charge; null without a plan, and once it is over.
  first_at timestamp(3) with time zone,
  -- The next charge of the plan, also while a person's attempt is open.
  next_attempt_at timestamp(3) with time zone,
  -- How many attempts were made, also those of persons.
  attempts integer default 0 not null,
  PRIMARY KEY (environment_id, invoice_id),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoices(environment_id, id),
  CHECK ((attempts >= 0)),
  CHECK (((next_attempt_at IS NOT NULL) OR (status <> 'scheduled'::text))),
  CHECK (((next_attempt_at IS NULL) OR (status = ANY (ARRAY['scheduled'::text, 'charging'::text, 'processing'::text])))),
  CHECK (((next_attempt_at IS NULL) OR (first_at IS NOT NULL))),
  CHECK ((status = ANY (ARRAY['scheduled'::text, 'charging'::text, 'processing'::text, 'action_required'::text, 'exhausted'::text, 'none'::text])))
);
-- Those of all environments that go on.
CREATE INDEX collections_by_id ON public.collections USING btree (invoice_id) WHERE (status = ANY (ARRAY['scheduled'::text, 'charging'::text, 'processing'::text]));
CREATE INDEX collections_customer ON public.collections USING btree (environment_id, customer_id, invoice_id);
CREATE INDEX collections_status ON public.collections USING btree (environment_id, status, invoice_id);
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE OF status, attempts, next_attempt_at ON public.collections FOR EACH ROW EXECUTE FUNCTION log_row_change('invoice_id', 'customer_id', 'status');

-- How far each consumer has read the log.
create table consumers (
  name text collate "C" not null,
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
  PRIMARY KEY (name),
  CHECK ((num_nulls(next_epoch, next_snapshot, last_epoch, last_xid, last_id) = ANY (ARRAY[0, 5])))
);

-- Credit that each issued line has of each grant, signed; a line may have several shares of one grant.
create table credit_draws (
  environment_id integer not null,
  -- In the order of drawing.
  id bigint generated always as identity not null,
  line_item_id text collate "C" not null,
  grant_id text collate "C" not null,
  amount numeric not null,
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id, grant_id) REFERENCES credit_grants(environment_id, id),
  FOREIGN KEY (environment_id, line_item_id) REFERENCES line_items(environment_id, id),
  CHECK ((amount <> (0)::numeric))
);
CREATE INDEX credit_draws_grant ON public.credit_draws USING btree (environment_id, grant_id);
CREATE INDEX credit_draws_line_item ON public.credit_draws USING btree (environment_id, line_item_id);
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.credit_draws FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'line_item_id', 'grant_id');

-- Prepaid units of a customer, and what is left of them.
create table credit_grants (
  environment_id integer not null,
  id text collate "C" not null,
  customer_id text collate "C" not null,
  amount numeric not null,
  -- The sum of the ledger, kept in the same statement that appends to it.
  remaining numeric not null,
  expires_in_days integer,
  rollover boolean not null,
  -- The end of the billing period that a grant without rollover is bound to; null while that is not known.
  period_bound timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  voided_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  expiry_noted_at timestamp(3) with time zone,
  event_names jsonb,
  subscription_id text collate "C",
  note text,
  carry_over_max numeric,
  carry_over_until timestamp(3) with time zone,
  -- Of a plan's grant: the full period that has it, and its place in the plan's list.
  full_period_start timestamp(3) with time zone,
  place integer,
  -- The expiry that the last notice was about.
  noted_expiry timestamp(3) with time zone,
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  FOREIGN KEY (environment_id, subscription_id) REFERENCES subscriptions(environment_id, id),
  CHECK ((amount > (0)::numeric)),
  CHECK (((carry_over_max > (0)::numeric) AND (carry_over_max <= amount))),
  CHECK ((((full_period_start IS NULL) = (place IS NULL)) AND ((place IS NULL) OR (subscription_id IS NOT NULL)))),
  CHECK ((remaining >= (0)::numeric))
);
CREATE INDEX credit_grants_customer ON public.credit_grants USING btree (environment_id, customer_id, id);
-- The list of grants in the order of ids, filtered by a time that is far back: the index is read from the newest grant
-- on.
CREATE INDEX credit_grants_newest ON public.credit_grants USING btree (environment_id, id, created_at);
CREATE UNIQUE INDEX credit_grants_of_plan ON public.credit_grants USING btree (environment_id, subscription_id, full_period_start, place) WHERE ((place IS NOT NULL) AND (voided_at IS NULL));
CREATE INDEX credit_grants_to_note ON public.credit_grants USING btree (environment_id, (
CASE
    WHEN (carry_over_max IS NULL) THEN expires_at
    ELSE carry_over_until
END)) WHERE ((expiry_noted_at IS NULL) AND (voided_at IS NULL));
CREATE INDEX credit_grants_to_notice ON public.credit_grants USING btree (environment_id, (
CASE
    WHEN (carry_over_max IS NULL) THEN expires_at
    ELSE carry_over_until
END)) WHERE ((expiry_noted_at IS NULL) AND (voided_at IS NULL) AND (noted_expiry IS DISTINCT FROM
CASE
    WHEN (carry_over_max IS NULL) THEN expires_at
    ELSE carry_over_until
END));
CREATE TRIGGER audited AFTER INSERT OR UPDATE OF voided_at ON public.credit_grants FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "credit_grant", "insert": "created", "verbs": {"voided_at": "voided"},
  "members": ["amount", "expires_at", "rollover", "event_names", "subscription_id", "voided_at"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.credit_grants FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'customer_id', 'remaining', 'expires_at', 'carry_over_until', 'voided_at', 'expiry_noted_at', 'noted_expiry');

-- What moved the balance of a grant; never changed.
create table credit_ledger (
  id bigint generated always as identity not null,
  environment_id integer not null,
  grant_id text collate "C" not null,
  type text not null,
  amount numeric not null,
  invoice_id text collate "C",
  line_item_id text collate "C",
  created_at timestamp(3) with time zone not null,
  PRIMARY KEY (id),
  FOREIGN KEY (environment_id, grant_id) REFERENCES credit_grants(environment_id, id),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoices(environment_id, id),
  FOREIGN KEY (environment_id, line_item_id) REFERENCES line_items(environment_id, id),
  CHECK ((amount <> (0)::numeric)),
  CHECK ((type = ANY (ARRAY['granted'::text, 'drawn'::text, 'returned'::text, 'expired'::text, 'voided'::text])))
);
CREATE INDEX credit_ledger_grant ON public.credit_ledger USING btree (environment_id, grant_id, id);
CREATE INDEX credit_ledger_invoice ON public.credit_ledger USING btree (environment_id, invoice_id);
CREATE INDEX credit_ledger_line ON public.credit_ledger USING btree (environment_id, line_item_id) WHERE (line_item_id IS NOT NULL);
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.credit_ledger FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'grant_id');

-- What a credit note takes off each line of its invoice.
create table credit_note_lines (
  environment_id integer not null,
  credit_note_id text collate "C" not null,
  "position" integer not null,
  line_item_id text collate "C" not null,
  -- Net.
  amount numeric not null,
  PRIMARY KEY (environment_id, credit_note_id, "position"),
  UNIQUE (environment_id, credit_note_id, line_item_id),
  FOREIGN KEY (environment_id, credit_note_id) REFERENCES credit_notes(environment_id, id),
  FOREIGN KEY (environment_id, line_item_id) REFERENCES line_items(environment_id, id),
  CHECK ((amount <> (0)::numeric))
);
CREATE INDEX credit_note_lines_line_item ON public.credit_note_lines USING btree (environment_id, line_item_id);
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.credit_note_lines FOR EACH ROW EXECUTE FUNCTION log_row_change('credit_note_id', 'position');

-- Ranges of credit note numbers that no credit note has, each with its reason.
create table credit_note_number_gaps (
  environment_id integer not null,
  number_from bigint not null,
  number_to bigint not null,
  reason text not null,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  PRIMARY KEY (environment_id, number_from),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  CHECK ((number_to >= number_from))
);

-- What takes back part of an issued invoice, in money; one without created_by was issued by billing itself.
create table credit_notes (
  environment_id integer not null,
  id text collate "C" not null,
  invoice_id text collate "C" not null,
  status text not null,
  number bigint not null,
  full_number text not null,
  -- Zero where the lines of discounts take off all that other lines give back.
  subtotal numeric not null,
  tax_amount numeric not null,
  total numeric not null,
  to_invoice numeric not null,
  to_balance numeric not null,
  -- Paid back outside of this system.
  outside numeric not null,
  reason text not null,
  -- By the customer's clock, as all times here.
  issued_at timestamp(3) with time zone not null,
  created_by text,
  voided_at timestamp(3) with time zone,
  void_reason text,
  voided_by text,
  content_hash bytea,
  -- The invoice whose late lines an automatic note settles: the note is void with it.
  cause_invoice_id text collate "C",
  sent_at timestamp(3) with time zone,
  PRIMARY KEY (environment_id, id),
  UNIQUE (environment_id, full_number),
  UNIQUE (environment_id, number),
  FOREIGN KEY (environment_id, cause_invoice_id) REFERENCES invoices(environment_id, id),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoices(environment_id, id),
  CHECK ((total = (subtotal + tax_amount))),
  CHECK ((total = ((to_invoice + to_balance) + outside))),
  CHECK (((status = 'void'::text) = (voided_at IS NOT NULL))),
  CHECK (((cause_invoice_id IS NULL) OR (created_by IS NULL))),
  CHECK ((outside >= (0)::numeric)),
  CHECK ((status = ANY (ARRAY['issued'::text, 'void'::text]))),
  CHECK ((subtotal >= (0)::numeric)),
  CHECK ((tax_amount >= (0)::numeric)),
  CHECK ((to_balance >= (0)::numeric)),
  CHECK ((to_invoice >= (0)::numeric))
);
CREATE INDEX credit_notes_cause ON public.credit_notes USING btree (environment_id, cause_invoice_id) WHERE (cause_invoice_id IS NOT NULL);
CREATE INDEX credit_notes_invoice ON public.credit_notes USING btree (environment_id, invoice_id);
CREATE INDEX credit_notes_issued_at ON public.credit_notes USING btree (environment_id, issued_at);
CREATE INDEX credit_notes_voided_at ON public.credit_notes USING btree (environment_id, voided_at) WHERE (voided_at IS NOT NULL);
CREATE TRIGGER audited AFTER INSERT OR UPDATE OF voided_at ON public.credit_notes FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "credit_note", "insert": "issued", "verbs": {"voided_at": "voided"},
  "members": ["full_number", "status", "total", "to_invoice", "to_balance", "outside"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.credit_notes FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'invoice_id', 'number', 'status', 'sent_at');

-- Whom an account bills.
create table customers (
  environment_id integer not null,
  id text collate "C" not null,
  -- What events name their customer by.
  key bigint generated always as identity not null,
  external_id text collate "C" not null,
  name text,
  email text,
  currency text not null,
  tax_rate numeric,
  metadata jsonb not null,
  -- Test data only: where the time of the customer stands; null is real time.
  test_clock timestamp(3) with time zone,
  -- Where a running advance is going; null when none runs.
  test_clock_target timestamp(3) with time zone,
  hold_drafts boolean default false not null,
  created_at timestamp(3) with time zone not null,
  -- Up to which end of a period answers of advances have reported the invoices, so that of several at once each is in
  -- one answer; null before the first advance.
  test_clock_reported timestamp(3) with time zone,
  -- Invoices before the end that an advance made before it moved, and that no answer has reported.
  test_clock_unreported text[] default '{}'::text[] not null,
  address jsonb,
  tax_ids jsonb default '[]'::jsonb not null,
  tax_treatment text default 'standard'::text not null,
  -- What the buyer wants to read on its documents, such as a purchase order.
  buyer_reference text,
  -- Null: the environment's.
  timezone text,
  net_days integer,
  -- Money in advance: the sum of its entries.
  balance numeric default 0 not null,
  -- External id, name and email without case and accents (src/domain/people/search-text.ts); null: the worker writes it
  -- soon.
  search_text text,
  search_grams text[] generated always as (search_grams(environment_id, search_text, '{1,2,3}'::integer[])) stored,
  -- Its events before it are in files, or leave for them now.
  archived_to timestamp(3) with time zone,
  -- Who gets its emails; without any, `email` does.
  billing_emails jsonb default '[]'::jsonb not null,
  -- Gets only what a person sends.
  email_muted boolean default false not null,
  -- Null: the environment's.
  language text,
  -- Null: the environment's.
  reminder_days jsonb,
  -- Members reason, until, created_at, created_by; null while it is not paused. No reminder and no charge goes out then.
  collection_pause jsonb,
  -- What a person wrote about the pause, which an erasure blanks: a column of its own, so that no log has it.
  collection_note text,
  -- When a person last ended a pause, by the clock of the customer: steps up to that day are passed over.
  collection_resumed_at timestamp(3) with time zone,
  -- Null: the environment's.
  charge_mode text,
  -- As of an environment.
  charge_mode_at timestamp(3) with time zone,
  PRIMARY KEY (environment_id, id),
  UNIQUE (environment_id, external_id),
  UNIQUE (key),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  CHECK ((balance >= (0)::numeric)),
  CHECK ((jsonb_typeof(billing_emails) = 'array'::text)),
  CHECK ((charge_mode = ANY (ARRAY['manual'::text, 'automatic'::text]))),
  CHECK (((collection_note IS NULL) OR (collection_pause IS NOT NULL))),
  CHECK (((collection_pause ?& ARRAY['reason'::text, 'until'::text, 'created_at'::text, 'created_by'::text]) AND ((collection_pause ->> 'reason'::text) = ANY (ARRAY['disputed'::text, 'promised'::text, 'other'::text])))),
  CHECK ((language = ANY (ARRAY['en'::text, 'de'::text, 'fr'::text, 'it'::text, 'es'::text, 'nl'::text]))),
  CHECK (((net_days >= 0) AND (net_days <= 365))),
  CHECK ((jsonb_typeof(reminder_days) = 'array'::text)),
  CHECK (((tax_rate >= (0)::numeric) AND (tax_rate <= (100)::numeric))),
  CHECK ((tax_treatment = ANY (ARRAY['standard'::text, 'exempt'::text, 'reverse_charge'::text])))
);
-- Customers with steps of their own.
CREATE INDEX customers_reminded ON public.customers USING btree (environment_id, id) WHERE (reminder_days IS NOT NULL);
CREATE INDEX customers_search ON public.customers USING gin (search_grams);
CREATE INDEX customers_without_search_text ON public.customers USING btree (environment_id, id) WHERE (search_text IS NULL);
CREATE TRIGGER audited AFTER INSERT OR DELETE OR UPDATE OF name, email, currency, tax_rate, metadata, address, tax_ids, tax_treatment, buyer_reference, timezone, net_days, billing_emails, email_muted, language, reminder_days, charge_mode, collection_pause ON public.customers FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "customer", "insert": "created", "update": "updated", "delete": "deleted",
  "verbs": {"collection_pause": "collection_paused"}, "released": {"collection_pause": "collection_resumed"},
  "members": ["external_id", "name", "email", "currency", "tax_rate", "metadata", "address", "tax_ids", "tax_treatment",
    "buyer_reference", "timezone", "net_days", "billing_emails", "email_muted", "language", "reminder_days",
    "charge_mode", "collection_pause"],
  "personal": ["name", "email", "metadata", "address", "tax_ids", "buyer_reference", "billing_emails"]}');
CREATE TRIGGER audited_clock AFTER UPDATE OF test_clock_target ON public.customers FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "test_clock", "verbs": {"test_clock_target": "advanced"}, "members": ["test_clock_target"]}');
CREATE TRIGGER customers_renamed BEFORE UPDATE OF external_id, name, email ON public.customers FOR EACH ROW WHEN (((old.external_id IS DISTINCT FROM new.external_id) OR (old.name IS DISTINCT FROM new.name) OR (old.email IS DISTINCT FROM new.email))) EXECUTE FUNCTION forget_search_text();
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE OF name, email, currency, tax_rate, metadata, address, tax_ids, tax_treatment, buyer_reference, timezone, net_days, balance, billing_emails, email_muted, language, reminder_days, charge_mode, collection_pause ON public.customers FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'external_id', 'balance');

-- Moments at which billing read the events; a line bills what lies between two of them.
create table cut_offs (
  environment_id integer not null,
  id bigint generated always as identity not null,
  subscription_id text collate "C" not null,
  epoch integer not null,
  snapshot pg_snapshot not null,
  taken_at timestamp(3) with time zone default date_trunc('milliseconds'::text, clock_timestamp()) not null,
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id, subscription_id) REFERENCES subscriptions(environment_id, id),
  FOREIGN KEY (epoch) REFERENCES epochs(epoch)
);
CREATE INDEX cut_offs_subscription ON public.cut_offs USING btree (environment_id, subscription_id);
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.cut_offs FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'subscription_id');

-- Customers that were deleted; what stores events is ordered against a deletion by a lock of this table.
create table deleted_customers (
  environment_id integer not null,
  id text collate "C" not null,
  key bigint not null,
  deleted_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  deleted_by text not null,
  PRIMARY KEY (environment_id, id),
  UNIQUE (key),
  FOREIGN KEY (environment_id) REFERENCES environments(id)
);

-- Percents off the lines of a customer.
create table discounts (
  environment_id integer not null,
  id text collate "C" not null,
  customer_id text collate "C" not null,
  -- Null is each subscription of the customer.
  subscription_id text collate "C",
  name text not null,
  -- Of the price, or an amount off each full period, net.
  percent numeric,
  amount numeric,
  -- A list of the event names of charges; null is all.
  event_names jsonb,
  "from" timestamp(3) with time zone not null,
  until timestamp(3) with time zone,
  -- By the customer's clock.
  created_at timestamp(3) with time zone not null,
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  FOREIGN KEY (environment_id, subscription_id) REFERENCES subscriptions(environment_id, id),
  CHECK ((amount > (0)::numeric)),
  CHECK ((until >= "from")),
  CHECK (((percent IS NULL) <> (amount IS NULL))),
  CHECK (((amount IS NULL) OR (event_names IS NULL))),
  CHECK (((percent > (0)::numeric) AND (percent <= (100)::numeric)))
);
CREATE INDEX discounts_customer ON public.discounts USING btree (environment_id, customer_id, id);
CREATE INDEX discounts_subscription ON public.discounts USING btree (environment_id, subscription_id, id) WHERE (subscription_id IS NOT NULL);
CREATE TRIGGER audited AFTER INSERT OR UPDATE OF until ON public.discounts FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "discount", "insert": "created", "update": "updated", "personal": ["name"],
  "members": ["subscription_id", "name", "percent", "amount", "event_names", "from", "until"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.discounts FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'customer_id', 'subscription_id', 'until');

-- How the server of SMTP_URL takes the emails of this database; one row.
create table email_sender (
  only_row boolean default true not null,
  -- Since when it refuses the login; null where it does not.
  refused_at timestamp(3) with time zone,
  -- The words of its refusal.
  refusal text,
  PRIMARY KEY (only_row),
  CHECK (((refused_at IS NULL) = (refusal IS NULL))),
  CHECK (only_row)
);

-- Texts of emails that an environment has in place of those of Tidemark.
create table email_texts (
  environment_id integer not null,
  kind text collate "C" not null,
  language text collate "C" not null,
  -- Such as invoice.de: its name in the audit log.
  id text collate "C" generated always as (((kind || '.'::text) || language)) stored,
  subject text not null,
  body text not null,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  updated_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  PRIMARY KEY (environment_id, kind, language),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text, 'receipt'::text, 'payment_failed'::text, 'reminder'::text, 'statement'::text]))),
  CHECK ((language = ANY (ARRAY['en'::text, 'de'::text, 'fr'::text, 'it'::text, 'es'::text, 'nl'::text])))
);
CREATE TRIGGER audited AFTER INSERT OR DELETE OR UPDATE OF subject, body ON public.email_texts FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "email_text", "insert": "updated", "update": "updated", "delete": "deleted",
  "members": ["kind", "language", "subject", "body"]}');

-- An email of a customer with a test clock is tried once the clock has come to `send_at`: null until then.
create table emails (
  environment_id integer not null,
  id text collate "C" not null,
  -- What it is for, such as invoice.inv_01m7: the kind and the object; with .2 the second one, sent by hand. Of it and of
  -- the host of EMAIL_FROM the Message-ID is made.
  reason text collate "C" not null,
  kind text not null,
  customer_id text collate "C" not null,
  -- The invoice, the credit note or the payment.
  object_id text collate "C" not null,
  invoice_ids text[] collate "C" not null,
  -- As of the writing, and of the last try.
  language text not null,
  -- Addresses that a person chose; null: those that the customer has when it is tried.
  chosen_to jsonb,
  "to" jsonb,
  -- As of the last try, with [link] in place of the link; null before the first, and after an erasure.
  subject text,
  text text,
  -- A list of {filename, content_type, bytes, sha256, error}, as of the last try; null before the first.
  attachments jsonb,
  -- From the first try on.
  message_id text,
  status text not null,
  -- Why it is kept or canceled: a word. While it waits, and after it failed or was refused: what the server said last.
  status_reason text,
  -- Not before it.
  send_at timestamp(3) with time zone not null,
  -- Tries that failed, and the one that did not.
  attempts integer default 0 not null,
  first_attempt_at timestamp(3) with time zone,
  -- When it is tried next: first at send_at; null if never again. A try that begins moves it, so that no other one does.
  next_attempt_at timestamp(3) with time zone,
  -- When a server took it.
  sent_at timestamp(3) with time zone,
  resend_of text collate "C",
  -- The person or the program that sent it; null if it went out by itself.
  created_by text,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  PRIMARY KEY (environment_id, id),
  UNIQUE (environment_id, reason),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  FOREIGN KEY (environment_id, resend_of) REFERENCES emails(environment_id, id),
  CHECK ((jsonb_typeof(attachments) = 'array'::text)),
  CHECK (((status = 'queued'::text) OR (next_attempt_at IS NULL))),
  CHECK (((status <> ALL (ARRAY['kept'::text, 'canceled'::text])) OR (status_reason IS NOT NULL))),
  CHECK ((jsonb_typeof(chosen_to) = 'array'::text)),
  CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text, 'receipt'::text, 'payment_failed'::text, 'reminder'::text, 'statement'::text]))),
  CHECK ((language = ANY (ARRAY['en'::text, 'de'::text, 'fr'::text, 'it'::text, 'es'::text, 'nl'::text]))),
  CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'refused'::text, 'failed'::text, 'kept'::text, 'canceled'::text]))),
  CHECK ((jsonb_typeof("to") = 'array'::text))
);
CREATE INDEX emails_customer ON public.emails USING btree (environment_id, customer_id, id);
CREATE INDEX emails_due ON public.emails USING btree (next_attempt_at) WHERE (status = 'queued'::text);
CREATE INDEX emails_invoices ON public.emails USING gin (invoice_ids);
CREATE INDEX emails_kind ON public.emails USING btree (environment_id, kind, id);
CREATE INDEX emails_newest ON public.emails USING btree (created_at, environment_id, status);
CREATE INDEX emails_object ON public.emails USING btree (environment_id, object_id, id);
-- What waits of a customer.
CREATE INDEX emails_queued ON public.emails USING btree (environment_id, customer_id) WHERE (status = 'queued'::text);
CREATE INDEX emails_resends ON public.emails USING btree (environment_id, resend_of) WHERE (resend_of IS NOT NULL);
CREATE INDEX emails_status ON public.emails USING btree (environment_id, status, id);
CREATE TRIGGER audited AFTER INSERT ON public.emails FOR EACH ROW WHEN ((new.created_by IS NOT NULL)) EXECUTE FUNCTION audit_row('{
  "object": "email", "insert": "created", "members": ["kind", "object_id", "resend_of"]}');
CREATE TRIGGER audited_cancel AFTER UPDATE OF status ON public.emails FOR EACH ROW WHEN (((new.status = 'canceled'::text) AND (new.status_reason = 'by_hand'::text))) EXECUTE FUNCTION audit_row('{"object": "email", "update": "canceled", "members": ["status"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.emails FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'object_id', 'customer_id', 'kind', 'status');

-- Logged and guarded also where a session switches triggers off (session_replication_role).
create table environments (
  id integer generated always as identity not null,
  account_id text not null,
  livemode boolean not null,
  -- A counter row and no sequence: a rolled back issue gives its number back.
  last_invoice_number bigint default 0 not null,
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
  tax_rate numeric default 0 not null,
  -- Members line1, line2, postal_code, city, state, country; null is no address.
  address jsonb,
  -- A list of {type, value}.
  tax_ids jsonb default '[]'::jsonb not null,
  invoice_footer text,
  timezone text default 'UTC'::text not null,
  -- Days from the issue to the due date.
  net_days integer default 0 not null,
  invoice_prefix text default 'INV-'::text not null,
  -- Whether documents leave out lines of quantity and amount 0.
  hide_zero_lines boolean default false not null,
  last_credit_note_number bigint default 0 not null,
  -- The number that was remembered when the count was halted.
  numbering_given_credit_note bigint,
  -- Sites that may frame the page of portal links; the same in both environments of an account.
  portal_origins jsonb default '[]'::jsonb not null,
  -- Notices of dates that come: how many days before each, and which date was noted last
  -- (docs/decisions/0044-the-feed.md).
  notice_days jsonb default '{"renewal": null, "trial_end": null, "credit_expiry": null}'::jsonb not null,
  -- The bookkeeper's numbers of the accounts of the journal: a list of {account, tax_treatment, tax_rate, number,
  -- tax_key}.
  account_numbers jsonb default '[]'::jsonb not null,
  -- Members consultant, client, fiscal_year_start, account_length; null is no file for DATEV.
  datev jsonb,
  -- The logo on documents from now on, a row of logos.
  logo_sha256 text,
  -- Of which kinds emails go out by themselves; none is off.
  email_kinds jsonb default '[]'::jsonb not null,
  email_reply_to text,
  -- Gets a blind copy of each email.
  email_copy_to text,
  -- Files of a document that go with its email: pdf, xml.
  email_attach jsonb default '["pdf"]'::jsonb not null,
  -- Hours of the customer's day in which emails go out by themselves: members from, until.
  email_hours jsonb default '{"from": 8, "until": 18}'::jsonb not null,
  -- To whom emails of test data go: addresses, and patterns such as *@acme.com.
  email_test_recipients jsonb default '[]'::jsonb not null,
  -- Of its emails.
  language text default 'en'::text not null,
  -- Steps of reminding: whole days from the due date, ascending; none is off.
  reminder_days jsonb default '[]'::jsonb not null,
  charge_mode text default 'manual'::text not null,
  -- When the mode last changed: nothing of before is planned.
  charge_mode_at timestamp(3) with time zone,
  -- The first charge: at the issue, or at the beginning of the due date.
  charge_on text default 'issue'::text not null,
  -- Whole days after the first charge, ascending.
  charge_retry_days jsonb default '[3, 7, 14]'::jsonb not null,
  PRIMARY KEY (id),
  UNIQUE (account_id, livemode),
  FOREIGN KEY (account_id) REFERENCES accounts(id),
  CHECK ((charge_mode = ANY (ARRAY['manual'::text, 'automatic'::text]))),
  CHECK ((charge_on = ANY (ARRAY['issue'::text, 'due_date'::text]))),
  CHECK ((jsonb_typeof(charge_retry_days) = 'array'::text)),
  CHECK ((jsonb_typeof(email_attach) = 'array'::text)),
  CHECK ((jsonb_typeof(email_hours) = 'object'::text)),
  CHECK ((jsonb_typeof(email_kinds) = 'array'::text)),
  CHECK ((jsonb_typeof(email_test_recipients) = 'array'::text)),
  CHECK ((language = ANY (ARRAY['en'::text, 'de'::text, 'fr'::text, 'it'::text, 'es'::text, 'nl'::text]))),
  CHECK (((net_days >= 0) AND (net_days <= 365))),
  CHECK ((jsonb_typeof(notice_days) = 'object'::text)),
  CHECK ((jsonb_typeof(reminder_days) = 'array'::text)),
  CHECK (((tax_rate >= (0)::numeric) AND (tax_rate <= (100)::numeric)))
);
CREATE TRIGGER audited AFTER UPDATE OF name, currency, tax_rate, address, tax_ids, invoice_footer, timezone, net_days, invoice_prefix, hide_zero_lines, portal_origins, notice_days, account_numbers, datev, logo_sha256, email_kinds, email_reply_to, email_copy_to, email_attach, email_hours, email_test_recipients, language, reminder_days, charge_mode, charge_on, charge_retry_days ON public.environments FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "account", "update": "updated", "id": "account_id",
  "members": ["name", "currency", "tax_rate", "address", "tax_ids", "invoice_footer", "timezone", "net_days",
    "invoice_prefix", "hide_zero_lines", "portal_origins", "notice_days", "account_numbers", "datev", "logo_sha256",
    "email_kinds", "email_reply_to", "email_copy_to", "email_attach", "email_hours", "email_test_recipients",
    "language", "reminder_days", "charge_mode", "charge_on", "charge_retry_days"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE OF name, currency, tax_rate, address, tax_ids, invoice_footer, timezone, net_days, invoice_prefix, hide_zero_lines, notice_days, account_numbers, datev, logo_sha256, email_kinds, email_reply_to, email_copy_to, email_attach, email_hours, email_test_recipients, language, reminder_days, charge_mode, charge_on, charge_retry_days ON public.environments FOR EACH ROW EXECUTE FUNCTION log_row_change('account_id');

-- Clusters that the database has lived in: transaction ids mean nothing in another one.
create table epochs (
  epoch integer not null,
  system_identifier text not null,
  started_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  -- Every event of the epoch with a lower transaction id is in usage_days.
  rolled_up_to xid8 default '0'::xid8 not null,
  -- Every event of the epoch with a lower transaction id was given to the check of the invariants.
  events_checked_to xid8 default '0'::xid8 not null,
  PRIMARY KEY (epoch),
  UNIQUE (system_identifier)
);

-- On which days an environment has events of a name.
create table event_days (
  environment_id integer not null,
  event_name text collate "C" not null,
  day timestamp(3) with time zone not null,
  events bigint not null,
  PRIMARY KEY (environment_id, event_name, day),
  FOREIGN KEY (environment_id) REFERENCES environments(id)
) with (fillfactor=80);

-- One row for each event ever stored, for ever: what makes a resend a duplicate.
create table event_keys (
  key_hash uuid not null,
  -- Of what was sent, made when the event left or lost properties; null: the event is stored as it was sent.
  content_hash uuid,
  -- With timestamp, where the event is in the index events_timestamp.
  event_id bigint not null,
  "timestamp" timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  -- The hash of the event as it is stored since some of its properties were redacted.
  redacted_hash uuid
);
CREATE UNIQUE INDEX event_keys_key ON public.event_keys USING btree (key_hash);

-- What customers used, one row an idempotency key.
create table events (
  id bigint default nextval('events_id_seq'::regclass) not null,
  -- 128 bits of SHA-256 over environment and idempotency key; the public id is derived from it.
  key_hash uuid not null,
  environment_id integer not null,
  -- The month of storing as a number, 202612 for December 2026; 0 is for every other event.
  bucket integer default 0 not null,
  customer_key bigint not null,
  "timestamp" timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  -- With epoch, what a cut-off is compared with.
  created_xid xid8 default pg_current_xact_id() not null,
  epoch integer default 1 not null,
  -- A resend without a timestamp equals only an original without one.
  timestamp_given boolean not null,
  event_name text collate "C" not null,
  idempotency_key text collate "C" not null,
  properties jsonb not null
) partition by LIST (bucket);
CREATE INDEX events_customer ON ONLY public.events USING btree (customer_key, "timestamp", id);
-- What the rollup has not added up yet is found by it. Transaction ids only rise, so that new entries go to its right
-- edge and cost next to nothing.
CREATE INDEX events_stored ON ONLY public.events USING btree (epoch, created_xid);
CREATE INDEX events_timestamp ON ONLY public.events USING btree (environment_id, "timestamp", id);

-- Events of bucket 0: of test data, and those that stay when their month leaves.
create table events_kept (
  id bigint default nextval('events_id_seq'::regclass) not null,
  key_hash uuid not null,
  environment_id integer not null,
  bucket integer default 0 not null,
  customer_key bigint not null,
  "timestamp" timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  created_xid xid8 default pg_current_xact_id() not null,
  epoch integer default 1 not null,
  timestamp_given boolean not null,
  event_name text collate "C" not null,
  idempotency_key text collate "C" not null,
  properties jsonb not null
) partition of events FOR VALUES IN (0);
CREATE INDEX events_kept_customer_key_timestamp_id_idx ON public.events_kept USING btree (customer_key, "timestamp", id);
CREATE INDEX events_kept_environment_id_timestamp_id_idx ON public.events_kept USING btree (environment_id, "timestamp", id);
CREATE INDEX events_kept_epoch_created_xid_idx ON public.events_kept USING btree (epoch, created_xid);

create table feed (
  environment_id integer not null,
  sequence bigint not null,
  id text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  -- The partition: the week in which it was numbered.
  numbered_at timestamp(3) with time zone not null,
  type text collate "C" not null,
  object_id text collate "C" not null,
  -- The customer concerned, by both of its ids.
  customer_key text collate "C",
  customer_id text collate "C",
  actor text,
  -- As text, because a client reads the members in the order of a GET. Null if too large, gone or redacted.
  data json,
  PRIMARY KEY (environment_id, sequence, numbered_at)
) partition by RANGE (numbered_at);
CREATE INDEX feed_by_customer ON ONLY public.feed USING btree (environment_id, customer_key, sequence);
CREATE INDEX feed_by_object ON ONLY public.feed USING btree (environment_id, object_id, sequence);

-- For what is numbered while a partition is missing.
create table feed_rest (
  environment_id integer not null,
  sequence bigint not null,
  id text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  numbered_at timestamp(3) with time zone not null,
  type text collate "C" not null,
  object_id text collate "C" not null,
  customer_key text collate "C",
  customer_id text collate "C",
  actor text,
  data json,
  PRIMARY KEY (environment_id, sequence, numbered_at)
) partition of feed DEFAULT;
CREATE INDEX feed_rest_environment_id_customer_key_sequence_idx ON public.feed_rest USING btree (environment_id, customer_key, sequence);
CREATE INDEX feed_rest_environment_id_object_id_sequence_idx ON public.feed_rest USING btree (environment_id, object_id, sequence);

-- The last number of each environment. A row of its own, because closes hold the row of the environment.
create table feeds (
  environment_id integer not null,
  last_sequence bigint not null,
  PRIMARY KEY (environment_id),
  FOREIGN KEY (environment_id) REFERENCES environments(id)
);

-- Answers of POSTs that carried an Idempotency-Key header, kept for 24 hours.
create table idempotency_keys (
  environment_id integer not null,
  key text collate "C" not null,
  -- SHA-256 over method, path and body.
  fingerprint bytea not null,
  claimed_at timestamp(3) with time zone not null,
  -- Null while the first request still runs.
  status integer,
  location text,
  body text,
  -- The use that has the key, named by who claims it: who got no answer to a claim can give it up.
  claim uuid not null,
  PRIMARY KEY (environment_id, key),
  FOREIGN KEY (environment_id) REFERENCES environments(id)
);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (claimed_at);

-- Amounts that a person puts on the next invoice of a subscription; a deleted one stays, marked.
create table invoice_items (
  environment_id integer not null,
  id text collate "C" not null,
  -- The order of writing, under the lock of the customer: ids of two machines may differ from it by their clocks.
  "position" bigint generated always as identity not null,
  customer_id text collate "C" not null,
  subscription_id text collate "C" not null,
  description text not null,
  quantity numeric not null,
  -- Below zero for a discount.
  unit_amount numeric not null,
  -- Quantity times unit amount, rounded once.
  amount numeric not null,
  -- By the customer's clock.
  created_at timestamp(3) with time zone not null,
  created_by text not null,
  deleted_at timestamp(3) with time zone,
  deleted_by text,
  -- An item below zero is split where a part of it fits: the item becomes the part, and the rest is an item of its own.
  -- A line keeps the unit amount that it was made with, since its item may be split again later.
  split_from text collate "C",
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  FOREIGN KEY (environment_id, subscription_id) REFERENCES subscriptions(environment_id, id),
  CHECK (((deleted_at IS NULL) = (deleted_by IS NULL))),
  CHECK ((quantity > (0)::numeric))
);
CREATE INDEX invoice_items_customer ON public.invoice_items USING btree (environment_id, customer_id, id);
CREATE INDEX invoice_items_subscription ON public.invoice_items USING btree (environment_id, subscription_id, "position") WHERE (deleted_at IS NULL);
CREATE TRIGGER audited_creation AFTER INSERT ON public.invoice_items FOR EACH ROW WHEN ((new.split_from IS NULL)) EXECUTE FUNCTION audit_row('{
  "object": "invoice_item", "insert": "created", "members": ["subscription_id", "quantity", "unit_amount", "amount"]}');
CREATE TRIGGER audited_deletion AFTER UPDATE OF deleted_at ON public.invoice_items FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "invoice_item", "verbs": {"deleted_at": "deleted"}, "members": ["amount"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.invoice_items FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'customer_id', 'subscription_id', 'unit_amount', 'amount', 'deleted_at');

-- Ranges of invoice numbers that no invoice has, each with its reason.
create table invoice_number_gaps (
  environment_id integer not null,
  number_from bigint not null,
  number_to bigint not null,
  reason text not null,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  PRIMARY KEY (environment_id, number_from),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  CHECK ((number_to >= number_from))
);

-- When a server first took an email with it.
create table invoices (
  environment_id integer not null,
  id text collate "C" not null,
  subscription_id text collate "C" not null,
  customer_id text collate "C" not null,
  plan_id text collate "C" not null,
  number bigint,
  status text not null,
  currency text not null,
  period_start timestamp(3) with time zone not null,
  period_end timestamp(3) with time zone not null,
  subtotal numeric not null,
  tax_rate numeric not null,
  tax_amount numeric not null,
  total numeric not null,
  amount_paid numeric not null,
  credits_applied numeric not null,
  replaces text collate "C",
  replaced_by text collate "C",
  -- A draft waits until then for late events.
  hold_until timestamp(3) with time zone not null,
  -- The steps aggregateUsage and applyCredits have run for these revisions: running one again changes nothing.
  usage_revision integer not null,
  credit_revision integer not null,
  -- The customer as it was when the invoice was issued: external_id, name, email.
  customer jsonb,
  -- SHA-256 over everything that an issued invoice says.
  content_hash bytea,
  created_at timestamp(3) with time zone not null,
  issued_at timestamp(3) with time zone,
  paid_at timestamp(3) with time zone,
  voided_at timestamp(3) with time zone,
  void_reason text,
  payment_reference text,
  -- A draft whose lines were counted beside a line that is void by now: it is counted again before it is issued.
  is_stale boolean default false not null,
  -- Who sells, as it was when the invoice was issued: name, address, footer. Beside `customer` it is all that a
  -- document says of others.
  seller jsonb,
  content_hash_version smallint,
  -- The number as documents show it: the prefix at the issue and the count.
  full_number text,
  tax_treatment text default 'standard'::text not null,
  tax_note text,
  timezone text default 'UTC'::text not null,
  hide_zero_lines boolean default false not null,
  due_date date,
  -- The end of the due date in the zone of the invoice.
  due_at timestamp(3) with time zone,
  -- What the balance covered when the invoice was issued, as its document says.
  balance_at_issue numeric default 0 not null,
  -- What the balance covers now.
  balance_applied numeric default 0 not null,
  -- What its credit notes take off it.
  credited numeric default 0 not null,
  -- When the worker first saw that the open invoice was overdue, by the clock of its customer; never cleared.
  overdue_at timestamp(3) with time zone,
  -- An opening invoice bills the period that it begins, beside the invoice that closes the period.
  kind text default 'period'::text not null,
  -- Of an opening: 1 where it begins its period, more of one for a higher quantity inside it.
  opening_number integer,
  -- Why it was made before the end of its period, if not by a person.
  cause text,
  -- The sums of its lines by their type, from the issue on: what revenue is made of.
  fees numeric,
  usage numeric,
  late_usage numeric,
  items numeric,
  discounts numeric,
  minimums numeric,
  -- The logo on its pages, as it was when the invoice was issued: a row of logos.
  logo_sha256 text,
  sent_at timestamp(3) with time zone,
  -- As of a customer.
  collection_pause jsonb,
  -- What a person wrote about the pause.
  collection_note text,
  collection_resumed_at timestamp(3) with time zone,
  PRIMARY KEY (environment_id, id),
  UNIQUE (environment_id, full_number),
  UNIQUE (environment_id, number),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  FOREIGN KEY (environment_id, plan_id) REFERENCES plans(environment_id, id),
  FOREIGN KEY (environment_id, replaced_by) REFERENCES invoices(environment_id, id),
  FOREIGN KEY (environment_id, replaces) REFERENCES invoices(environment_id, id),
  FOREIGN KEY (environment_id, subscription_id) REFERENCES subscriptions(environment_id, id),
  CHECK ((cause = 'threshold'::text)),
  CHECK (((number IS NULL) = (issued_at IS NULL))),
  CHECK (((status <> 'draft'::text) OR (number IS NULL))),
  CHECK (((cause IS NULL) OR (kind = 'period'::text))),
  CHECK (((collection_note IS NULL) OR (collection_pause IS NOT NULL))),
  CHECK (((kind = 'opening'::text) = (opening_number IS NOT NULL))),
  CHECK (((status <> ALL (ARRAY['open'::text, 'paid'::text])) OR (number IS NOT NULL))),
  CHECK (((number IS NULL) OR ((seller IS NOT NULL) AND (customer IS NOT NULL)))),
  CHECK (((number IS NULL) OR (num_nulls(fees, usage, late_usage, items, discounts, minimums) = 0))),
  CHECK (((content_hash IS NULL) = (content_hash_version IS NULL))),
  CHECK (((number IS NULL) = (full_number IS NULL))),
  CHECK (((number IS NULL) = (due_date IS NULL))),
  CHECK (((due_date IS NULL) = (due_at IS NULL))),
  CHECK (((collection_pause ?& ARRAY['reason'::text, 'until'::text, 'created_at'::text, 'created_by'::text]) AND ((collection_pause ->> 'reason'::text) = ANY (ARRAY['disputed'::text, 'promised'::text, 'other'::text])))),
  CHECK ((kind = ANY (ARRAY['period'::text, 'opening'::text, 'late'::text]))),
  CHECK ((status = ANY (ARRAY['draft'::text, 'open'::text, 'paid'::text, 'void'::text]))),
  CHECK ((tax_treatment = ANY (ARRAY['standard'::text, 'exempt'::text, 'reverse_charge'::text])))
);
-- The row of a bank's file whose amount is due.
CREATE INDEX invoices_amount_due ON public.invoices USING btree (environment_id, currency, ((((total - amount_paid) - balance_applied) - credited)), id) WHERE (status = 'open'::text);
CREATE INDEX invoices_customer ON public.invoices USING btree (environment_id, customer_id, id);
CREATE INDEX invoices_drafts ON public.invoices USING btree (environment_id, subscription_id) WHERE (status = 'draft'::text);
CREATE INDEX invoices_due ON public.invoices USING btree (environment_id, due_at) WHERE (status = 'open'::text);
-- Lists of invoices by the time of their issue; a draft has none. Revenue, and receivables of a past day, are read from
-- the index alone.
CREATE INDEX invoices_issued_at ON public.invoices USING btree (environment_id, issued_at) INCLUDE (id, customer_id, currency, due_date, plan_id, fees, usage, late_usage, items, discounts, minimums, tax_amount) WHERE (issued_at IS NOT NULL);
-- Lists in the order of ids, filtered by a time that is far back: the index is read from the newest row on, and no row
-- beyond the range.
CREATE INDEX invoices_newest ON public.invoices USING btree (environment_id, id, issued_at, period_end);
CREATE INDEX invoices_not_yet_overdue ON public.invoices USING btree (environment_id, due_at) WHERE ((status = 'open'::text) AND (overdue_at IS NULL));
-- Open invoices of a customer.
CREATE INDEX invoices_owed ON public.invoices USING btree (environment_id, customer_id, due_date) WHERE (status = 'open'::text);
CREATE UNIQUE INDEX invoices_period ON public.invoices USING btree (environment_id, subscription_id, period_start, kind, opening_number) NULLS NOT DISTINCT WHERE (status <> 'void'::text);
CREATE INDEX invoices_period_end ON public.invoices USING btree (environment_id, period_end);
CREATE INDEX invoices_sent ON public.invoices USING btree (environment_id, id) WHERE (sent_at IS NOT NULL);
-- Open invoices by the days of their steps.
CREATE INDEX invoices_steps ON public.invoices USING btree (environment_id, due_date, id) WHERE (status = 'open'::text);
CREATE INDEX invoices_subscription ON public.invoices USING btree (environment_id, subscription_id, period_start);
-- Issued invoices that went to nobody.
CREATE INDEX invoices_unsent ON public.invoices USING btree (environment_id, id) WHERE ((sent_at IS NULL) AND (issued_at IS NOT NULL));
-- The journal reads by the time of recording.
CREATE INDEX invoices_voided_at ON public.invoices USING btree (environment_id, voided_at) WHERE (voided_at IS NOT NULL);
CREATE TRIGGER audited AFTER INSERT OR UPDATE OF issued_at, voided_at ON public.invoices FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "invoice", "verbs": {"issued_at": "issued", "voided_at": "voided"},
  "members": ["full_number", "status", "total", "currency"]}');
CREATE TRIGGER audited_pause AFTER UPDATE OF collection_pause ON public.invoices FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "invoice", "verbs": {"collection_pause": "collection_paused"},
  "released": {"collection_pause": "collection_resumed"}, "members": ["collection_pause"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.invoices FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'subscription_id', 'customer_id', 'period_start', 'status', 'number', 'overdue_at', 'amount_paid', 'balance_applied', 'credited', 'replaced_by', 'sent_at', 'collection_pause');

-- The groups of a charge that have lines of their own in a full period; all others share one.
create table line_groups (
  environment_id integer not null,
  subscription_id text collate "C" not null,
  charge_id text collate "C" not null,
  full_period_start timestamp(3) with time zone not null,
  series jsonb not null,
  PRIMARY KEY (environment_id, subscription_id, charge_id, full_period_start, series),
  FOREIGN KEY (environment_id, charge_id) REFERENCES charges(environment_id, id),
  FOREIGN KEY (environment_id, subscription_id) REFERENCES subscriptions(environment_id, id)
);

-- Which events a line bills: from one cut-off to another, within a span of time.
create table line_item_spans (
  environment_id integer not null,
  line_item_id text collate "C" not null,
  "position" integer not null,
  after_cut_off_id bigint,
  up_to_cut_off_id bigint not null,
  timestamp_from timestamp(3) with time zone not null,
  timestamp_to timestamp(3) with time zone not null,
  -- The time of storing, half open, null for no bound: a late line holds only what was stored in time.
  stored_from timestamp(3) with time zone,
  stored_to timestamp(3) with time zone,
  PRIMARY KEY (environment_id, line_item_id, "position"),
  FOREIGN KEY (environment_id, after_cut_off_id) REFERENCES cut_offs(environment_id, id),
  FOREIGN KEY (environment_id, line_item_id) REFERENCES line_items(environment_id, id) ON DELETE CASCADE,
  FOREIGN KEY (environment_id, up_to_cut_off_id) REFERENCES cut_offs(environment_id, id)
);
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.line_item_spans FOR EACH ROW EXECUTE FUNCTION log_row_change('line_item_id', 'position', 'timestamp_from', 'timestamp_to');

-- One charge, one of its prices or groups, or one invoice item, on an invoice.
create table line_items (
  environment_id integer not null,
  id text collate "C" not null,
  invoice_id text collate "C" not null,
  "position" integer not null,
  type text not null,
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
  period_start timestamp(3) with time zone not null,
  period_end timestamp(3) with time zone not null,
  full_period_start timestamp(3) with time zone not null,
  -- All lines of a charge and an uncut period are priced together (billing.md 5) and are found by these columns.
  subscription_id text collate "C" not null,
  invoice_item_id text collate "C",
  -- The price and the group that the line bills of its charge.
  series jsonb default '{"group": null, "others": false, "price_index": null}'::jsonb not null,
  unit_amount numeric,
  -- Its discounts, each {discount_id, name, percent}, and its amount without their percents.
  discounts jsonb default '[]'::jsonb not null,
  amount_before numeric,
  -- The times of a fee with a quantity, each {period_start, period_end, quantity, amount}, and what other lines bill.
  stretches jsonb,
  billed_before numeric,
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id, charge_id) REFERENCES charges(environment_id, id),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoices(environment_id, id),
  FOREIGN KEY (environment_id, invoice_item_id) REFERENCES invoice_items(environment_id, id),
  FOREIGN KEY (environment_id, subscription_id) REFERENCES subscriptions(environment_id, id),
  CHECK (((stretches IS NULL) = (billed_before IS NULL))),
  CHECK (
CASE type
    WHEN 'discount'::text THEN ((jsonb_array_length(discounts) = 1) AND (amount_before IS NULL))
    ELSE ((discounts = '[]'::jsonb) = (amount_before IS NULL))
END),
  CHECK (
CASE type
    WHEN 'item'::text THEN ((invoice_item_id IS NOT NULL) AND (charge_id IS NULL) AND (event_name IS NULL) AND (pricing_model IS NULL))
    WHEN 'discount'::text THEN ((invoice_item_id IS NULL) AND (charge_id IS NULL) AND (event_name IS NULL) AND (pricing_model IS NULL))
    WHEN 'minimum'::text THEN ((invoice_item_id IS NULL) AND (charge_id IS NULL) AND (event_name IS NULL) AND (pricing_model IS NULL))
    ELSE ((invoice_item_id IS NULL) AND (charge_id IS NOT NULL) AND (event_name IS NOT NULL) AND (pricing_model IS NOT NULL))
END),
  CHECK ((type = ANY (ARRAY['flat'::text, 'usage'::text, 'late_usage'::text, 'item'::text, 'discount'::text, 'minimum'::text]))),
  CHECK (((type = 'item'::text) = (unit_amount IS NOT NULL)))
);
CREATE INDEX line_items_charge ON public.line_items USING btree (environment_id, charge_id);
CREATE INDEX line_items_full_period ON public.line_items USING btree (environment_id, subscription_id, full_period_start);
CREATE UNIQUE INDEX line_items_invoice_item ON public.line_items USING btree (environment_id, invoice_item_id, invoice_id) WHERE (invoice_item_id IS NOT NULL);
CREATE UNIQUE INDEX line_items_period ON public.line_items USING btree (environment_id, invoice_id, full_period_start, type, (((discounts -> 0) ->> 'discount_id'::text))) NULLS NOT DISTINCT WHERE (type = ANY (ARRAY['discount'::text, 'minimum'::text]));
CREATE UNIQUE INDEX line_items_series ON public.line_items USING btree (environment_id, invoice_id, charge_id, full_period_start, series);
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.line_items FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'invoice_id', 'subscription_id', 'invoice_item_id', 'full_period_start', 'period_end');

-- Logos of documents: the one of now, and those that issued invoices have.
create table logos (
  environment_id integer not null,
  sha256 text not null,
  png bytea not null,
  -- The last invoice number when it was set: where it is the same when another follows, no invoice has this logo.
  set_after_number bigint not null,
  PRIMARY KEY (environment_id, sha256),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  CHECK ((sha256 = encode(sha256(png), 'hex'::text)))
);

create table migrations (
  id integer default nextval('migrations_id_seq'::regclass) not null,
  name character varying(255) not null,
  run_on timestamp without time zone not null,
  PRIMARY KEY (id)
);

-- Public keys of people's devices, which sign in without a link.
create table passkeys (
  user_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  credential_id text collate "C" not null,
  public_key bytea not null,
  -- How often the device says that the key was used; 0 for devices that do not count.
  counter bigint not null,
  transports jsonb not null,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  last_used_at timestamp(3) with time zone,
  PRIMARY KEY (id),
  UNIQUE (credential_id),
  FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX passkeys_of_user ON public.passkeys USING btree (user_id, id);
CREATE TRIGGER audited AFTER INSERT OR DELETE ON public.passkeys FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "passkey", "insert": "created", "delete": "removed", "members": ["user_id", "name"]}');

-- Each is one intent at the provider, and each of its steps is a row before a call.
create table payment_attempts (
  environment_id integer not null,
  -- The key of its intent at the provider.
  id text collate "C" not null,
  invoice_id text collate "C" not null,
  customer_id text collate "C" not null,
  -- From 1, of the invoice.
  number integer not null,
  -- What it is to charge, which follows what is due until it is confirmed; what it has charged.
  amount numeric not null,
  currency text not null,
  provider_id text collate "C" not null,
  payment_method_id text collate "C" not null,
  by text not null,
  -- The person or the key; null for the schedule.
  created_by text,
  -- The invoice and the Idempotency-Key of the request; null for none.
  request_key text,
  status text default 'pending'::text not null,
  -- In the provider's word.
  decline_code text,
  -- The intent; null before it is prepared.
  provider_reference text collate "C",
  -- When it was about to be confirmed first: from then on the provider may have charged.
  confirmed_at timestamp(3) with time zone,
  -- What it ends as once its intent is canceled; null while it is to charge.
  ends_as text,
  -- The payment of one that succeeded.
  payment_id text collate "C",
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  ended_at timestamp(3) with time zone,
  -- When it began by the clock of the customer: of the schedule, the instant of its plan.
  at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  -- What may be tried after a decline; null before the provider has answered.
  again text,
  -- Whether the payer gets an email of its failure, decided as it ends.
  is_mailed boolean default false not null,
  PRIMARY KEY (environment_id, id),
  UNIQUE (environment_id, invoice_id, number),
  UNIQUE (environment_id, provider_id, provider_reference),
  UNIQUE (environment_id, request_key),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoices(environment_id, id),
  FOREIGN KEY (environment_id, payment_id) REFERENCES payments(environment_id, id),
  FOREIGN KEY (environment_id, payment_method_id) REFERENCES payment_methods(environment_id, id),
  FOREIGN KEY (environment_id, provider_id) REFERENCES payment_providers(environment_id, id),
  CHECK ((again = ANY (ARRAY['later'::text, 'never'::text, 'by_schedule'::text]))),
  CHECK ((amount > (0)::numeric)),
  CHECK ((by = ANY (ARRAY['schedule'::text, 'person'::text]))),
  CHECK (((status = ANY (ARRAY['pending'::text, 'processing'::text])) = (ended_at IS NULL))),
  CHECK (((status = 'succeeded'::text) = (payment_id IS NOT NULL))),
  CHECK (((created_by IS NOT NULL) = (by = 'person'::text))),
  CHECK (((NOT is_mailed) OR (by = 'schedule'::text))),
  CHECK ((ends_as = ANY (ARRAY['action_required'::text, 'declined'::text, 'canceled'::text]))),
  CHECK ((number > 0)),
  CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'action_required'::text, 'succeeded'::text, 'declined'::text, 'canceled'::text])))
);
-- Open attempts of all environments.
CREATE INDEX payment_attempts_by_id ON public.payment_attempts USING btree (id) WHERE (status = ANY (ARRAY['pending'::text, 'processing'::text]));
CREATE INDEX payment_attempts_customer ON public.payment_attempts USING btree (environment_id, customer_id, id);
CREATE INDEX payment_attempts_intent ON public.payment_attempts USING btree (environment_id, provider_reference) WHERE (status = ANY (ARRAY['pending'::text, 'processing'::text]));
CREATE INDEX payment_attempts_invoice ON public.payment_attempts USING btree (environment_id, invoice_id, id);
CREATE INDEX payment_attempts_method ON public.payment_attempts USING btree (environment_id, payment_method_id);
-- One open attempt an invoice.
CREATE UNIQUE INDEX payment_attempts_open ON public.payment_attempts USING btree (environment_id, invoice_id) WHERE (status = ANY (ARRAY['pending'::text, 'processing'::text]));
CREATE UNIQUE INDEX payment_attempts_payment ON public.payment_attempts USING btree (environment_id, payment_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX payment_attempts_status ON public.payment_attempts USING btree (environment_id, status, id);
CREATE TRIGGER audited AFTER INSERT ON public.payment_attempts FOR EACH ROW WHEN ((new.by = 'person'::text)) EXECUTE FUNCTION audit_row('{
  "object": "payment_attempt", "insert": "created", "members": ["invoice_id", "amount", "payment_method_id"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.payment_attempts FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'invoice_id', 'customer_id', 'status');

-- Money of a charge that the payer's bank takes back, or asks about.
create table payment_disputes (
  environment_id integer not null,
  id text collate "C" not null,
  -- The payment that stood when it was found.
  payment_id text collate "C" not null,
  -- Null for a payment in advance.
  invoice_id text collate "C",
  customer_id text collate "C" not null,
  amount numeric not null,
  currency text not null,
  -- In the provider's word.
  reason text not null,
  provider_id text collate "C" not null,
  -- The intent of the charge.
  charge_reference text collate "C" not null,
  -- Its id at the provider.
  provider_reference text collate "C" not null,
  status text not null,
  -- What it has taken of payments that stood; null while nothing is booked.
  taken_amount numeric,
  -- Why it cannot be booked now.
  fault text,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  ended_at timestamp(3) with time zone,
  -- When it is read at the provider again; null: not before the provider posts a change.
  next_read_at timestamp(3) with time zone,
  PRIMARY KEY (environment_id, id),
  UNIQUE (environment_id, provider_id, provider_reference),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoices(environment_id, id),
  FOREIGN KEY (environment_id, payment_id) REFERENCES payments(environment_id, id),
  FOREIGN KEY (environment_id, provider_id) REFERENCES payment_providers(environment_id, id),
  CHECK ((amount > (0)::numeric)),
  CHECK (((status = ANY (ARRAY['inquiry'::text, 'open'::text])) = (ended_at IS NULL))),
  CHECK ((status = ANY (ARRAY['inquiry'::text, 'open'::text, 'won'::text, 'lost'::text]))),
  CHECK ((taken_amount >= (0)::numeric))
);
CREATE INDEX payment_disputes_charge ON public.payment_disputes USING btree (environment_id, charge_reference);
CREATE INDEX payment_disputes_customer ON public.payment_disputes USING btree (environment_id, customer_id, id);
CREATE INDEX payment_disputes_invoice ON public.payment_disputes USING btree (environment_id, invoice_id, id) WHERE (invoice_id IS NOT NULL);
CREATE INDEX payment_disputes_payment ON public.payment_disputes USING btree (environment_id, payment_id, id);
CREATE INDEX payment_disputes_status ON public.payment_disputes USING btree (environment_id, status, id);
CREATE INDEX payment_disputes_unread ON public.payment_disputes USING btree (next_read_at) WHERE (next_read_at IS NOT NULL);
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE OF amount, status ON public.payment_disputes FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'invoice_id', 'customer_id', 'status');

create table payment_methods (
  environment_id integer not null,
  id text collate "C" not null,
  customer_id text collate "C" not null,
  provider_id text collate "C" not null,
  -- Its id at the provider.
  reference text collate "C" not null,
  -- In the provider's word, such as card.
  type text not null,
  label text not null,
  -- A month, such as 2028-04.
  expires text,
  status text default 'active'::text not null,
  is_default boolean not null,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  -- When it is read at the provider, or once it is removed, ended there; null: not before the provider posts a change.
  next_read_at timestamp(3) with time zone,
  -- When it last became the default, by the clock of the customer; of one that never was, when it was made.
  default_since timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  PRIMARY KEY (environment_id, id),
  UNIQUE (environment_id, provider_id, reference),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  FOREIGN KEY (environment_id, provider_id, customer_id) REFERENCES provider_customers(environment_id, provider_id, customer_id),
  CHECK (((NOT is_default) OR (status <> 'removed'::text))),
  CHECK ((status = ANY (ARRAY['active'::text, 'failing'::text, 'removed'::text])))
);
CREATE INDEX payment_methods_customer ON public.payment_methods USING btree (environment_id, customer_id, id);
CREATE UNIQUE INDEX payment_methods_default ON public.payment_methods USING btree (environment_id, customer_id) WHERE is_default;
CREATE INDEX payment_methods_provider_customer ON public.payment_methods USING btree (environment_id, provider_id, customer_id);
CREATE INDEX payment_methods_unread ON public.payment_methods USING btree (next_read_at) WHERE (next_read_at IS NOT NULL);
CREATE TRIGGER audited AFTER UPDATE OF status, is_default ON public.payment_methods FOR EACH ROW WHEN ((COALESCE(current_setting('tidemark.actor'::text, true), ''::text) <> ''::text)) EXECUTE FUNCTION audit_row('{
  "object": "payment_method", "update": "updated", "members": ["status", "is_default"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE OF label, expires, status, is_default ON public.payment_methods FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'customer_id', 'status', 'is_default');

-- Pages of the provider on which a payer saves a method.
create table payment_pages (
  environment_id integer not null,
  -- Its key at the provider, so that a request that comes again makes no second page.
  id text collate "C" not null,
  customer_id text collate "C" not null,
  provider_id text collate "C" not null,
  -- Null before the provider has made it.
  reference text collate "C",
  url text,
  status text default 'open'::text not null,
  expires_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  -- The person, the program or the portal link.
  created_by text not null,
  -- When it is read at the provider again; null: never.
  next_read_at timestamp(3) with time zone,
  -- The invoice that is paid there; null where a method is saved.
  invoice_id text collate "C",
  -- What is paid there: what was due as it was made.
  amount numeric,
  currency text,
  -- Whether the method is saved for later charges.
  saves_method boolean,
  -- The charge at the provider, once the payer has paid; an open page with one waits for a debit that takes days.
  intent_reference text collate "C",
  -- The payment of a page that is complete.
  payment_id text collate "C",
  PRIMARY KEY (environment_id, id),
  UNIQUE (environment_id, provider_id, reference),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoices(environment_id, id),
  FOREIGN KEY (environment_id, payment_id) REFERENCES payments(environment_id, id),
  FOREIGN KEY (environment_id, provider_id, customer_id) REFERENCES provider_customers(environment_id, provider_id, customer_id),
  CHECK ((amount > (0)::numeric)),
  CHECK (((status = 'open'::text) = (next_read_at IS NOT NULL))),
  CHECK (((reference IS NULL) = (url IS NULL))),
  CHECK (((invoice_id IS NULL) = (amount IS NULL))),
  CHECK (((invoice_id IS NULL) = (currency IS NULL))),
  CHECK (((invoice_id IS NULL) = (saves_method IS NULL))),
  CHECK (((invoice_id IS NOT NULL) OR ((intent_reference IS NULL) AND (payment_id IS NULL)))),
  CHECK (((invoice_id IS NULL) OR ((status = 'complete'::text) = (payment_id IS NOT NULL)))),
  CHECK ((status = ANY (ARRAY['open'::text, 'complete'::text, 'expired'::text])))
);
CREATE INDEX payment_pages_customer ON public.payment_pages USING btree (environment_id, customer_id, created_at);
CREATE UNIQUE INDEX payment_pages_intent ON public.payment_pages USING btree (environment_id, provider_id, intent_reference) WHERE (intent_reference IS NOT NULL);
CREATE INDEX payment_pages_invoice ON public.payment_pages USING btree (environment_id, invoice_id, id) WHERE (invoice_id IS NOT NULL);
-- One open page an invoice.
CREATE UNIQUE INDEX payment_pages_open ON public.payment_pages USING btree (environment_id, invoice_id) WHERE (status = 'open'::text);
CREATE INDEX payment_pages_payer ON public.payment_pages USING btree (environment_id, customer_id, id) WHERE (invoice_id IS NOT NULL);
CREATE UNIQUE INDEX payment_pages_payment ON public.payment_pages USING btree (environment_id, payment_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX payment_pages_provider_customer ON public.payment_pages USING btree (environment_id, provider_id, customer_id);
CREATE INDEX payment_pages_unread ON public.payment_pages USING btree (next_read_at) WHERE (next_read_at IS NOT NULL);
CREATE TRIGGER audited AFTER INSERT ON public.payment_pages FOR EACH ROW WHEN ((new.invoice_id IS NULL)) EXECUTE FUNCTION audit_row('{
  "object": "payment_method_session", "insert": "created", "members": ["expires_at"]}');
CREATE TRIGGER audited_payment AFTER INSERT ON public.payment_pages FOR EACH ROW WHEN ((new.invoice_id IS NOT NULL)) EXECUTE FUNCTION audit_row('{
  "object": "payment_session", "insert": "created", "members": ["invoice_id", "amount"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE OF status, intent_reference ON public.payment_pages FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'invoice_id', 'customer_id');

-- At most one of an environment that is not deleted.
create table payment_providers (
  environment_id integer not null,
  id text collate "C" not null,
  kind text not null,
  -- Its id at the provider.
  account text not null,
  -- Encrypted under TIDEMARK_SECRET, bound to the id; null once it is deleted.
  secret_key bytea,
  key_last_four text not null,
  -- Where the provider posts its events.
  webhook_url text not null,
  -- Signs its events; null: none are taken. Encrypted as the key is.
  webhook_secret bytea,
  -- The one before, whose signatures are taken too.
  previous_webhook_secret bytea,
  webhook_secret_set_at timestamp(3) with time zone,
  -- The endpoint at the provider that we made; null: a person makes it.
  webhook_reference text,
  status text default 'active'::text not null,
  -- In the provider's words.
  status_reason text,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  created_by text not null,
  deleted_at timestamp(3) with time zone,
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  CHECK (((secret_key IS NULL) = (deleted_at IS NOT NULL))),
  CHECK (((status_reason IS NULL) = (status = 'active'::text))),
  CHECK (((previous_webhook_secret IS NULL) OR (webhook_secret IS NOT NULL))),
  CHECK ((kind = 'stripe'::text)),
  CHECK ((status = ANY (ARRAY['active'::text, 'failing'::text])))
);
CREATE UNIQUE INDEX payment_providers_one ON public.payment_providers USING btree (environment_id) WHERE (deleted_at IS NULL);
CREATE TRIGGER audited AFTER INSERT OR UPDATE OF account, key_last_four, webhook_secret_set_at, deleted_at ON public.payment_providers FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "payment_provider", "insert": "created", "update": "updated", "verbs": {"deleted_at": "deleted"},
  "members": ["kind", "account", "key_last_four", "webhook_secret_set_at"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE OF account, key_last_four, webhook_url, status, status_reason, deleted_at ON public.payment_providers FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'deleted_at');

-- Money of a charge that goes back to its payer.
create table payment_refunds (
  environment_id integer not null,
  -- The key of the request at the provider.
  id text collate "C" not null,
  -- The payment that it was asked of, or that stood when it was found at the provider.
  payment_id text collate "C" not null,
  -- Null for a payment in advance.
  invoice_id text collate "C",
  customer_id text collate "C" not null,
  -- The note that accounts for it; null: it reverses payments.
  credit_note_id text collate "C",
  amount numeric not null,
  currency text not null,
  -- Null after an erasure.
  reason text,
  provider_id text collate "C" not null,
  -- The intent of the charge.
  charge_reference text collate "C" not null,
  -- Its id at the provider; null before the provider has taken it.
  provider_reference text collate "C",
  status text default 'pending'::text not null,
  -- What it has taken of payments that stood, 0 for one of a credit note; null while nothing is booked.
  taken_amount numeric,
  -- Why it cannot be booked now.
  fault text,
  -- The payment and the Idempotency-Key of the request; null for none.
  request_key text,
  -- The person or the key; null for one that was made at the provider.
  created_by text,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  ended_at timestamp(3) with time zone,
  -- When it is asked of the provider, or read there, again; null: not before the provider posts a change.
  next_read_at timestamp(3) with time zone,
  PRIMARY KEY (environment_id, id),
  UNIQUE (environment_id, provider_id, provider_reference),
  UNIQUE (environment_id, request_key),
  FOREIGN KEY (environment_id, credit_note_id) REFERENCES credit_notes(environment_id, id),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoices(environment_id, id),
  FOREIGN KEY (environment_id, payment_id) REFERENCES payments(environment_id, id),
  FOREIGN KEY (environment_id, provider_id) REFERENCES payment_providers(environment_id, id),
  CHECK ((amount > (0)::numeric)),
  CHECK (((status = 'pending'::text) = (ended_at IS NULL))),
  CHECK (((taken_amount IS NULL) OR (provider_reference IS NOT NULL))),
  CHECK (((credit_note_id IS NULL) OR (taken_amount IS NULL) OR (taken_amount = (0)::numeric))),
  CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text]))),
  CHECK ((taken_amount >= (0)::numeric))
);
CREATE INDEX payment_refunds_charge ON public.payment_refunds USING btree (environment_id, charge_reference);
CREATE INDEX payment_refunds_customer ON public.payment_refunds USING btree (environment_id, customer_id, id);
CREATE INDEX payment_refunds_invoice ON public.payment_refunds USING btree (environment_id, invoice_id, id) WHERE (invoice_id IS NOT NULL);
CREATE INDEX payment_refunds_note ON public.payment_refunds USING btree (environment_id, credit_note_id) WHERE (credit_note_id IS NOT NULL);
CREATE INDEX payment_refunds_payment ON public.payment_refunds USING btree (environment_id, payment_id, id);
CREATE INDEX payment_refunds_status ON public.payment_refunds USING btree (environment_id, status, id);
CREATE INDEX payment_refunds_unread ON public.payment_refunds USING btree (next_read_at) WHERE (next_read_at IS NOT NULL);
CREATE TRIGGER audited AFTER INSERT ON public.payment_refunds FOR EACH ROW WHEN ((new.created_by IS NOT NULL)) EXECUTE FUNCTION audit_row('{
  "object": "payment_refund", "insert": "created", "members": ["payment_id", "amount", "credit_note_id"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE OF provider_reference, status, reason ON public.payment_refunds FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'invoice_id', 'customer_id', 'status');

-- What customers paid, for invoices and in advance; a payment made by mistake is reversed and stays.
create table payments (
  environment_id integer not null,
  id text collate "C" not null,
  invoice_id text collate "C",
  amount numeric not null,
  reference text,
  paid_at timestamp(3) with time zone not null,
  -- By the customer's clock.
  created_at timestamp(3) with time zone not null,
  -- The key or the session that recorded it.
  created_by text,
  reversed_at timestamp(3) with time zone,
  reversal_reason text,
  reversed_by text,
  -- The part of a payment that was above what was due.
  to_balance numeric default 0 not null,
  -- Who paid: of an invoice its customer.
  customer_id text collate "C" not null,
  -- The transfer of which it is a part.
  transfer_id text collate "C",
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoices(environment_id, id),
  FOREIGN KEY (environment_id, transfer_id) REFERENCES transfers(environment_id, id),
  CHECK ((amount > (0)::numeric)),
  CHECK (((to_balance >= (0)::numeric) AND (to_balance <= amount))),
  CHECK (((invoice_id IS NOT NULL) OR (to_balance = amount))),
  CHECK (((reversed_at IS NOT NULL) OR (reversal_reason IS NULL)))
);
-- One payment an attempt.
CREATE UNIQUE INDEX payments_attempt ON public.payments USING btree (environment_id, created_by) WHERE (created_by ~~ 'pat\_%'::text);
-- One payment a charge, besides what refunds and disputes pay again.
CREATE UNIQUE INDEX payments_charge ON public.payments USING btree (environment_id, reference) WHERE (created_by ~ '^(pat|pys|pp)_'::text);
CREATE INDEX payments_created_at ON public.payments USING btree (environment_id, created_at);
CREATE INDEX payments_customer ON public.payments USING btree (environment_id, customer_id, id);
CREATE INDEX payments_invoice ON public.payments USING btree (environment_id, invoice_id);
CREATE INDEX payments_newest ON public.payments USING btree (environment_id, id, paid_at);
-- One payment a page.
CREATE UNIQUE INDEX payments_page ON public.payments USING btree (environment_id, created_by) WHERE (created_by ~~ 'pys\_%'::text);
-- The row of a bank's file that is booked already.
CREATE INDEX payments_received ON public.payments USING btree (environment_id, reference, amount, paid_at) WHERE ((reference IS NOT NULL) AND (reversed_at IS NULL));
CREATE INDEX payments_reference ON public.payments USING btree (environment_id, reference, id) WHERE (reference IS NOT NULL);
CREATE INDEX payments_reversed_at ON public.payments USING btree (environment_id, reversed_at) WHERE (reversed_at IS NOT NULL);
CREATE INDEX payments_transfer ON public.payments USING btree (environment_id, transfer_id) WHERE (transfer_id IS NOT NULL);
CREATE TRIGGER audited AFTER INSERT OR UPDATE OF reversed_at ON public.payments FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "payment", "insert": "recorded", "verbs": {"reversed_at": "reversed"},
  "members": ["amount", "to_balance", "paid_at", "reversed_at"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.payments FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'invoice_id', 'customer_id', 'reversed_at');

-- Billing periods, trials and late windows of a subscription, each opened when the one before it closes.
create table periods (
  environment_id integer not null,
  subscription_id text collate "C" not null,
  period_start timestamp(3) with time zone not null,
  period_end timestamp(3) with time zone not null,
  kind text not null,
  -- The two boundaries of the anchor around the period: the whole that flat amounts of a short period are a part of.
  interval_start timestamp(3) with time zone not null,
  interval_end timestamp(3) with time zone not null,
  -- Parts of one cut period share it: quantities, tiers and free units run over all of them.
  full_period_start timestamp(3) with time zone not null,
  -- When the period's invoice was drafted, or the trial ended. The period after it opens in the same transaction.
  closed_at timestamp(3) with time zone,
  -- Since when no late line can come any more; null again once an invoice that bills the period is void.
  late_window_closed_at timestamp(3) with time zone,
  -- Until when an event of a settled period was stored in time.
  late_usage_until timestamp(3) with time zone,
  plan_id text collate "C" not null,
  -- Null until the beginning of the period is worked off.
  opened_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()),
  -- Whether the notice of its end is made, or not wanted since nothing follows; a change of the subscription asks anew.
  end_noted boolean default false not null,
  PRIMARY KEY (environment_id, subscription_id, period_start),
  FOREIGN KEY (environment_id, plan_id) REFERENCES plans(environment_id, id),
  FOREIGN KEY (environment_id, subscription_id) REFERENCES subscriptions(environment_id, id),
  CHECK ((period_end > period_start)),
  CHECK ((kind = ANY (ARRAY['trial'::text, 'billing'::text, 'late'::text])))
);
CREATE INDEX periods_late_window_open ON public.periods USING btree (environment_id, subscription_id, full_period_start) WHERE (late_window_closed_at IS NULL);
CREATE UNIQUE INDEX periods_open ON public.periods USING btree (environment_id, subscription_id) WHERE (closed_at IS NULL);
CREATE INDEX periods_to_notice ON public.periods USING btree (environment_id, period_end) WHERE ((closed_at IS NULL) AND (kind <> 'late'::text) AND (NOT end_noted));
CREATE INDEX periods_to_open ON public.periods USING btree (environment_id, subscription_id) WHERE (opened_at IS NULL);
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE OF period_start, period_end, kind, interval_start, interval_end, full_period_start, closed_at, late_window_closed_at, late_usage_until, plan_id, opened_at ON public.periods FOR EACH ROW EXECUTE FUNCTION log_row_change('subscription_id', 'period_start', 'period_end', 'interval_end', 'full_period_start', 'kind', 'closed_at', 'plan_id');

-- The plan of a subscription changes (decision 46). Its first plan stays in subscriptions.plan_id.
create table plan_changes (
  environment_id integer not null,
  subscription_id text collate "C" not null,
  -- The first instant of the plan.
  at timestamp(3) with time zone not null,
  plan_id text collate "C" not null,
  -- Whether the instant was sent as a day: periods that are anchored at it then begin at midnight.
  is_day boolean not null,
  -- When the feed noted that the plan holds; null while it is to come.
  noted_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  settle text default 'balance'::text not null,
  -- The use of unused time of each plan that was exchanged at this instant, by the id of the plan.
  exchanges jsonb default '{}'::jsonb not null,
  proration text default 'exact'::text not null,
  cycle text default 'keep'::text not null,
  take_back_grants boolean default false not null,
  PRIMARY KEY (environment_id, subscription_id, at),
  FOREIGN KEY (environment_id, plan_id) REFERENCES plans(environment_id, id),
  FOREIGN KEY (environment_id, subscription_id) REFERENCES subscriptions(environment_id, id),
  CHECK ((cycle = ANY (ARRAY['keep'::text, 'restart'::text]))),
  CHECK ((proration = ANY (ARRAY['exact'::text, 'none'::text, 'full'::text]))),
  CHECK ((settle = ANY (ARRAY['balance'::text, 'outside'::text, 'none'::text])))
);
CREATE INDEX plan_changes_by_plan ON public.plan_changes USING btree (environment_id, plan_id);
CREATE INDEX plan_changes_to_note ON public.plan_changes USING btree (environment_id, at) WHERE (noted_at IS NULL);
CREATE TRIGGER audited AFTER INSERT OR DELETE OR UPDATE OF plan_id, settle, proration, cycle, take_back_grants ON public.plan_changes FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "subscription", "insert": "updated", "delete": "updated", "update": "updated", "id": "subscription_id",
  "members": ["plan_id", "at", "settle", "proration", "cycle", "take_back_grants"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.plan_changes FOR EACH ROW EXECUTE FUNCTION log_row_change('subscription_id', 'at', 'plan_id', 'noted_at');

-- The subscriptions of a migration, with what became of each.
create table plan_migration_outcomes (
  environment_id integer not null,
  migration_id text collate "C" not null,
  subscription_id text collate "C" not null,
  -- Null until its turn.
  status text,
  reason text,
  -- The instant of the change that was made.
  changed_at timestamp(3) with time zone,
  details jsonb,
  -- The custom plan to which it was changed; null: the target of the migration.
  to_plan_id text collate "C",
  PRIMARY KEY (environment_id, migration_id, subscription_id),
  FOREIGN KEY (environment_id, migration_id) REFERENCES plan_migrations(environment_id, id),
  FOREIGN KEY (environment_id, subscription_id) REFERENCES subscriptions(environment_id, id),
  FOREIGN KEY (environment_id, to_plan_id) REFERENCES plans(environment_id, id),
  CHECK (((changed_at IS NOT NULL) = COALESCE((status = ANY (ARRAY['changed'::text, 'taken_back'::text])), false))),
  CHECK (((reason IS NULL) OR (status IS NOT NULL))),
  CHECK ((status = ANY (ARRAY['changed'::text, 'skipped'::text, 'failed'::text, 'taken_back'::text])))
);
CREATE INDEX plan_migration_outcomes_by_status ON public.plan_migration_outcomes USING btree (environment_id, migration_id, status, subscription_id);
CREATE INDEX plan_migration_outcomes_by_subscription ON public.plan_migration_outcomes USING btree (environment_id, subscription_id);

-- Moves of all subscribers of a plan to another one, and how far each is.
create table plan_migrations (
  environment_id integer not null,
  id text collate "C" not null,
  -- As it was sent: a plan, or the key of all versions in from_plan_ids.
  from_plan_id text not null,
  from_plan_ids text[] not null,
  to_plan_id text collate "C" not null,
  -- As it was sent: now, period_end, an instant, or a day in the time zone of each subscription.
  at text not null,
  settle text not null,
  status text default 'running'::text not null,
  -- The last subscription that the pass over them has reached; the empty text before the first.
  reached text collate "C" default ''::text not null,
  total integer not null,
  changed integer default 0 not null,
  skipped integer default 0 not null,
  failed integer default 0 not null,
  taken_back integer default 0 not null,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  created_by text not null,
  -- Set again where a migration that is over is taken back.
  finished_at timestamp(3) with time zone,
  proration text default 'exact'::text not null,
  cycle text default 'keep'::text not null,
  -- Whether custom plans are based anew on the target; else they are passed over.
  custom boolean default false not null,
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  FOREIGN KEY (environment_id, to_plan_id) REFERENCES plans(environment_id, id),
  CHECK (((finished_at IS NOT NULL) OR (status = ANY (ARRAY['running'::text, 'taken_back'::text])))),
  CHECK (((finished_at IS NULL) OR (status <> 'running'::text))),
  CHECK ((cycle = ANY (ARRAY['keep'::text, 'restart'::text]))),
  CHECK ((proration = ANY (ARRAY['exact'::text, 'none'::text, 'full'::text]))),
  CHECK ((settle = ANY (ARRAY['balance'::text, 'outside'::text, 'none'::text]))),
  CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'stopped'::text, 'taken_back'::text])))
);
CREATE INDEX plan_migrations_by_plan ON public.plan_migrations USING btree (environment_id, to_plan_id);
CREATE INDEX plan_migrations_to_run ON public.plan_migrations USING btree (environment_id, id) WHERE (finished_at IS NULL);
CREATE TRIGGER audited AFTER INSERT OR UPDATE OF finished_at ON public.plan_migrations FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "plan_migration", "insert": "created", "verbs": {"finished_at": "finished"},
  "members": ["from_plan_id", "to_plan_id", "at", "settle", "status", "changed", "skipped", "failed", "taken_back"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE OF status, finished_at ON public.plan_migrations FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'status', 'finished_at');

-- What a customer can subscribe to; a plan never changes.
create table plans (
  environment_id integer not null,
  id text collate "C" not null,
  name text not null,
  currency text not null,
  "interval" text not null,
  interval_count integer not null,
  pricing_model text,
  metadata jsonb not null,
  created_at timestamp(3) with time zone not null,
  -- Its periods begin with work: the plan has fees in advance.
  opens_periods boolean default false not null,
  -- The name that versions of a plan share.
  key text collate "C",
  -- Counted from 1 for each key.
  version integer,
  -- Since then no subscription begins with the plan or changes to it.
  archived_at timestamp(3) with time zone,
  -- Credit for some events or one subscription, and credit that comes with a plan (billing.md 4).
  grants jsonb default '[]'::jsonb not null,
  -- The least that a full period costs, net (billing.md 13).
  minimum_amount numeric,
  -- The base of a custom plan, whose charges it has with other prices (billing.md 12); null of other plans.
  based_on text collate "C",
  -- The only customer that may use a custom plan.
  customer_id text collate "C",
  -- The other prices of a custom plan, as they were sent.
  overrides jsonb,
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id, based_on) REFERENCES plans(environment_id, id),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  CHECK (((num_nulls(based_on, customer_id, overrides) = 3) OR ((num_nulls(based_on, customer_id, overrides) = 0) AND (key IS NULL)))),
  CHECK (("interval" = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'year'::text]))),
  CHECK ((interval_count > 0)),
  CHECK ((((key IS NULL) = (version IS NULL)) AND (version > 0))),
  CHECK ((minimum_amount > (0)::numeric))
);
CREATE INDEX plans_archived ON public.plans USING btree (environment_id, id) WHERE (archived_at IS NOT NULL);
CREATE INDEX plans_of_base ON public.plans USING btree (environment_id, based_on) WHERE (based_on IS NOT NULL);
CREATE INDEX plans_of_customer ON public.plans USING btree (environment_id, customer_id, id) WHERE (customer_id IS NOT NULL);
-- The list of plans leaves custom plans out, of which there may be many.
CREATE INDEX plans_of_everybody ON public.plans USING btree (environment_id, id) WHERE (customer_id IS NULL);
CREATE UNIQUE INDEX plans_of_key ON public.plans USING btree (environment_id, key, version);
CREATE TRIGGER audited AFTER INSERT OR UPDATE OF archived_at ON public.plans FOR EACH ROW WHEN ((new.customer_id IS NULL)) EXECUTE FUNCTION audit_row('{
  "object": "pricing_plan", "insert": "created", "update": "updated",
  "members": ["name", "currency", "interval", "interval_count", "key", "version", "archived_at"]}');
CREATE TRIGGER audited_custom AFTER INSERT OR UPDATE OF archived_at ON public.plans FOR EACH ROW WHEN ((new.customer_id IS NOT NULL)) EXECUTE FUNCTION audit_row('{
  "object": "pricing_plan", "insert": "created", "update": "updated", "personal": ["name"],
  "members": ["name", "based_on", "currency", "interval", "interval_count", "archived_at"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.plans FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'key', 'customer_id', 'archived_at');

-- Links by which customers read their own documents and usage; only hashes of their tokens.
create table portal_sessions (
  environment_id integer not null,
  id text collate "C" not null,
  customer_id text collate "C" not null,
  token_hash bytea not null,
  created_by text collate "C" not null,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  expires_at timestamp(3) with time zone not null,
  revoked_at timestamp(3) with time zone,
  -- The transaction that wrote what the API caches; src/db/account/credentials.ts reads rows by it.
  changed_in xid8 default pg_current_xact_id() not null,
  PRIMARY KEY (environment_id, id),
  UNIQUE (token_hash),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id) ON DELETE CASCADE,
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  CHECK ((expires_at > created_at))
);
CREATE INDEX portal_sessions_by_end ON public.portal_sessions USING btree (expires_at);
CREATE INDEX portal_sessions_changed ON public.portal_sessions USING btree (changed_in);
CREATE INDEX portal_sessions_of_customer ON public.portal_sessions USING btree (environment_id, customer_id, id);
CREATE TRIGGER audited AFTER INSERT ON public.portal_sessions FOR EACH ROW WHEN ((new.created_by !~~ 'eml\_%'::text)) EXECUTE FUNCTION audit_row('{
  "object": "portal_session", "insert": "created", "members": ["expires_at"]}');
CREATE TRIGGER audited_end AFTER UPDATE OF revoked_at ON public.portal_sessions FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "portal_session", "verbs": {"revoked_at": "revoked"}, "members": ["revoked_at"]}');
CREATE TRIGGER portal_sessions_change BEFORE UPDATE OF revoked_at, expires_at, token_hash ON public.portal_sessions FOR EACH ROW EXECUTE FUNCTION note_change();

-- The place of the comparison of a night at a provider: what was made there since an instant, kind after kind.
create table provider_comparisons (
  environment_id integer not null,
  provider_id text collate "C" not null,
  kind text default 'charge'::text not null,
  since timestamp(3) with time zone not null,
  -- The last one that was compared, by its id at the provider; null at the begin of a kind.
  after_reference text,
  -- When the next page is read.
  next_at timestamp(3) with time zone not null,
  PRIMARY KEY (environment_id, provider_id),
  FOREIGN KEY (environment_id, provider_id) REFERENCES payment_providers(environment_id, id),
  CHECK ((kind = ANY (ARRAY['charge'::text, 'refund'::text, 'dispute'::text])))
);
CREATE INDEX provider_comparisons_due ON public.provider_comparisons USING btree (next_at);

-- Customers at the provider.
create table provider_customers (
  environment_id integer not null,
  provider_id text collate "C" not null,
  customer_id text collate "C" not null,
  -- Its id there.
  reference text collate "C" not null,
  -- When its name and email are blanked there, after an erasure; null: they stay.
  erase_at timestamp(3) with time zone,
  PRIMARY KEY (environment_id, provider_id, customer_id),
  UNIQUE (environment_id, provider_id, reference),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  FOREIGN KEY (environment_id, provider_id) REFERENCES payment_providers(environment_id, id)
);
CREATE INDEX provider_customers_customer ON public.provider_customers USING btree (environment_id, customer_id);
CREATE INDEX provider_customers_erased ON public.provider_customers USING btree (erase_at) WHERE (erase_at IS NOT NULL);

-- When it is read at the provider; null: never, or no more.
create table provider_events (
  environment_id integer not null,
  provider_id text collate "C" not null,
  -- The provider's own.
  id text collate "C" not null,
  type text not null,
  -- What it is about, by its id at the provider.
  object_reference text not null,
  received_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  object_type text,
  next_read_at timestamp(3) with time zone,
  PRIMARY KEY (environment_id, provider_id, id),
  FOREIGN KEY (environment_id, provider_id) REFERENCES payment_providers(environment_id, id),
  CHECK ((object_type = ANY (ARRAY['refund'::text, 'dispute'::text])))
);
CREATE INDEX provider_events_received ON public.provider_events USING btree (received_at);
CREATE INDEX provider_events_unread ON public.provider_events USING btree (next_read_at) WHERE (next_read_at IS NOT NULL);

-- Quantities of the flat charges of a subscription, by their event names, each from an instant on (decision 63).
create table quantity_changes (
  environment_id integer not null,
  subscription_id text collate "C" not null,
  event_name text collate "C" not null,
  -- The first instant of the quantity; -infinity for one with which the subscription begins.
  at timestamp(3) with time zone not null,
  quantity numeric not null,
  -- The use of what was paid for a lower quantity, and the invoice of a higher one.
  settle text not null,
  bill text not null,
  -- It was sent with the change of plan at its instant, and is taken back with it.
  with_change boolean default false not null,
  -- When it had come, and its notes and openings were made; null while it is to come.
  came_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  -- As the audit log says it.
  quantities jsonb generated always as (jsonb_object(ARRAY[event_name, (trim_scale(quantity))::text])) stored,
  PRIMARY KEY (environment_id, subscription_id, event_name, at),
  FOREIGN KEY (environment_id, subscription_id) REFERENCES subscriptions(environment_id, id),
  CHECK ((bill = ANY (ARRAY['with_next'::text, 'now'::text]))),
  CHECK ((quantity >= (0)::numeric)),
  CHECK ((settle = ANY (ARRAY['balance'::text, 'outside'::text, 'none'::text])))
);
CREATE INDEX quantity_changes_to_settle ON public.quantity_changes USING btree (environment_id, subscription_id, at) WHERE (came_at IS NULL);
CREATE TRIGGER audited AFTER INSERT OR DELETE OR UPDATE OF quantity, settle, bill ON public.quantity_changes FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "subscription", "insert": "updated", "delete": "updated", "update": "updated", "id": "subscription_id",
  "members": ["quantities", "at", "settle", "bill"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.quantity_changes FOR EACH ROW EXECUTE FUNCTION log_row_change('subscription_id', 'event_name', 'at', 'came_at');

-- What each key has taken of its rate.
create unlogged table rate_buckets (
  key_id text collate "C" not null,
  -- Units and hundredths of units, taken of a full bucket and not filled up again at `counted_at`; beyond its size they
  -- are owed.
  taken numeric not null,
  counted_at timestamp with time zone not null,
  -- Of `taken`, what the last to ask was given.
  granted integer not null,
  PRIMARY KEY (key_id)
) with (fillfactor=20);

-- Calls that blanked a customer, each with the properties that its events lose; never deleted.
create table redactions (
  id bigint generated always as identity not null,
  environment_id integer not null,
  customer_id text collate "C" not null,
  customer_key bigint not null,
  -- Names of properties that the worker removes from the customer's events.
  properties text[] not null,
  redacted_at timestamp(3) with time zone not null,
  -- A key or a session.
  redacted_by text not null,
  -- With epoch, which events were stored before the call: those of lower transaction ids.
  xid xid8 default pg_current_xact_id() not null,
  epoch integer not null,
  -- The last event that the worker has passed, by timestamp and id; null before the first.
  swept_to_timestamp timestamp(3) with time zone,
  swept_to_id bigint,
  -- Since when no event that was stored before the call has the properties.
  finished_at timestamp(3) with time zone,
  PRIMARY KEY (id),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  CHECK (((swept_to_timestamp IS NULL) = (swept_to_id IS NULL)))
);
CREATE INDEX redactions_customer ON public.redactions USING btree (customer_key, id);
CREATE INDEX redactions_environment ON public.redactions USING btree (environment_id, customer_id);
CREATE INDEX redactions_pending ON public.redactions USING btree (id) WHERE (finished_at IS NULL);
CREATE TRIGGER audited AFTER INSERT ON public.redactions FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "customer", "insert": "redacted", "id": "customer_id", "members": ["properties"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE OF finished_at ON public.redactions FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'customer_id', 'finished_at');

-- Requests to replace an invoice, and what became of each.
create table regenerations (
  environment_id integer not null,
  id text collate "C" not null,
  subscription_id text collate "C" not null,
  invoice_id text collate "C" not null,
  reason text,
  -- Names who asked, the Idempotency-Key or a signal that a person sent by hand: asking again finds the row.
  request_key text collate "C",
  status text not null,
  new_invoice_id text collate "C",
  -- Why it was refused, for the person who asked.
  refusal text,
  requested_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone,
  -- Who asked for a regeneration; its worker acts in this name. Null: a signal by hand.
  actor text default NULLIF(current_setting('tidemark.actor'::text, true), ''::text),
  -- Why a regeneration, or a turn of a plan migration, was refused: the details of the error, [{param, reason,
  -- message}]. Null where it was not refused, or the database refused a row.
  details jsonb,
  PRIMARY KEY (environment_id, id),
  UNIQUE (environment_id, request_key),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoices(environment_id, id),
  FOREIGN KEY (environment_id, new_invoice_id) REFERENCES invoices(environment_id, id),
  FOREIGN KEY (environment_id, subscription_id) REFERENCES subscriptions(environment_id, id),
  CHECK (((status = 'done'::text) = (new_invoice_id IS NOT NULL))),
  CHECK (((status = 'pending'::text) = (finished_at IS NULL))),
  CHECK ((status = ANY (ARRAY['pending'::text, 'done'::text, 'refused'::text])))
);
CREATE INDEX regenerations_invoice ON public.regenerations USING btree (environment_id, invoice_id);
CREATE INDEX regenerations_pending ON public.regenerations USING btree (environment_id, subscription_id, id) WHERE (status = 'pending'::text);
CREATE INDEX regenerations_subscription ON public.regenerations USING btree (environment_id, subscription_id, id);
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.regenerations FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'invoice_id');

-- billing_days, summed over the customers of an environment.
create table report_days (
  environment_id integer not null,
  event_name text collate "C" not null,
  day timestamp(3) with time zone not null,
  cause text collate "C" not null,
  events bigint not null,
  PRIMARY KEY (environment_id, event_name, day, cause),
  FOREIGN KEY (environment_id) REFERENCES environments(id)
) with (fillfactor=80);
CREATE INDEX report_days_of_cause ON public.report_days USING btree (environment_id, cause, day, event_name);

-- By which LATE_USAGE_DAYS billing_days tells late events from those that are too late.
create table report_settings (
  is_only boolean default true not null,
  late_usage_days integer not null,
  PRIMARY KEY (is_only),
  CHECK (is_only),
  CHECK ((late_usage_days >= 0))
);

-- The log of changed rows: of each its key and the columns that some consumer reads; triggers write it.
create table row_changes (
  id bigint generated always as identity not null,
  epoch integer default 1 not null,
  -- With epoch, what the place of a consumer is compared with.
  created_xid xid8 default pg_current_xact_id() not null,
  table_name text collate "C" not null,
  environment_id integer not null,
  -- Null before an insert.
  before jsonb,
  -- Null after a delete.
  after jsonb,
  -- The key or session whose request did it.
  actor text,
  -- Rounded down: no report may be exact as of a later instant.
  noted_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  PRIMARY KEY (epoch, created_xid, id)
);

-- Hashes of the sessions of the dashboard.
create table sessions (
  id text collate "C" not null,
  account_id text not null,
  token_hash bytea not null,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  expires_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  changed_in xid8 default pg_current_xact_id() not null,
  user_id text collate "C" not null,
  user_agent text,
  address text,
  PRIMARY KEY (id),
  UNIQUE (token_hash),
  FOREIGN KEY (account_id) REFERENCES accounts(id),
  FOREIGN KEY (user_id) REFERENCES users(id),
  CHECK ((length(token_hash) = 32))
);
CREATE INDEX sessions_changed ON public.sessions USING btree (changed_in);
CREATE INDEX sessions_of_account ON public.sessions USING btree (account_id, id);
CREATE INDEX sessions_of_user ON public.sessions USING btree (user_id) WHERE (revoked_at IS NULL);
CREATE TRIGGER audited AFTER INSERT OR UPDATE OF revoked_at ON public.sessions FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "session", "insert": "created", "verbs": {"revoked_at": "revoked"}, "members": ["user_id", "revoked_at"]}');
CREATE TRIGGER sessions_change BEFORE UPDATE OF account_id, token_hash, expires_at, revoked_at ON public.sessions FOR EACH ROW EXECUTE FUNCTION note_change();

-- What a batch job could not do for one customer, while it went on with the others.
create table set_aside (
  environment_id integer not null,
  job text collate "C" not null,
  customer_id text collate "C" not null,
  -- Why, as the database or the program says it.
  reason text not null,
  -- The instant of the oldest change that the job lacks of the customer, or of the failure.
  failed_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  tried_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  PRIMARY KEY (environment_id, job, customer_id),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  CHECK ((job = ANY (ARRAY['rollup'::text, 'expired_credit'::text, 'usage_report'::text])))
);
CREATE INDEX set_aside_tried ON public.set_aside USING btree (job, tried_at);

-- Hashes of links that sign in to the dashboard, once.
create table sign_in_links (
  token_hash bytea not null,
  account_id text not null,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  expires_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  user_id text collate "C" not null,
  -- A link of the command line makes its user an active admin again.
  restores_owner boolean default false not null,
  -- Who made an invitation: it is void once this person may invite nobody any more. Null for links of the command line.
  created_by text collate "C",
  PRIMARY KEY (token_hash),
  FOREIGN KEY (account_id) REFERENCES accounts(id),
  FOREIGN KEY (created_by) REFERENCES users(id),
  FOREIGN KEY (user_id) REFERENCES users(id),
  CHECK ((length(token_hash) = 32))
);
CREATE INDEX sign_in_links_made_by ON public.sign_in_links USING btree (created_by) WHERE (used_at IS NULL);
CREATE INDEX sign_in_links_of_user ON public.sign_in_links USING btree (user_id) WHERE (used_at IS NULL);

-- A customer on a plan; each has one workflow.
create table subscriptions (
  environment_id integer not null,
  id text collate "C" not null,
  customer_id text collate "C" not null,
  plan_id text collate "C" not null,
  start_date timestamp(3) with time zone not null,
  trial_end_date timestamp(3) with time zone,
  billing_anchor timestamp(3) with time zone,
  cancel_at timestamp(3) with time zone,
  -- Why billing waits for a person.
  attention text,
  -- When its last period was billed and its workflow ended.
  finished_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  -- Fixed when the subscription is made: its boundaries are days of this zone.
  timezone text default 'UTC'::text not null,
  -- Whether the date that anchors the periods was sent as a day: they then begin at midnight, also after a day that has
  -- none.
  anchor_is_day boolean default false not null,
  noted_status text default 'pending'::text not null,
  cancel_settle text default 'balance'::text not null,
  -- The use of unused time of fees that the end leaves out, where cancel_settle is that of a change of plan.
  settle_left_out text default 'balance'::text not null,
  billing_failed boolean default false not null,
  -- The end of a billing period that the last notice was about.
  noted_renewal timestamp(3) with time zone,
  -- The end of a trial that the last notice was about.
  noted_trial_end timestamp(3) with time zone,
  -- The usage of a part, net, at which the part is billed before its end.
  bill_at numeric,
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  FOREIGN KEY (environment_id, plan_id) REFERENCES plans(environment_id, id),
  CHECK ((bill_at > (0)::numeric)),
  CHECK ((cancel_settle = ANY (ARRAY['balance'::text, 'outside'::text, 'none'::text]))),
  CHECK ((trial_end_date > start_date)),
  CHECK ((noted_status = ANY (ARRAY['pending'::text, 'trialing'::text, 'active'::text, 'canceled'::text]))),
  CHECK ((settle_left_out = ANY (ARRAY['balance'::text, 'outside'::text, 'none'::text])))
);
-- What waits for a person is asked for by the dashboard, by every scrape of the metrics and by the command line, and is
-- rare.
CREATE INDEX subscriptions_attention ON public.subscriptions USING btree (environment_id, id) WHERE (attention IS NOT NULL);
-- The rollup asks each step for them, and they are few.
CREATE INDEX subscriptions_bill_at ON public.subscriptions USING btree (environment_id, customer_id) WHERE ((bill_at IS NOT NULL) AND (finished_at IS NULL));
CREATE INDEX subscriptions_customer ON public.subscriptions USING btree (environment_id, customer_id, id);
CREATE INDEX subscriptions_live ON public.subscriptions USING btree (id) WHERE (finished_at IS NULL);
CREATE INDEX subscriptions_plan ON public.subscriptions USING btree (environment_id, plan_id);
-- When the next status is due.
CREATE INDEX subscriptions_to_note ON public.subscriptions USING btree (environment_id, LEAST(cancel_at,
CASE noted_status
    WHEN 'pending'::text THEN start_date
    WHEN 'trialing'::text THEN trial_end_date
    ELSE NULL::timestamp with time zone
END)) WHERE (noted_status <> 'canceled'::text);
CREATE TRIGGER audited AFTER INSERT OR UPDATE OF trial_end_date, cancel_at, attention, bill_at ON public.subscriptions FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "subscription", "insert": "created", "update": "updated", "verbs": {"cancel_at": "canceled"},
  "released": {"attention": "woken"}, "members": ["plan_id", "start_date", "trial_end_date", "cancel_at", "bill_at"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.subscriptions FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'customer_id', 'start_date', 'trial_end_date', 'plan_id', 'cancel_at', 'attention', 'noted_status', 'noted_renewal', 'noted_trial_end', 'billing_failed', 'bill_at');

-- Subscriptions whose open part is to be compared with bill_at (decision 64).
create table threshold_looks (
  environment_id integer not null,
  subscription_id text collate "C" not null,
  -- Real time, from which on a worker looks.
  look_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  -- False for a rest after a look that read many events: without usage in between no look follows.
  is_asked boolean default true not null,
  PRIMARY KEY (environment_id, subscription_id),
  FOREIGN KEY (environment_id, subscription_id) REFERENCES subscriptions(environment_id, id)
);
CREATE INDEX threshold_looks_due ON public.threshold_looks USING btree (look_at);

-- What a customer paid at once, such as for several invoices; its payments are the parts, and say whether it stands.
create table transfers (
  environment_id integer not null,
  id text collate "C" not null,
  customer_id text collate "C" not null,
  -- In the currency of the customer.
  amount numeric not null,
  reference text,
  paid_at timestamp(3) with time zone not null,
  -- By the customer's clock.
  created_at timestamp(3) with time zone not null,
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  CHECK ((amount > (0)::numeric))
);
CREATE INDEX transfers_customer ON public.transfers USING btree (environment_id, customer_id, id);
-- The row of a bank's file that is booked already.
CREATE INDEX transfers_received ON public.transfers USING btree (environment_id, reference, amount, paid_at) WHERE (reference IS NOT NULL);
CREATE TRIGGER audited AFTER INSERT ON public.transfers FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "transfer", "insert": "recorded", "members": ["amount", "paid_at"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.transfers FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'customer_id');

-- What the events of a customer, name and day come to by the values of the properties that plans price or select by.
create table usage_cells (
  environment_id integer not null,
  customer_key bigint not null,
  event_name text collate "C" not null,
  day timestamp(3) with time zone not null,
  -- A hash of the values, which may be long.
  cell uuid not null,
  property text collate "C" not null,
  "values" jsonb not null,
  events bigint not null,
  skipped_events bigint not null,
  total numeric,
  maximum numeric,
  PRIMARY KEY (customer_key, event_name, day, cell, property)
) with (fillfactor=80);

-- What the events of a customer and name come to in a UTC day. It may lag behind the events.
create table usage_days (
  environment_id integer not null,
  customer_key bigint not null,
  event_name text collate "C" not null,
  -- The property whose numbers are added up; '' in the row that only counts, which every day has.
  property text collate "C" not null,
  -- Its first instant.
  day timestamp(3) with time zone not null,
  events bigint not null,
  -- Those whose property holds no number.
  skipped_events bigint not null,
  total numeric,
  maximum numeric,
  first_stored_at timestamp(3) with time zone not null,
  last_stored_at timestamp(3) with time zone not null,
  -- Of the event that was stored last: a cut-off that holds it holds all of the row.
  last_epoch integer not null,
  last_xid xid8 not null,
  -- The day has more cells than are kept, so bills read its events.
  has_no_cells boolean default false not null,
  PRIMARY KEY (customer_key, event_name, property, day)
) with (fillfactor=80);

-- The properties by whose values the rollup adds up the events of a customer and name.
create table usage_dimensions (
  environment_id integer not null,
  customer_key bigint not null,
  event_name text collate "C" not null,
  property text collate "C" not null,
  unfilled_before timestamp(3) with time zone default 'infinity'::timestamp with time zone,
  PRIMARY KEY (customer_key, event_name, property)
);
CREATE INDEX usage_dimensions_unfilled ON public.usage_dimensions USING btree (customer_key, event_name) WHERE (unfilled_before IS NOT NULL);

-- Events without a bill, or that came late, that the feed has as changes.
create table usage_notices (
  environment_id integer not null,
  customer_id text collate "C" not null,
  event_name text collate "C" not null,
  cause text not null,
  -- Of the events that the rollup has just found.
  events bigint not null,
  from_day timestamp(3) with time zone not null,
  to_day timestamp(3) with time zone not null,
  noted_at timestamp(3) with time zone not null,
  PRIMARY KEY (environment_id, customer_id, event_name, cause),
  FOREIGN KEY (environment_id, customer_id) REFERENCES customers(environment_id, id),
  FOREIGN KEY (environment_id) REFERENCES environments(id)
);
CREATE INDEX usage_notices_newest ON public.usage_notices USING btree (environment_id, noted_at);
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE ON public.usage_notices FOR EACH ROW EXECUTE FUNCTION log_row_change('customer_id', 'event_name', 'cause', 'events', 'from_day', 'to_day');

-- Challenges that were answered, until they expire: each is good once.
create table used_challenges (
  challenge_hash bytea not null,
  expires_at timestamp(3) with time zone not null,
  PRIMARY KEY (challenge_hash)
);
CREATE INDEX used_challenges_by_end ON public.used_challenges USING btree (expires_at);

-- People who sign in, and what they may do.
create table users (
  account_id text not null,
  id text collate "C" not null,
  -- Null for the owner who has not written one.
  email text,
  name text not null,
  role text not null,
  role_from text default 'admin'::text not null,
  status text not null,
  -- The user whom the command line signs in.
  is_owner boolean default false not null,
  -- Who the user is at the provider that people sign in with.
  issuer text,
  subject text,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  PRIMARY KEY (id),
  FOREIGN KEY (account_id) REFERENCES accounts(id),
  CHECK ((role = ANY (ARRAY['viewer'::text, 'support'::text, 'finance'::text, 'admin'::text]))),
  CHECK ((role_from = ANY (ARRAY['admin'::text, 'provider'::text]))),
  CHECK ((status = ANY (ARRAY['invited'::text, 'active'::text, 'removed'::text])))
);
CREATE UNIQUE INDEX users_email ON public.users USING btree (account_id, lower(email));
CREATE INDEX users_of_account ON public.users USING btree (account_id, id);
CREATE UNIQUE INDEX users_owner ON public.users USING btree (account_id) WHERE is_owner;
CREATE UNIQUE INDEX users_subject ON public.users USING btree (account_id, issuer, subject);
CREATE TRIGGER audited AFTER UPDATE OF email, name, role, role_from, status ON public.users FOR EACH ROW WHEN (((new.status <> 'removed'::text) OR (old.status = 'removed'::text))) EXECUTE FUNCTION audit_row('{
  "object": "user", "update": "updated", "members": ["email", "name", "role", "role_from", "status"]}');
CREATE TRIGGER audited_invitation AFTER INSERT ON public.users FOR EACH ROW WHEN ((NOT new.is_owner)) EXECUTE FUNCTION audit_row('{
  "object": "user", "insert": "invited", "members": ["email", "name", "role", "role_from", "status"]}');
CREATE TRIGGER audited_removal AFTER UPDATE OF status ON public.users FOR EACH ROW WHEN (((new.status = 'removed'::text) AND (old.status <> 'removed'::text))) EXECUTE FUNCTION audit_row('{
  "object": "user", "update": "removed", "members": ["status"]}');

-- Changes that are posted to endpoints, and how that went.
create table webhook_deliveries (
  environment_id integer not null,
  id text collate "C" not null,
  endpoint_id text collate "C" not null,
  change_id text collate "C" not null,
  -- Null for a test, which is in no feed.
  sequence bigint,
  type text collate "C" not null,
  object_id text collate "C" not null,
  status text not null,
  attempts integer default 0 not null,
  -- Failed tries since the endpoint was last resumed: they time the next one.
  failures integer default 0 not null,
  response_status integer,
  response_body text,
  error text,
  duration_ms integer,
  created_at timestamp(3) with time zone not null,
  first_attempt_at timestamp(3) with time zone,
  last_attempt_at timestamp(3) with time zone,
  next_attempt_at timestamp(3) with time zone,
  -- Where the last try went; null before the first.
  sent_to text,
  -- Of the last try; with the change and its time, all that makes its request again.
  sent_payload text,
  -- The header webhook-signature of the last try.
  signature text,
  -- The tries before the last one, the oldest first: the newest 24 of them.
  earlier_tries jsonb default '[]'::jsonb not null,
  -- As text: the object that a test has sent.
  test_data json,
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id, endpoint_id) REFERENCES webhook_endpoints(environment_id, id),
  CHECK (((status <> 'pending'::text) OR (attempts = 0))),
  CHECK (((status = ANY (ARRAY['pending'::text, 'failing'::text])) OR (next_attempt_at IS NULL))),
  CHECK ((num_nulls(sent_to, sent_payload, signature) = ANY (ARRAY[0, 3]))),
  CHECK ((jsonb_array_length(earlier_tries) = LEAST(GREATEST((attempts - 1), 0), 24))),
  CHECK ((sent_payload = ANY (ARRAY['full'::text, 'thin'::text]))),
  CHECK ((status = ANY (ARRAY['pending'::text, 'failing'::text, 'delivered'::text, 'skipped'::text])))
);
-- By which an erasure finds the answers to the changes of a customer.
CREATE INDEX webhook_deliveries_by_change ON public.webhook_deliveries USING btree (environment_id, change_id);
-- The list of an endpoint, newest first.
CREATE INDEX webhook_deliveries_newest ON public.webhook_deliveries USING btree (environment_id, endpoint_id, id);
-- Those that are open: each change once, and the oldest of each object.
CREATE UNIQUE INDEX webhook_deliveries_open ON public.webhook_deliveries USING btree (environment_id, endpoint_id, sequence) WHERE ((status = ANY (ARRAY['pending'::text, 'failing'::text])) AND (sequence IS NOT NULL));
CREATE INDEX webhook_deliveries_open_by_object ON public.webhook_deliveries USING btree (environment_id, endpoint_id, object_id, sequence) WHERE ((status = ANY (ARRAY['pending'::text, 'failing'::text])) AND (sequence IS NOT NULL));

-- Addresses to which the worker posts the changes of the feed.
create table webhook_endpoints (
  environment_id integer not null,
  id text collate "C" not null,
  url text not null,
  -- Names and patterns such as invoice.*; null is every type, later ones too.
  types text[],
  description text,
  payload text not null,
  status text default 'active'::text not null,
  status_reason text,
  -- Encrypted under TIDEMARK_SECRET, bound to the id.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  deleted_at timestamp(3) with time zone,
  -- The number up to which every change of its types has a delivery.
  taken_up_to bigint not null,
  -- Failed tries since the last one that succeeded.
  failures integer default 0 not null,
  -- Its workflow waits for a signal when a change comes.
  is_asleep boolean default false not null,
  PRIMARY KEY (environment_id, id),
  FOREIGN KEY (environment_id) REFERENCES environments(id),
  CHECK (((previous_secret IS NULL) = (previous_secret_until IS NULL))),
  CHECK (((status_reason IS NULL) OR (status <> 'active'::text))),
  CHECK ((payload = ANY (ARRAY['full'::text, 'thin'::text]))),
  CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'parked'::text]))),
  CHECK ((length(url) <= 2048))
);
CREATE TRIGGER audited AFTER INSERT OR UPDATE OF url, types, description, payload, deleted_at ON public.webhook_endpoints FOR EACH ROW EXECUTE FUNCTION audit_row('{
  "object": "webhook_endpoint", "insert": "created", "update": "updated", "verbs": {"deleted_at": "deleted"},
  "members": ["url", "types", "description", "payload"]}');
CREATE TRIGGER logged AFTER INSERT OR DELETE OR UPDATE OF url, types, description, payload, status, previous_secret_until, deleted_at ON public.webhook_endpoints FOR EACH ROW EXECUTE FUNCTION log_row_change('id', 'status', 'deleted_at');
