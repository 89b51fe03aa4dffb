-- Acts of people, programs and billing itself: who did what, when, from where. Triggers write each in the transaction of its act.
create sequence audit_log_order;

-- A new id as src/keys/ids.ts makes them: a UUIDv7 whose first random bits count, so that ids of one millisecond sort by their making.
create function new_audit_id() returns text language sql volatile as $$
  select 'aud_' || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits from 1 + 5 * place for 5)::bit(5)::integer + 1, 1), ''
    order by place)
  from generate_series(0, 25) as place,
    (select B'00' || ('x' || lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
      || lpad(to_hex(nextval('audit_log_order') % 4096), 3, '0') || '8'
      || substr(replace(gen_random_uuid()::text, '-', ''), 18))::bit(128) as bits) as made
$$;

create table audit_log (
  id text collate "C" primary key default new_audit_id(),
  account_id text not null references accounts (id),
  -- Null for users, sessions and passkeys, which belong to the account.
  environment_id integer references environments (id),
  action text not null,
  object_id text collate "C" not null,
  customer_id text collate "C",
  invoice_id text collate "C",
  actor_type text not null check (actor_type in ('user', 'key', 'command_line', 'signal', 'system')),
  actor_id text collate "C",
  -- As it was at the time.
  actor_name text,
  before jsonb,
  after jsonb,
  request_id text,
  address text,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp())
);
create index audit_log_newest on audit_log (environment_id, id);
create index audit_log_of_account on audit_log (account_id, id) where environment_id is null;
create index audit_log_object on audit_log (object_id, id);
create index audit_log_invoice on audit_log (invoice_id, id) where invoice_id is not null;
create index audit_log_customer on audit_log (environment_id, customer_id, id) where customer_id is not null;
create index audit_log_deleted on audit_log (environment_id, (before ->> 'external_id')) where action = 'customer.deleted';
create index audit_log_actor on audit_log (actor_id, id) where actor_id is not null;

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception '% is never changed', tg_table_name;
end $$;
create trigger never_changed before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();
alter table audit_log enable always trigger never_changed;

-- The members of a row by their names, as the API writes them; personal ones are not shown.
create function audit_members(of_row jsonb, names jsonb, personal jsonb) returns jsonb language sql immutable as $$
  select jsonb_object_agg(name, case
    when of_row -> name = 'null' then 'null'
    when personal ? name then '"[personal]"'
    when jsonb_typeof(of_row -> name) = 'string' and of_row ->> name ~ '^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$'
      then to_jsonb(instant_text((of_row ->> name)::timestamptz))
    when jsonb_typeof(of_row -> name) = 'number' then to_jsonb(of_row ->> name)
    else of_row -> name end)
  from jsonb_array_elements_text(names) as name
$$;

-- Writes the act that a changed row is. The argument is its rule: `object`, the first word of the action; `insert`, `delete` and `update`, the
-- second one; `verbs`, by the column that gets a value; `released`, by the column that a caller clears; `members`, of which those that changed
-- are kept; `personal` ones; `id`, the column of the object's id, if that is not `id`.
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
  -- Each is read only where it is needed: one statement with all of it would be planned again for each row.
  if tg_table_name = 'plan_changes' then
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
  values (account, environment, (rule ->> 'object') || '.' || verb, present ->> coalesce(rule ->> 'id', 'id'), customer,
    present ->> case tg_table_name when 'invoices' then 'id' else 'invoice_id' end,
    case when actor is null then 'system' when actor like 'usr\_%' then 'user' when actor like 'key\_%' then 'key'
      else actor end,
    case when actor like 'usr\_%' or actor like 'key\_%' then actor end, actor_name,
    case when old_row is not null then audit_members(old_row, changed, rule -> 'personal') end,
    case when new_row is not null then audit_members(new_row, changed, rule -> 'personal') end,
    nullif(current_setting('tidemark.request_id', true), ''), nullif(current_setting('tidemark.address', true), ''));
  return null;
end $$;

create trigger audited after insert or delete or update of name, email, currency, tax_rate, metadata, address, tax_ids,
  tax_treatment, buyer_reference, timezone, net_days on customers for each row execute function audit_row('{
  "object": "customer", "insert": "created", "update": "updated", "delete": "deleted",
  "members": ["external_id", "name", "email", "currency", "tax_rate", "metadata", "address", "tax_ids", "tax_treatment",
    "buyer_reference", "timezone", "net_days"],
  "personal": ["name", "email", "metadata", "address", "tax_ids", "buyer_reference"]}');
create trigger audited_clock after update of test_clock_target on customers for each row execute function audit_row('{
  "object": "test_clock", "verbs": {"test_clock_target": "advanced"}, "members": ["test_clock_target"]}');
create trigger audited after insert on redactions for each row execute function audit_row('{
  "object": "customer", "insert": "redacted", "id": "customer_id", "members": ["properties"]}');
