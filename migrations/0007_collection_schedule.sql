-- Planned charges: when invoices are charged by themselves, and how far the plan of each invoice is.

alter table environments
  add column charge_mode text not null default 'manual' check (charge_mode in ('manual', 'automatic')),
  -- When the mode last changed: nothing of before is planned.
  add column charge_mode_at timestamptz(3),
  -- The first charge: at the issue, or at the beginning of the due date.
  add column charge_on text not null default 'issue' check (charge_on in ('issue', 'due_date')),
  -- Whole days after the first charge, ascending.
  add column charge_retry_days jsonb not null default '[3, 7, 14]' check (jsonb_typeof(charge_retry_days) = 'array');

alter table customers
  -- Null: the environment's.
  add column charge_mode text check (charge_mode in ('manual', 'automatic')),
  -- As of an environment.
  add column charge_mode_at timestamptz(3);

alter table payment_methods
  -- When it last became the default, by the clock of the customer; of one that never was, when it was made.
  add column default_since timestamptz(3) not null default date_trunc('milliseconds', now());
update payment_methods set default_since = created_at;

alter table payment_attempts
  -- When it began by the clock of the customer: of the schedule, the instant of its plan.
  add column at timestamptz(3) not null default date_trunc('milliseconds', now()),
  -- What may be tried after a decline; null before the provider has answered.
  add column again text check (again in ('later', 'never', 'by_schedule')),
  -- Whether the payer gets an email of its failure, decided as it ends.
  add column is_mailed boolean not null default false check (not is_mailed or by = 'schedule');
update payment_attempts set at = created_at, again = case when status = 'declined' then 'by_schedule' end;

-- Invoices with a plan or an attempt. Written under the lock of the customer, but for a new plan: a consumer of the log
-- inserts it after the issue, and the first turn of its workflow looks at the invoice again.
create table collections (
  environment_id integer references environments,
  invoice_id text collate "C",
  customer_id text collate "C" not null,
  status text not null
    check (status in ('scheduled', 'charging', 'processing', 'action_required', 'exhausted', 'none')),
  -- When the plan has its first charge; null without a plan, and once it is over.
  first_at timestamptz(3),
  -- The next charge of the plan, also while a person's attempt is open.
  next_attempt_at timestamptz(3),
  -- How many attempts were made, also those of persons.
  attempts integer not null default 0 check (attempts >= 0),
  primary key (environment_id, invoice_id),
  foreign key (environment_id, invoice_id) references invoices (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  check (next_attempt_at is not null or status <> 'scheduled'),
  check (next_attempt_at is null or status in ('scheduled', 'charging', 'processing')),
  check (next_attempt_at is null or first_at is not null)
);
insert into collections (environment_id, invoice_id, customer_id, status, attempts)
select environment_id, invoice_id, min(customer_id), coalesce(min(case status
  when 'pending' then 'charging' when 'processing' then 'processing' end), 'none'), count(*)
from payment_attempts group by environment_id, invoice_id;
create index collections_status on collections (environment_id, status, invoice_id);
create index collections_customer on collections (environment_id, customer_id, invoice_id);
-- Those of all environments that go on.
create index collections_by_id on collections (invoice_id) where status in ('scheduled', 'charging', 'processing');

create trigger logged after insert or delete or update of status, attempts, next_attempt_at on collections for each row
  execute function log_row_change('invoice_id', 'customer_id', 'status');
alter table collections enable always trigger logged;

drop trigger logged on payment_methods;
create trigger logged after insert or delete or update of label, expires, status, is_default on payment_methods
  for each row
  execute function log_row_change('id', 'customer_id', 'status', 'is_default');
alter table payment_methods enable always trigger logged;

drop trigger audited on environments;
create trigger audited after update of name, currency, tax_rate, address, tax_ids, invoice_footer, timezone, net_days,
  invoice_prefix, hide_zero_lines, portal_origins, notice_days, account_numbers, datev, logo_sha256, email_kinds,
  email_reply_to, email_copy_to, email_attach, email_hours, email_test_recipients, language,
  reminder_days, charge_mode, charge_on, charge_retry_days on environments for each row
  execute function audit_row('{
  "object": "account", "update": "updated", "id": "account_id",
  "members": ["name", "currency", "tax_rate", "address", "tax_ids", "invoice_footer", "timezone", "net_days",
    "invoice_prefix", "hide_zero_lines", "portal_origins", "notice_days", "account_numbers", "datev", "logo_sha256",
    "email_kinds", "email_reply_to", "email_copy_to", "email_attach", "email_hours", "email_test_recipients",
    "language", "reminder_days", "charge_mode", "charge_on", "charge_retry_days"]}');
drop trigger logged on environments;
create trigger logged after insert or delete or update of name, currency, tax_rate, address, tax_ids, invoice_footer,
  timezone, net_days, invoice_prefix, hide_zero_lines, notice_days, account_numbers, datev, logo_sha256, email_kinds,
  email_reply_to, email_copy_to, email_attach, email_hours, email_test_recipients, language,
  reminder_days, charge_mode, charge_on, charge_retry_days on environments for each row
  execute function log_row_change('account_id');
alter table environments enable always trigger logged;

drop trigger audited on customers;
create trigger audited after insert or delete or update of name, email, currency, tax_rate, metadata, address, tax_ids,
  tax_treatment, buyer_reference, timezone, net_days, billing_emails, email_muted, language, reminder_days,
  charge_mode, collection_pause on customers for each row
  execute function audit_row('{
  "object": "customer", "insert": "created", "update": "updated", "delete": "deleted",
  "verbs": {"collection_pause": "collection_paused"}, "released": {"collection_pause": "collection_resumed"},
  "members": ["external_id", "name", "email", "currency", "tax_rate", "metadata", "address", "tax_ids", "tax_treatment",
    "buyer_reference", "timezone", "net_days", "billing_emails", "email_muted", "language", "reminder_days",
    "charge_mode", "collection_pause"],
  "personal": ["name", "email", "metadata", "address", "tax_ids", "buyer_reference", "billing_emails"]}');
drop trigger logged on customers;
create trigger logged after insert or delete or update of name, email, currency, tax_rate, metadata, address, tax_ids,
  tax_treatment, buyer_reference, timezone, net_days, balance, billing_emails, email_muted, language, reminder_days,
  charge_mode, collection_pause on customers for each row
  execute function log_row_change('id', 'external_id', 'balance');
alter table customers enable always trigger logged;
