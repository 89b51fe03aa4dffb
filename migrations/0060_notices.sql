-- Notices of dates that come: how many days before each, and which date was told last (docs/decisions/0044-the-feed.md).
alter table environments add column notice_days jsonb not null
  default '{"renewal": null, "trial_end": null, "credit_expiry": null}'::jsonb
  check (jsonb_typeof(notice_days) = 'object');
alter table subscriptions
  add column told_renewal timestamptz(3),
  add column told_trial_end timestamptz(3);
alter table credit_grants add column told_expiry timestamptz(3);
-- Whether the notice of its end is made, or known not to be wanted; a change of the subscription asks anew.
alter table periods add column end_noted boolean not null default false;

create index periods_to_notice on periods (environment_id, period_end)
  where closed_at is null and kind <> 'late' and not end_noted;
create index credit_grants_to_notice on credit_grants (environment_id,
  (case when carry_over_max is null then expires_at else carry_over_until end))
  where expiry_told_at is null and voided_at is null
    and told_expiry is distinct from (case when carry_over_max is null then expires_at else carry_over_until end);

-- src/db/changes/watched-columns.ts has the same lists. What is noted of a period changes nothing for anybody.
drop trigger logged on credit_grants;
create trigger logged after insert or delete or update on credit_grants for each row execute function log_row_change(
  'id', 'customer_id', 'remaining', 'expires_at', 'carry_over_until', 'voided_at', 'expiry_told_at', 'told_expiry');
alter table credit_grants enable always trigger logged;
drop trigger logged on environments;
create trigger logged after insert or delete or update of name, currency, tax_rate, address, tax_ids, invoice_footer, timezone,
  net_days, invoice_prefix, hide_zero_lines, notice_days on environments for each row execute function log_row_change('account_id');
alter table environments enable always trigger logged;
drop trigger logged on periods;
create trigger logged after insert or delete or update of period_start, period_end, kind, interval_start, interval_end,
  full_period_start, closed_at, late_window_closed_at, late_usage_until, plan_id, opened_at on periods
  for each row execute function log_row_change('subscription_id', 'period_start', 'period_end', 'interval_end',
  'full_period_start', 'kind', 'closed_at', 'plan_id');
alter table periods enable always trigger logged;
drop trigger logged on subscriptions;
create trigger logged after insert or delete or update on subscriptions for each row execute function log_row_change(
  'id', 'customer_id', 'start_date', 'trial_end_date', 'plan_id', 'cancel_at', 'attention', 'told_status', 'told_renewal',
  'told_trial_end', 'billing_failed');
alter table subscriptions enable always trigger logged;

drop trigger audited on environments;
create trigger audited after update of name, currency, tax_rate, address, tax_ids, invoice_footer, timezone, net_days,
  invoice_prefix, hide_zero_lines, portal_origins, notice_days on environments for each row execute function audit_row('{
  "object": "account", "update": "updated", "id": "account_id",
  "members": ["name", "currency", "tax_rate", "address", "tax_ids", "invoice_footer", "timezone", "net_days",
    "invoice_prefix", "hide_zero_lines", "portal_origins", "notice_days"]}');
