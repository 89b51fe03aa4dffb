-- The check of the invariants follows what changes (docs/decisions/0033-audit-that-keeps-up.md).

-- What was changed, in the order of storing; written by triggers, so that a change by hand is noted too. One row a transaction and unit,
-- as a rule. The check reads it up to the oldest running transaction, as the rollup reads events.
create table changes (
  environment integer not null,
  kind text collate "C" not null,
  unit text collate "C" not null,
  epoch integer not null default 1,
  created_xid xid8 not null default pg_current_xact_id(),
  noted_at timestamptz(3) not null default now()
);
create index changes_stored on changes (epoch, created_xid);
do $$ begin
  execute format('alter table changes alter column epoch set default %s', (select coalesce(max(epoch), 1) from epochs));
end $$;

-- What was stored before is checked by the sweep.
alter table epochs
  add column events_checked_to xid8 not null default '0',
  add column changes_checked_to xid8 not null default '0';
update epochs set events_checked_to = rolled_up_to;

-- Units that are to be checked soon: what changed, what time alone may breach, and what has an open breach.
create table check_queue (
  kind text collate "C" not null,
  environment integer not null,
  unit text collate "C" not null,
  primary key (kind, environment, unit)
);

-- Where the sweep over all units of a kind is, and what its last round came to.
create table check_sweeps (
  kind text collate "C" not null primary key,
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

create table breaches (
  id bigint generated always as identity primary key,
  invariant text collate "C" not null,
  kind text collate "C" not null,
  -- The id of the environment of the unit; 0 if it is of none.
  environment integer not null,
  unit text collate "C" not null,
  "row" text not null,
  what text not null,
  -- Why the row stays as it is: a known exception, which is no breach.
  exception text,
  first_seen_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now()
);
-- The text of a row may be longer than an index holds.
create unique index breaches_row on breaches (invariant, kind, environment, unit, md5("row"));

-- Which worker checks: one at a time, or the share of the machine would be several.
create table check_turn (
  holder uuid,
  held_until timestamptz(3) not null default now()
);
insert into check_turn default values;

-- Notes that the unit of a row changed: its kind and the column that names it. The column of a line's or a note's child names its parent.
create function note_unit() returns trigger language plpgsql as $$
declare
  changed jsonb;
  unit text;
  noted text;
  setting text := 'tidemark.noted_' || tg_argv[0];
begin
  foreach changed in array array[
    case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end]
  loop
    continue when changed is null;
    unit := changed ->> tg_argv[1];
    if tg_argv[0] = 'full_period' then
      unit := concat(changed ->> 'subscription_id', ' ', instant_text((changed ->> 'full_period_start')::timestamptz));
    elsif tg_argv[1] = 'line_item_id' then
      select l.invoice_id into unit from line_items l where l.environment_id = (changed ->> 'environment_id')::integer and l.id = unit;
    elsif tg_argv[1] = 'credit_note_id' then
      select k.invoice_id into unit from credit_notes k where k.environment_id = (changed ->> 'environment_id')::integer and k.id = unit;
    end if;
    continue when unit is null;
    -- The rows of one statement are mostly of one unit.
    noted := concat(changed ->> 'environment_id', ' ', unit);
    continue when current_setting(setting, true) = noted;
    perform set_config(setting, noted, true);
    insert into changes (environment, kind, unit) values ((changed ->> 'environment_id')::integer, tg_argv[0], unit);
  end loop;
  return null;
end $$;

create trigger invoices_noted after insert or update or delete on invoices for each row execute function note_unit('invoice', 'id');
create trigger deleted_invoices_noted after delete on invoices for each row execute function note_unit('subscription', 'subscription_id');
create trigger line_items_noted after insert or update or delete on line_items for each row execute function note_unit('invoice', 'invoice_id');
create trigger line_item_spans_noted after insert or update or delete on line_item_spans for each row execute function note_unit('invoice', 'line_item_id');
create trigger credit_draws_noted after insert or update or delete on credit_draws for each row execute function note_unit('invoice', 'line_item_id');
create trigger credit_draws_of_grant_noted after insert or update or delete on credit_draws for each row execute function note_unit('grant', 'grant_id');
create trigger credit_ledger_noted after insert or update or delete on credit_ledger for each row execute function note_unit('grant', 'grant_id');
create trigger credit_grants_noted after insert or update or delete on credit_grants for each row execute function note_unit('grant', 'id');
create trigger payments_noted after insert or update or delete on payments for each row execute function note_unit('invoice', 'invoice_id');
create trigger credit_notes_noted after insert or update or delete on credit_notes for each row execute function note_unit('invoice', 'invoice_id');
create trigger credit_note_lines_noted after insert or update or delete on credit_note_lines for each row execute function note_unit('invoice', 'credit_note_id');
create trigger regenerations_noted after insert or update or delete on regenerations for each row execute function note_unit('invoice', 'invoice_id');
create trigger balance_entries_noted after insert or update or delete on balance_entries for each row execute function note_unit('customer', 'customer_id');
create trigger balance_entries_of_invoice_noted after insert or update or delete on balance_entries for each row execute function note_unit('invoice', 'invoice_id');
create trigger customers_noted after insert or delete or update of balance on customers for each row execute function note_unit('customer', 'id');
create trigger invoice_items_noted after insert or update or delete on invoice_items for each row execute function note_unit('item', 'id');
create trigger subscriptions_noted after insert or update or delete on subscriptions for each row execute function note_unit('subscription', 'id');
create trigger cut_offs_noted after insert or update or delete on cut_offs for each row execute function note_unit('subscription', 'subscription_id');
create trigger periods_noted after insert or update or delete on periods for each row execute function note_unit('subscription', 'subscription_id');
create trigger full_periods_noted after insert or update or delete on periods for each row execute function note_unit('full_period', 'full_period_start');

-- Also in a session that turns other triggers off: what it stores is checked the more.
alter table invoices enable always trigger invoices_noted;
alter table invoices enable always trigger deleted_invoices_noted;
alter table line_items enable always trigger line_items_noted;
alter table line_item_spans enable always trigger line_item_spans_noted;
alter table credit_draws enable always trigger credit_draws_noted;
alter table credit_draws enable always trigger credit_draws_of_grant_noted;
alter table credit_ledger enable always trigger credit_ledger_noted;
alter table credit_grants enable always trigger credit_grants_noted;
alter table payments enable always trigger payments_noted;
alter table credit_notes enable always trigger credit_notes_noted;
alter table credit_note_lines enable always trigger credit_note_lines_noted;
alter table regenerations enable always trigger regenerations_noted;
alter table balance_entries enable always trigger balance_entries_noted;
alter table balance_entries enable always trigger balance_entries_of_invoice_noted;
alter table customers enable always trigger customers_noted;
alter table invoice_items enable always trigger invoice_items_noted;
alter table subscriptions enable always trigger subscriptions_noted;
alter table cut_offs enable always trigger cut_offs_noted;
alter table periods enable always trigger periods_noted;
alter table periods enable always trigger full_periods_noted;
