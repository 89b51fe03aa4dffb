-- The notes of changed lines and spans find their rows by index, however many there are: a plan that was made while the tables were small
-- would read them whole, until their statistics are renewed. `offset 0` keeps each look-up apart.
create or replace function note_line_item_spans() returns trigger language plpgsql as $$
begin
  perform note_change_of_unit('invoice', c.environment_id, c.invoice_id)
  from (
    select distinct s.environment_id, l.invoice_id
    from (select distinct environment_id, line_item_id from changed) as s
    cross join lateral (
      select invoice_id from line_items where environment_id = s.environment_id and id = s.line_item_id offset 0) as l
  ) as c;
  return null;
end $$;

create or replace function note_change_of_spans() returns trigger language plpgsql as $$
begin
  perform note_billing_change(s.environment_id, b.customer_id, min(s.timestamp_from), max(s.timestamp_to))
  from changed s
  cross join lateral (
    select subscription_id from line_items where environment_id = s.environment_id and id = s.line_item_id offset 0) as l
  cross join lateral (
    select customer_id from subscriptions where environment_id = s.environment_id and id = l.subscription_id offset 0) as b
  group by s.environment_id, b.customer_id;
  return null;
end $$;

create or replace function note_change_of_invoice() returns trigger language plpgsql as $$
declare
  changed invoices;
begin
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  perform note_billing_change(changed.environment_id, changed.customer_id, min(range.starts_at), max(range.ends_at))
  from (
    select p.full_period_start as starts_at, greatest(p.period_end, p.interval_end) as ends_at from periods p
    where p.environment_id = changed.environment_id and p.subscription_id = changed.subscription_id
      and p.period_start = changed.period_start
    union all
    select s.timestamp_from, s.timestamp_to from line_items l
    cross join lateral (
      select timestamp_from, timestamp_to from line_item_spans
      where environment_id = l.environment_id and line_item_id = l.id offset 0) as s
    where l.environment_id = changed.environment_id and l.invoice_id = changed.id
  ) as range
  having count(*) > 0;
  return null;
end $$;
