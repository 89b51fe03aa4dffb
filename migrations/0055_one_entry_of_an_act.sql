-- One act has one entry in the audit log: what a transaction does to an object in several statements is added to the entry that it wrote
-- of it. What is committed is never changed.
drop trigger never_changed on audit_log;
create trigger never_changed before delete or truncate on audit_log
  for each statement execute function refuse_audit_change();
alter table audit_log enable always trigger never_changed;
create trigger changed_by_its_act before update on audit_log
  for each row when (old.xmin <> pg_current_xact_id()::xid) execute function refuse_audit_change();
alter table audit_log enable always trigger changed_by_its_act;

-- A payer who ends the own portal link acts, as this link.
alter table audit_log
  drop constraint audit_log_actor_type_check,
  add constraint audit_log_actor_type_check
    check (actor_type in ('user', 'key', 'command_line', 'signal', 'system', 'portal_session'));

-- Writes the act that a changed row is. The argument is its rule: `object`, the first word of the action; `insert`, `delete` and `update`, the
-- second one; `verbs`, by the column that gets a value; `released`, by the column that a caller clears; `members`, of which those that changed
-- are kept; `personal` ones; `id`, the column of the object's id, if that is not `id`.
create or replace function audit_row() returns trigger language plpgsql as $$
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
  values (account, environment, (rule ->> 'object') || '.' || verb, object, customer,
    present ->> case tg_table_name when 'invoices' then 'id' else 'invoice_id' end,
    case when actor is null then 'system' when actor like 'usr\_%' then 'user' when actor like 'key\_%' then 'key'
      when actor like 'ps\_%' then 'portal_session' else actor end,
    case when actor ~ '^(usr|key|ps)_' then actor end, actor_name, members_before, members_after,
    nullif(current_setting('tidemark.request_id', true), ''), nullif(current_setting('tidemark.address', true), ''));
  return null;
end $$;
