-- What became of the events of a customer, event name and UTC day, by cause (billing status or reason): what reports and lists read
-- instead of the events. The worker keeps it in the transaction of each step of the rollup, so that it holds exactly the events that are
-- rolled up (src/db/usage/fold.ts).
create table billing_days (
  environment_id integer not null,
  customer_key bigint not null,
  event_name text collate "C" not null,
  day timestamptz(3) not null,
  cause text collate "C" not null,
  events bigint not null,
  primary key (customer_key, day, event_name, cause)
) with (fillfactor = 80);
-- Which customers have such events on a day. Most customers have some that are billed or pending, so that a list needs no index of them.
create index billing_days_found on billing_days (environment_id, day, cause, customer_key)
  where cause <> 'billed' and cause <> 'pending';

-- Of all customers on a day: for the check of the sums below.
create index billing_days_of_day on billing_days (environment_id, day);

-- The same, summed over customers: one report of an environment costs what it shows. Only the worker writes it, one process at a time.
create table report_days (
  environment_id integer not null references environments (id),
  event_name text collate "C" not null,
  day timestamptz(3) not null,
  cause text collate "C" not null,
  events bigint not null,
  primary key (environment_id, event_name, day, cause)
) with (fillfactor = 80);
create index report_days_of_cause on report_days (environment_id, cause, day, event_name);

-- Customers of whose days in a range the causes have changed; one row a customer and transaction, which the worker folds and deletes.
create table billing_changes (
  environment_id integer not null references environments (id),
  customer_key bigint not null,
  changed_in xid8 not null default pg_current_xact_id(),
  changed_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  days_from timestamptz(3) not null,
  days_to timestamptz(3) not null,
  primary key (customer_key, changed_in)
);
create index billing_changes_oldest on billing_changes (changed_at);

-- LATE_USAGE_DAYS of the worker, by which late and too late events are told apart in billing_days. One row.
create table report_settings (
  is_only boolean primary key default true check (is_only),
  late_usage_days integer not null check (late_usage_days >= 0)
);
insert into report_settings (late_usage_days) values (35);

alter table set_aside
  drop constraint set_aside_job_check,
  add constraint set_aside_job_check check (job in ('rollup', 'expired_credit', 'usage_report'));

-- Notes that the causes of a customer's events may have changed from one instant to another. A second change of a transaction widens the
-- first. Triggers call it, so that nothing that changes a cause can leave it out, processes of the previous release included.
create function note_billing_change(environment integer, customer text, changed_from timestamptz, changed_to timestamptz)
returns void language sql as $$
  insert into billing_changes as b (environment_id, customer_key, days_from, days_to)
  select environment_id, key, coalesce(changed_from, '1970-01-01Z'), coalesce(changed_to, '9999-12-31Z') from customers
  where environment_id = environment and id = customer
  on conflict (customer_key, changed_in) do update
  set days_from = least(b.days_from, excluded.days_from), days_to = greatest(b.days_to, excluded.days_to)
$$;

-- A new subscription gives every event of its customer another reason; a cancellation those from then on.
create function note_change_of_subscription() returns trigger language plpgsql as $$
begin
  perform note_billing_change(new.environment_id, new.customer_id, case
    when tg_op = 'UPDATE' and (old.start_date, old.trial_end_date, old.plan_id) is not distinct from
      (new.start_date, new.trial_end_date, new.plan_id) then least(old.cancel_at, new.cancel_at) end, null);
  return null;
end $$;
create trigger subscriptions_billed after insert on subscriptions for each row execute function note_change_of_subscription();
create trigger subscriptions_changed after update of start_date, trial_end_date, plan_id, cancel_at on subscriptions for each row
  when ((old.start_date, old.trial_end_date, old.plan_id, old.cancel_at) is distinct from
    (new.start_date, new.trial_end_date, new.plan_id, new.cancel_at))
  execute function note_change_of_subscription();

create function note_change_of_period() returns trigger language plpgsql as $$
declare
  changed periods;
begin
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  perform note_billing_change(s.environment_id, s.customer_id, changed.full_period_start,
    greatest(changed.period_end, changed.interval_end, case when tg_op <> 'INSERT' then old.period_end end))
  from subscriptions s where s.environment_id = changed.environment_id and s.id = changed.subscription_id;
  return null;
end $$;
-- An open period that is no further part of a full period changes nothing: its events were pending before.
create trigger periods_added after insert on periods for each row
  when (new.kind = 'billing' and (new.closed_at is not null or new.period_start <> new.full_period_start))
  execute function note_change_of_period();
create trigger periods_changed after update on periods for each row
  when ((new.kind = 'billing' or old.kind = 'billing') and
    (old.kind, old.period_start, old.period_end, old.full_period_start, old.closed_at) is distinct from
    (new.kind, new.period_start, new.period_end, new.full_period_start, new.closed_at))
  execute function note_change_of_period();
create trigger periods_removed after delete on periods for each row when (old.kind = 'billing')
  execute function note_change_of_period();

-- An invoice changes its own period, and what its lines hold.
create function note_change_of_invoice() returns trigger language plpgsql as $$
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
    join line_item_spans s on s.environment_id = l.environment_id and s.line_item_id = l.id
    where l.environment_id = changed.environment_id and l.invoice_id = changed.id
  ) as range
  having count(*) > 0;
  return null;
end $$;
create trigger invoices_added after insert on invoices for each row when (new.status <> 'void')
  execute function note_change_of_invoice();
-- Open and paid are both billed.
create trigger invoices_changed after update of status on invoices for each row
  when (old.status <> new.status and not (old.status in ('open', 'paid') and new.status in ('open', 'paid')))
  execute function note_change_of_invoice();
create trigger invoices_removed after delete on invoices for each row execute function note_change_of_invoice();

create function note_change_of_spans() returns trigger language plpgsql as $$
begin
  perform note_billing_change(b.environment_id, b.customer_id, min(s.timestamp_from), max(s.timestamp_to))
  from changed s
  join line_items l on l.environment_id = s.environment_id and l.id = s.line_item_id
  join subscriptions b on b.environment_id = l.environment_id and b.id = l.subscription_id
  group by b.environment_id, b.customer_id;
  return null;
end $$;
create trigger line_item_spans_added after insert on line_item_spans referencing new table as changed for each statement
  execute function note_change_of_spans();
create trigger line_item_spans_changed after update on line_item_spans referencing new table as changed for each statement
  execute function note_change_of_spans();
create trigger line_item_spans_removed after delete on line_item_spans referencing old table as changed for each statement
  execute function note_change_of_spans();

-- The spans of a line that is deleted go with it.
create function note_change_of_lines() returns trigger language plpgsql as $$
begin
  perform note_billing_change(b.environment_id, b.customer_id, min(l.full_period_start), max(l.period_end))
  from changed l join subscriptions b on b.environment_id = l.environment_id and b.id = l.subscription_id
  group by b.environment_id, b.customer_id;
  return null;
end $$;
create trigger line_items_removed after delete on line_items referencing old table as changed for each statement
  execute function note_change_of_lines();

-- What is rolled up already is folded customer by customer. Until then no report is exact, which 1970 says.
insert into billing_changes (environment_id, customer_key, changed_at, days_from, days_to)
select environment_id, key, '1970-01-01Z', '1970-01-01Z', '9999-12-31Z' from customers;
