-- Reminders: on which days payers are reminded, and invoices and customers whose collection a person has paused.

-- A time zone as the database knows it: UTC for one that its list of zones lacks, because the code has a list of its own.
-- One name must not fail the statement of all customers.
create function known_zone(zone text) returns text language plpgsql stable as $$
begin
  perform now() at time zone zone;
  return zone;
exception when invalid_parameter_value then
  return 'UTC';
end $$;

alter table environments
  -- Steps of reminding: whole days from the due date, ascending; none is off.
  add column reminder_days jsonb not null default '[]' check (jsonb_typeof(reminder_days) = 'array');

alter table customers
  -- Null: the environment's.
  add column reminder_days jsonb check (jsonb_typeof(reminder_days) = 'array'),
  -- Members reason, until, created_at, created_by; null while it is not paused. No reminder and no charge goes out then.
  add column collection_pause jsonb check (collection_pause ?& array['reason', 'until', 'created_at', 'created_by']
    and collection_pause ->> 'reason' in ('disputed', 'promised', 'other')),
  -- What a person wrote about the pause, which an erasure blanks: a column of its own, so that no log has it.
  add column collection_note text check (collection_note is null or collection_pause is not null),
  -- When a person last ended a pause, by the clock of the customer: steps up to that day are passed over.
  add column collection_resumed_at timestamptz(3);

alter table invoices
  -- As of a customer.
  add column collection_pause jsonb check (collection_pause ?& array['reason', 'until', 'created_at', 'created_by']
    and collection_pause ->> 'reason' in ('disputed', 'promised', 'other')),
  -- What a person wrote about the pause.
  add column collection_note text check (collection_note is null or collection_pause is not null),
  add column collection_resumed_at timestamptz(3);

-- Customers with steps of their own.
create index customers_reminded on customers (environment_id, id) where reminder_days is not null;
-- Open invoices by the days of their steps.
create index invoices_steps on invoices (environment_id, due_date, id) where status = 'open';
-- Open invoices of a customer.
create index invoices_owed on invoices (environment_id, customer_id, due_date) where status = 'open';

alter table emails drop constraint emails_kind_check;
alter table emails add constraint emails_kind_check
  check (kind in ('invoice', 'credit_note', 'receipt', 'payment_failed', 'reminder', 'statement'));
alter table email_texts drop constraint email_texts_kind_check;
alter table email_texts add constraint email_texts_kind_check
  check (kind in ('invoice', 'credit_note', 'receipt', 'payment_failed', 'reminder', 'statement'));

-- An email of a customer with a test clock is tried once the clock has come to `send_at`: null until then.
alter table emails drop constraint emails_check;
alter table emails add constraint emails_check check (status = 'queued' or next_attempt_at is null);
-- What waits of a customer.
create index emails_queued on emails (environment_id, customer_id) where status = 'queued';

drop trigger audited on environments;
create trigger audited after update of name, currency, tax_rate, address, tax_ids, invoice_footer, timezone, net_days,
  invoice_prefix, hide_zero_lines, portal_origins, notice_days, account_numbers, datev, logo_sha256, email_kinds,
  email_reply_to, email_copy_to, email_attach, email_hours, email_test_recipients, language,
  reminder_days on environments for each row
  execute function audit_row('{
  "object": "account", "update": "updated", "id": "account_id",
  "members": ["name", "currency", "tax_rate", "address", "tax_ids", "invoice_footer", "timezone", "net_days",
    "invoice_prefix", "hide_zero_lines", "portal_origins", "notice_days", "account_numbers", "datev", "logo_sha256",
    "email_kinds", "email_reply_to", "email_copy_to", "email_attach", "email_hours", "email_test_recipients",
    "language", "reminder_days"]}');
drop trigger logged on environments;
create trigger logged after insert or delete or update of name, currency, tax_rate, address, tax_ids, invoice_footer,
  timezone, net_days, invoice_prefix, hide_zero_lines, notice_days, account_numbers, datev, logo_sha256, email_kinds,
  email_reply_to, email_copy_to, email_attach, email_hours, email_test_recipients, language,
  reminder_days on environments for each row
  execute function log_row_change('account_id');
alter table environments enable always trigger logged;

drop trigger audited on customers;
create trigger audited after insert or delete or update of name, email, currency, tax_rate, metadata, address, tax_ids,
  tax_treatment, buyer_reference, timezone, net_days, billing_emails, email_muted, language, reminder_days,
  collection_pause on customers for each row
  execute function audit_row('{
  "object": "customer", "insert": "created", "update": "updated", "delete": "deleted",
  "verbs": {"collection_pause": "collection_paused"}, "released": {"collection_pause": "collection_resumed"},
  "members": ["external_id", "name", "email", "currency", "tax_rate", "metadata", "address", "tax_ids", "tax_treatment",
    "buyer_reference", "timezone", "net_days", "billing_emails", "email_muted", "language", "reminder_days",
    "collection_pause"],
  "personal": ["name", "email", "metadata", "address", "tax_ids", "buyer_reference", "billing_emails"]}');
drop trigger logged on customers;
create trigger logged after insert or delete or update of name, email, currency, tax_rate, metadata, address, tax_ids,
  tax_treatment, buyer_reference, timezone, net_days, balance, billing_emails, email_muted, language, reminder_days,
  collection_pause on customers for each row
  execute function log_row_change('id', 'external_id', 'balance');
alter table customers enable always trigger logged;

create trigger audited_pause after update of collection_pause on invoices for each row
  execute function audit_row('{
  "object": "invoice", "verbs": {"collection_pause": "collection_paused"},
  "released": {"collection_pause": "collection_resumed"}, "members": ["collection_pause"]}');
drop trigger logged on invoices;
create trigger logged after insert or delete or update on invoices for each row
  execute function log_row_change('id', 'subscription_id', 'customer_id', 'period_start', 'status', 'number',
    'overdue_at', 'amount_paid', 'balance_applied', 'credited', 'replaced_by', 'sent_at', 'collection_pause');
alter table invoices enable always trigger logged;
