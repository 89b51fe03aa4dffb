-- An invoice has many lines, and one statement writes them: it notes their invoices once, instead of once for each line and each span.

-- Notes that a unit changed, unless the transaction has just noted it.
create function note_change_of_unit(kind text, environment integer, unit text) returns void language plpgsql as $$
declare
  setting text := 'tidemark.noted_' || kind;
  noted text := concat(environment, ' ', unit);
begin
  if current_setting(setting, true) is distinct from noted then
    perform set_config(setting, noted, true);
    insert into changes (environment, kind, unit) values (environment, kind, unit);
  end if;
end $$;

create or replace function note_unit() returns trigger language plpgsql as $$
declare
  changed jsonb;
  unit text;
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
    perform note_change_of_unit(tg_argv[0], (changed ->> 'environment_id')::integer, unit);
  end loop;
  return null;
end $$;

create function note_lines() returns trigger language plpgsql as $$
begin
  perform note_change_of_unit('invoice', l.environment_id, l.invoice_id)
  from (select distinct environment_id, invoice_id from changed) as l;
  return null;
end $$;

-- The spans of a line that is deleted go with it, and the line notes its invoice.
create function note_line_item_spans() returns trigger language plpgsql as $$
begin
  perform note_change_of_unit('invoice', l.environment_id, l.invoice_id)
  from (
    select distinct l.environment_id, l.invoice_id
    from changed s join line_items l on l.environment_id = s.environment_id and l.id = s.line_item_id
  ) as l;
  return null;
end $$;

drop trigger line_items_noted on line_items;
create trigger line_items_noted after insert on line_items
  referencing new table as changed for each statement execute function note_lines();
create trigger line_items_noted_as_updated after update on line_items
  referencing new table as changed for each statement execute function note_lines();
create trigger line_items_noted_as_before after update on line_items
  referencing old table as changed for each statement execute function note_lines();
create trigger line_items_noted_as_deleted after delete on line_items
  referencing old table as changed for each statement execute function note_lines();

drop trigger line_item_spans_noted on line_item_spans;
create trigger line_item_spans_noted after insert on line_item_spans
  referencing new table as changed for each statement execute function note_line_item_spans();
create trigger line_item_spans_noted_as_updated after update on line_item_spans
  referencing new table as changed for each statement execute function note_line_item_spans();
create trigger line_item_spans_noted_as_before after update on line_item_spans
  referencing old table as changed for each statement execute function note_line_item_spans();
create trigger line_item_spans_noted_as_deleted after delete on line_item_spans
  referencing old table as changed for each statement execute function note_line_item_spans();

-- Also in a session that turns other triggers off, like the triggers that they replace.
alter table line_items enable always trigger line_items_noted;
alter table line_items enable always trigger line_items_noted_as_updated;
alter table line_items enable always trigger line_items_noted_as_before;
alter table line_items enable always trigger line_items_noted_as_deleted;
alter table line_item_spans enable always trigger line_item_spans_noted;
alter table line_item_spans enable always trigger line_item_spans_noted_as_updated;
alter table line_item_spans enable always trigger line_item_spans_noted_as_before;
alter table line_item_spans enable always trigger line_item_spans_noted_as_deleted;
