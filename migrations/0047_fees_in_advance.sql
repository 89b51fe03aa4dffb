-- Fees in advance (billing.md 10).

-- Its periods begin with work: the plan has fees in advance.
alter table plans add column opens_periods boolean not null default false;

-- An opening invoice bills the period that it begins, beside the invoice that closes the period.
alter table invoices add column kind text not null default 'period' check (kind in ('period', 'opening', 'late'));
update invoices i set kind = 'late'
from periods p
where p.environment_id = i.environment_id and p.subscription_id = i.subscription_id and p.period_start = i.period_start
  and p.kind = 'late';
drop index invoices_period;
create unique index invoices_period on invoices (environment_id, subscription_id, period_start, (kind = 'opening'))
  where status <> 'void';

-- Null until the beginning of the period is worked off. API processes of the release before know no such work, and insert it marked.
alter table periods add column opened_at timestamptz(3) default date_trunc('milliseconds', now());
create index periods_to_open on periods (environment_id, subscription_id) where opened_at is null;

alter table plan_changes
  add column settle text not null default 'balance' check (settle in ('balance', 'outside', 'none')),
  -- The use of unused time of each plan that was exchanged at this instant, by the id of the plan.
  add column exchanges jsonb not null default '{}';
alter table subscriptions add column cancel_settle text not null default 'balance'
  check (cancel_settle in ('balance', 'outside', 'none'));

-- The split of an item whose part has its unit amount changes the amount alone.
drop trigger logged on invoice_items;
create trigger logged after insert or delete or update on invoice_items for each row execute function log_row_change(
  'id', 'customer_id', 'subscription_id', 'unit_amount', 'amount', 'deleted_at');
alter table invoice_items enable always trigger logged;
