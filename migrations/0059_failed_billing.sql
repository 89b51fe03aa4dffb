-- Billing has parked the subscription, and has not billed it since: the feed tells that it has recovered only then, and not where it is tried again.
drop trigger logged on subscriptions;
alter table subscriptions add column billing_failed boolean not null default false;
update subscriptions set billing_failed = true where attention is not null;
-- src/db/changes/watched-columns.ts has the same list.
create trigger logged after insert or delete or update on subscriptions for each row execute function log_row_change(
  'id', 'customer_id', 'start_date', 'trial_end_date', 'plan_id', 'cancel_at', 'attention', 'told_status', 'billing_failed');
alter table subscriptions enable always trigger logged;