create trigger audited after insert or update of archived_at on plans for each row execute function audit_row('{
  "object": "pricing_plan", "insert": "created", "update": "updated",
  "members": ["name", "currency", "interval", "interval_count", "key", "version", "archived_at"]}');
create trigger audited after insert or update of finished_at on plan_migrations for each row execute function audit_row('{
  "object": "plan_migration", "insert": "created", "verbs": {"finished_at": "finished"},
  "members": ["from_plan_id", "to_plan_id", "at", "settle", "status", "changed", "skipped", "failed", "taken_back"]}');
create trigger audited after insert or update of trial_end_date, cancel_at, attention on subscriptions for each row
  execute function audit_row('{
  "object": "subscription", "insert": "created", "update": "updated", "verbs": {"cancel_at": "canceled"},
  "released": {"attention": "woken"}, "members": ["plan_id", "start_date", "trial_end_date", "cancel_at"]}');
create trigger audited after insert or delete on plan_changes for each row execute function audit_row('{
  "object": "subscription", "insert": "updated", "delete": "updated", "id": "subscription_id",
  "members": ["plan_id", "at", "settle"]}');
create trigger audited after insert or update of issued_at, voided_at on invoices for each row execute function audit_row('{
  "object": "invoice", "verbs": {"issued_at": "issued", "voided_at": "voided"},
  "members": ["full_number", "status", "total", "currency"]}');
create trigger audited after insert or update of reversed_at on payments for each row execute function audit_row('{
  "object": "payment", "insert": "recorded", "verbs": {"reversed_at": "reversed"},
  "members": ["amount", "to_balance", "paid_at", "reversed_at"]}');
create trigger audited after insert or update of voided_at on credit_notes for each row execute function audit_row('{
  "object": "credit_note", "insert": "issued", "verbs": {"voided_at": "voided"},
  "members": ["full_number", "status", "total", "to_invoice", "to_balance", "outside"]}');
create trigger audited after insert on balance_entries for each row
  when (new.created_by is not null and new.payment_id is null and new.credit_note_id is null)
  execute function audit_row('{"object": "balance_entry", "insert": "created", "members": ["type", "amount"]}');
create trigger audited_creation after insert on invoice_items for each row when (new.split_from is null)
  execute function audit_row('{
  "object": "invoice_item", "insert": "created", "members": ["subscription_id", "quantity", "unit_amount", "amount"]}');
create trigger audited_deletion after update of deleted_at on invoice_items for each row execute function audit_row('{
  "object": "invoice_item", "verbs": {"deleted_at": "deleted"}, "members": ["amount"]}');
create trigger audited after insert or update of voided_at on credit_grants for each row execute function audit_row('{
  "object": "credit_grant", "insert": "created", "verbs": {"voided_at": "voided"},
  "members": ["amount", "expires_at", "rollover", "event_names", "subscription_id", "voided_at"]}');
create trigger audited after update of name, currency, tax_rate, address, tax_ids, invoice_footer, timezone, net_days,
  invoice_prefix, hide_zero_lines on environments for each row execute function audit_row('{
  "object": "account", "update": "updated", "id": "account_id",
  "members": ["name", "currency", "tax_rate", "address", "tax_ids", "invoice_footer", "timezone", "net_days",
    "invoice_prefix", "hide_zero_lines"]}');
create trigger audited after insert or update of revoked_at on api_keys for each row execute function audit_row('{
  "object": "api_key", "insert": "created", "verbs": {"revoked_at": "revoked"},
  "members": ["name", "kind", "last_four", "expires_at", "revoked_at"]}');
create trigger audited after insert or update of url, types, description, payload, deleted_at on webhook_endpoints
  for each row execute function audit_row('{
  "object": "webhook_endpoint", "insert": "created", "update": "updated", "verbs": {"deleted_at": "deleted"},
  "members": ["url", "types", "description", "payload"]}');
create trigger audited_invitation after insert on users for each row when (not new.is_owner) execute function audit_row('{
  "object": "user", "insert": "invited", "members": ["email", "name", "role", "role_from", "status"]}');
create trigger audited after update of email, name, role, role_from, status on users for each row
  when (new.status <> 'removed' or old.status = 'removed') execute function audit_row('{
  "object": "user", "update": "updated", "members": ["email", "name", "role", "role_from", "status"]}');
create trigger audited_removal after update of status on users for each row
  when (new.status = 'removed' and old.status <> 'removed') execute function audit_row('{
  "object": "user", "update": "removed", "members": ["status"]}');
create trigger audited after insert or update of revoked_at on sessions for each row when (new.user_id is not null)
  execute function audit_row('{
  "object": "session", "insert": "created", "verbs": {"revoked_at": "revoked"}, "members": ["user_id", "revoked_at"]}');
create trigger audited after insert or delete on passkeys for each row execute function audit_row('{
  "object": "passkey", "insert": "created", "delete": "removed", "members": ["user_id", "name"]}');

-- Who asked for a regeneration; its worker acts in this name. Null: a signal by hand.
alter table regenerations add column actor text default nullif(current_setting('tidemark.actor', true), '');
