-- One log of changed rows, which the check of the invariants and the counts by cause read, in place of two families of triggers with a queue
-- each (docs/decisions/0043-one-log.md).

-- Append only, kept for two days: of a changed row its key and the columns that some consumer reads, null before an insert and after a delete.
create table row_changes (
  id bigint generated always as identity,
  epoch integer not null default 1,
  created_xid xid8 not null default pg_current_xact_id(),
  table_name text collate "C" not null,
  environment_id integer not null,
  before jsonb,
  after jsonb,
  -- The key or session whose request did it.
  actor text,
  -- Rounded down: no report may be exact as of a later instant.
  noted_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  primary key (epoch, created_xid, id)
);
do $$ begin
  execute format('alter table row_changes alter column epoch set default %s', (select coalesce(max(epoch), 1) from epochs));
end $$;

-- How far each consumer has read the log.
create table consumers (
  name text collate "C" primary key,
  -- The place, as of a cut-off: what it holds is read.
  epoch integer not null,
  snapshot pg_snapshot not null,
  -- While batches are under way: the next place, and the last row on the way to it that is read.
  next_epoch integer,
  next_snapshot pg_snapshot,
  last_epoch integer,
  last_xid xid8,
  last_id bigint,
  check (num_nulls(next_epoch, next_snapshot, last_epoch, last_xid, last_id) in (0, 5))
);

-- Writes a changed row to the log: the columns that the trigger names. An update that changes nothing writes nothing. An environment is a row
-- of its own environment. A transaction of a request sets the actor with its begin.
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

-- What wrote to both queues until now, with its triggers. Whoever writes to one of the tables waits from here on.
drop function note_unit, note_change_of_unit, note_lines, note_line_item_spans, note_billing_change, note_change_of_subscription,
  note_change_of_period, note_change_of_invoice, note_change_of_spans, note_change_of_lines cascade;

-- src/db/changes/watched-columns.ts has the same list. The triggers also fire in a session that turns others off.
do $$
declare
  watched record;
begin
  for watched in select * from (values
    ('balance_entries', 'id, customer_id, invoice_id', ''),
    ('credit_draws', 'id, line_item_id, grant_id', ''),
    ('credit_grants', 'id', ''),
    ('credit_ledger', 'id, grant_id', ''),
    ('credit_note_lines', 'credit_note_id, position', ''),
    ('credit_notes', 'id, invoice_id, number', ''),
    ('customers', 'id', 'of balance'),
    ('cut_offs', 'id, subscription_id', ''),
    ('invoice_items', 'id', ''),
    ('invoices', 'id, subscription_id, customer_id, period_start, status, number', ''),
    ('line_item_spans', 'line_item_id, position, timestamp_from, timestamp_to', ''),
    ('line_items', 'id, invoice_id, subscription_id, invoice_item_id, full_period_start, period_end', ''),
    ('payments', 'id, invoice_id, customer_id', ''),
    ('periods', 'subscription_id, period_start, period_end, interval_end, full_period_start, kind, closed_at', ''),
    ('regenerations', 'id, invoice_id', ''),
    ('subscriptions', 'id, customer_id, start_date, trial_end_date, plan_id, cancel_at', '')
  ) as list(name, columns, updated) loop
    execute format('create trigger logged after insert or delete or update %s on %I for each row execute function log_row_change(%s)',
      watched.updated, watched.name, watched.columns);
    execute format('alter table %I enable always trigger logged', watched.name);
  end loop;
end $$;

-- What the check has noted moves to the log with its place in the order of storing, so that `reconcile --since` still finds it, and the check
-- goes on where it was.
insert into row_changes (epoch, created_xid, table_name, environment_id, after, noted_at)
select epoch, created_xid,
  case kind when 'invoice' then 'invoices' when 'subscription' then 'subscriptions' when 'grant' then 'credit_grants'
    when 'customer' then 'customers' when 'item' then 'invoice_items' when 'full_period' then 'periods' end,
  environment,
  case kind
    when 'full_period' then jsonb_build_object('subscription_id', split_part(unit, ' ', 1), 'full_period_start', split_part(unit, ' ', 2))
    else jsonb_build_object('id', unit) end,
  noted_at
from changes;
insert into consumers (name, epoch, snapshot)
select 'check', epoch, (xid::text || ':' || xid::text || ':')::pg_snapshot
from (
  select e.epoch, greatest(e.changes_checked_to, '3') as xid from epochs e
  where e.epoch = (select max(epoch) from epochs)
    or exists (select from changes c where c.epoch = e.epoch and c.created_xid >= e.changes_checked_to)
  union all
  select 1, '3' where not exists (select from epochs)
  order by 1 limit 1) as place;
-- Of an invoice that is gone the notes had no number.
insert into check_queue (kind, environment, unit)
select 'numbers', n.id, lpad(block::text, 12, '0')
from environments n cross join lateral generate_series(0, n.last_invoice_number / 1000) as block
on conflict do nothing;

-- What reports have not counted yet: it is newer than everything that finished before this transaction.
insert into row_changes (table_name, environment_id, after, noted_at)
select 'billing_days', environment_id,
  jsonb_build_object('customer_key', customer_key, 'days_from', days_from, 'days_to', days_to), changed_at
from billing_changes;
insert into consumers (name, epoch, snapshot)
select 'reports', coalesce((select max(epoch) from epochs), 1), (xid::text || ':' || xid::text || ':')::pg_snapshot
from pg_snapshot_xmin(pg_current_snapshot()) as xid;

drop table changes, billing_changes;
alter table epochs drop column changes_checked_to;
