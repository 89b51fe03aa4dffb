-- The feed of changes: what clients, webhooks and screens read, numbered in each environment in the order of commits, without a gap
-- (docs/decisions/0044-the-feed.md). A worker numbers it from the log of changed rows.

-- The last number of each environment. A row of its own, because closes hold the row of the environment.
create table feeds (
  environment_id integer primary key references environments,
  last_sequence bigint not null
);

create table feed (
  environment_id integer not null,
  sequence bigint not null,
  id text collate "C" not null,
  created_at timestamptz(3) not null,
  -- The partition: the week in which it was numbered.
  numbered_at timestamptz(3) not null,
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
create index feed_by_object on feed (environment_id, object_id, sequence);
create index feed_by_customer on feed (environment_id, customer_key, sequence);
-- For what is numbered while a partition is missing.
create table feed_rest partition of feed default;

-- What the feed has told of what only the clock changes. Filled without telling: nothing here is a change.
alter table subscriptions disable trigger logged;
alter table subscriptions add column told_status text not null default 'pending'
  check (told_status in ('pending', 'trialing', 'active', 'canceled'));
update subscriptions s set told_status = case
    when s.cancel_at <= coalesce(c.test_clock, now()) then 'canceled'
    when s.start_date > coalesce(c.test_clock, now()) then 'pending'
    when s.trial_end_date > coalesce(c.test_clock, now()) then 'trialing'
    else 'active' end
from customers c where c.environment_id = s.environment_id and c.id = s.customer_id;
-- When the next status is due.
create index subscriptions_to_tell on subscriptions (environment_id, (least(cancel_at,
  case told_status when 'pending' then start_date when 'trialing' then trial_end_date end))) where told_status <> 'canceled';

alter table credit_grants disable trigger logged;
alter table credit_grants add column expiry_told_at timestamptz(3);
update credit_grants g set expiry_told_at = g.expires_at
from customers c where c.environment_id = g.environment_id and c.id = g.customer_id
  and g.expires_at <= coalesce(c.test_clock, now());
create index credit_grants_to_tell on credit_grants (environment_id, expires_at) where expiry_told_at is null and voided_at is null;

-- The columns that the feed reads besides (src/db/changes/watched-columns.ts).
do $$
declare
  watched record;
begin
  for watched in select * from (values
    ('api_keys', 'id, revoked_at', 'of revoked_at'),
    ('credit_grants', 'id, customer_id, remaining, expires_at, voided_at, expiry_told_at', ''),
    ('credit_notes', 'id, invoice_id, number, status', ''),
    ('customers', 'id, external_id, balance', 'of name, email, currency, tax_rate, metadata, address, tax_ids, tax_treatment,
      buyer_reference, timezone, net_days, balance'),
    ('environments', 'account_id', 'of name, currency, tax_rate, address, tax_ids, invoice_footer, timezone, net_days, invoice_prefix,
      hide_zero_lines'),
    ('invoice_items', 'id, customer_id, subscription_id, unit_amount, deleted_at', ''),
    ('invoices', 'id, subscription_id, customer_id, period_start, status, number, overdue_at, amount_paid, balance_applied, credited', ''),
    ('payments', 'id, invoice_id, customer_id, reversed_at', ''),
    ('plans', 'id', ''),
    ('redactions', 'id, customer_id, finished_at', 'of finished_at'),
    ('subscriptions', 'id, customer_id, start_date, trial_end_date, plan_id, cancel_at, attention, told_status', '')
  ) as list(name, columns, updated) loop
    execute format('drop trigger if exists logged on %I', watched.name);
    execute format('create trigger logged after insert or delete or update %s on %I for each row execute function log_row_change(%s)',
      watched.updated, watched.name, watched.columns);
    execute format('alter table %I enable always trigger logged', watched.name);
  end loop;
end $$;

-- The feed begins with what comes after this transaction.
insert into consumers (name, epoch, snapshot)
select 'feed', coalesce((select max(epoch) from epochs), 1), pg_current_snapshot();
