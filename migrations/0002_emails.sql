-- Emails to payers: what of an environment goes out, in which words, and what became of each.

alter table environments
  -- Of which kinds emails go out by themselves; none is off.
  add column email_kinds jsonb not null default '[]' check (jsonb_typeof(email_kinds) = 'array'),
  add column email_reply_to text,
  -- Gets a blind copy of each email.
  add column email_copy_to text,
  -- Files of a document that go with its email: pdf, xml.
  add column email_attach jsonb not null default '["pdf"]' check (jsonb_typeof(email_attach) = 'array'),
  -- Hours of the customer's day in which emails go out by themselves: members from, until.
  add column email_hours jsonb not null default '{"from": 8, "until": 18}' check (jsonb_typeof(email_hours) = 'object'),
  -- To whom emails of test data go: addresses, and patterns such as *@acme.com.
  add column email_test_recipients jsonb not null default '[]' check (jsonb_typeof(email_test_recipients) = 'array'),
  -- Of its emails.
  add column language text not null default 'en' check (language in ('en', 'de', 'fr', 'it', 'es', 'nl'));

alter table customers
  -- Who gets its emails; without any, `email` does.
  add column billing_emails jsonb not null default '[]' check (jsonb_typeof(billing_emails) = 'array'),
  -- Gets only what a person sends.
  add column email_muted boolean not null default false,
  -- Null: the environment's.
  add column language text check (language in ('en', 'de', 'fr', 'it', 'es', 'nl'));

-- When a server first took an email with it.
alter table invoices add column sent_at timestamptz(3);
alter table credit_notes add column sent_at timestamptz(3);
create index invoices_sent on invoices (environment_id, id) where sent_at is not null;
-- Issued invoices that went to nobody.
create index invoices_unsent on invoices (environment_id, id) where sent_at is null and issued_at is not null;

-- Messages to payers and their fates, one a reason.
create table emails (
  environment_id integer references environments,
  id text collate "C",
  -- What it is for, such as invoice.inv_01m7: the kind and the object; with .2 the second one, sent by hand. Of it and of
  -- the host of EMAIL_FROM the Message-ID is made.
  reason text collate "C" not null,
  kind text not null check (kind in ('invoice', 'credit_note', 'receipt', 'payment_failed')),
  customer_id text collate "C" not null,
  -- The invoice, the credit note or the payment.
  object_id text collate "C" not null,
  invoice_ids text[] collate "C" not null,
  -- As of the writing, and of the last try.
  language text not null check (language in ('en', 'de', 'fr', 'it', 'es', 'nl')),
  -- Addresses that a person chose; null: those that the customer has when it is tried.
  chosen_to jsonb check (jsonb_typeof(chosen_to) = 'array'),
  -- A list of {address, status, response}, as of the last try; null before the first.
  "to" jsonb check (jsonb_typeof("to") = 'array'),
  -- As of the last try, with [link] in place of the link; null before the first, and after an erasure.
  subject text,
  text text,
  -- A list of {filename, content_type, bytes, sha256, error}, as of the last try; null before the first.
  attachments jsonb check (jsonb_typeof(attachments) = 'array'),
  -- From the first try on.
  message_id text,
  status text not null check (status in ('queued', 'sent', 'refused', 'failed', 'kept', 'canceled')),
  -- Why it is kept or canceled: a word. While it waits, and after it failed or was refused: what the server said last.
  status_reason text,
  -- Not before it.
  send_at timestamptz(3) not null,
  -- Tries that failed, and the one that did not.
  attempts integer not null default 0,
  first_attempt_at timestamptz(3),
  -- When it is tried next: first at send_at; null if never again. A try that begins moves it, so that no other one does.
  next_attempt_at timestamptz(3),
  -- When a server took it.
  sent_at timestamptz(3),
  resend_of text collate "C",
  -- The person or the program that sent it; null if it went out by itself.
  created_by text,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  primary key (environment_id, id),
  unique (environment_id, reason),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, resend_of) references emails (environment_id, id),
  check ((status = 'queued') = (next_attempt_at is not null)),
  check (status not in ('kept', 'canceled') or status_reason is not null)
);
create index emails_customer on emails (environment_id, customer_id, id);
create index emails_due on emails (next_attempt_at) where status = 'queued';
create index emails_invoices on emails using gin (invoice_ids);
create index emails_kind on emails (environment_id, kind, id);
create index emails_newest on emails (created_at, environment_id, status);
create index emails_object on emails (environment_id, object_id, id);
create index emails_resends on emails (environment_id, resend_of) where resend_of is not null;
create index emails_status on emails (environment_id, status, id);

-- Texts of emails that an environment has in place of those of Tidemark.
create table email_texts (
  environment_id integer references environments,
  kind text collate "C" check (kind in ('invoice', 'credit_note', 'receipt', 'payment_failed')),
  language text collate "C" check (language in ('en', 'de', 'fr', 'it', 'es', 'nl')),
  -- Such as invoice.de: its name in the audit log.
  id text collate "C" generated always as (kind || '.' || language) stored,
  subject text not null,
  body text not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  updated_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  primary key (environment_id, kind, language)
);

-- How the server of SMTP_URL takes the emails of this database; one row.
create table email_sender (
  only_row boolean primary key default true check (only_row),
  -- Since when it refuses the login; null where it does not.
  refused_at timestamptz(3),
  -- The words of its refusal.
  refusal text,
  check ((refused_at is null) = (refusal is null))
);
insert into email_sender default values;

-- What is issued from now on; of a new database the log is read from its start.
insert into consumers (name, epoch, snapshot)
select 'emails', coalesce(max(epoch), 1), case when count(*) = 0 then '3:3:' else pg_current_snapshot() end
from epochs;

drop trigger audited on environments;
create trigger audited after update of name, currency, tax_rate, address, tax_ids, invoice_footer, timezone, net_days,
  invoice_prefix, hide_zero_lines, portal_origins, notice_days, account_numbers, datev, logo_sha256, email_kinds,
  email_reply_to, email_copy_to, email_attach, email_hours, email_test_recipients,
  language on environments for each row
  execute function audit_row('{
  "object": "account", "update": "updated", "id": "account_id",
  "members": ["name", "currency", "tax_rate", "address", "tax_ids", "invoice_footer", "timezone", "net_days",
    "invoice_prefix", "hide_zero_lines", "portal_origins", "notice_days", "account_numbers", "datev", "logo_sha256",
    "email_kinds", "email_reply_to", "email_copy_to", "email_attach", "email_hours", "email_test_recipients",
    "language"]}');
drop trigger logged on environments;
create trigger logged after insert or delete or update of name, currency, tax_rate, address, tax_ids, invoice_footer,
  timezone, net_days, invoice_prefix, hide_zero_lines, notice_days, account_numbers, datev, logo_sha256, email_kinds,
  email_reply_to, email_copy_to, email_attach, email_hours, email_test_recipients,
  language on environments for each row
  execute function log_row_change('account_id');
alter table environments enable always trigger logged;

drop trigger audited on customers;
create trigger audited after insert or delete or update of name, email, currency, tax_rate, metadata, address, tax_ids,
  tax_treatment, buyer_reference, timezone, net_days, billing_emails, email_muted, language on customers for each row
  execute function audit_row('{
  "object": "customer", "insert": "created", "update": "updated", "delete": "deleted",
  "members": ["external_id", "name", "email", "currency", "tax_rate", "metadata", "address", "tax_ids", "tax_treatment",
    "buyer_reference", "timezone", "net_days", "billing_emails", "email_muted", "language"],
  "personal": ["name", "email", "metadata", "address", "tax_ids", "buyer_reference", "billing_emails"]}');
drop trigger logged on customers;
create trigger logged after insert or delete or update of name, email, currency, tax_rate, metadata, address, tax_ids,
  tax_treatment, buyer_reference, timezone, net_days, balance, billing_emails, email_muted,
  language on customers for each row
  execute function log_row_change('id', 'external_id', 'balance');
alter table customers enable always trigger logged;

-- Not of the links in emails, which nobody makes.
drop trigger audited on portal_sessions;
create trigger audited after insert on portal_sessions for each row when (new.created_by not like 'eml\_%')
  execute function audit_row('{
  "object": "portal_session", "insert": "created", "members": ["expires_at"]}');
create trigger audited_end after update of revoked_at on portal_sessions for each row
  execute function audit_row('{
  "object": "portal_session", "verbs": {"revoked_at": "revoked"}, "members": ["revoked_at"]}');

drop trigger logged on invoices;
create trigger logged after insert or delete or update on invoices for each row
  execute function log_row_change('id', 'subscription_id', 'customer_id', 'period_start', 'status', 'number',
    'overdue_at', 'amount_paid', 'balance_applied', 'credited', 'replaced_by', 'sent_at');
alter table invoices enable always trigger logged;
drop trigger logged on credit_notes;
create trigger logged after insert or delete or update on credit_notes for each row
  execute function log_row_change('id', 'invoice_id', 'number', 'status', 'sent_at');
alter table credit_notes enable always trigger logged;

create trigger audited after insert on emails for each row when (new.created_by is not null)
  execute function audit_row('{
  "object": "email", "insert": "created", "members": ["kind", "object_id", "resend_of"]}');
create trigger audited_cancel after update of status on emails for each row
  when (new.status = 'canceled' and new.status_reason = 'by_hand')
  execute function audit_row('{"object": "email", "update": "canceled", "members": ["status"]}');
create trigger logged after insert or delete or update on emails for each row
  execute function log_row_change('id', 'object_id', 'customer_id', 'kind', 'status');
alter table emails enable always trigger logged;
create trigger audited after insert or delete or update of subject, body on email_texts for each row
  execute function audit_row('{
  "object": "email_text", "insert": "updated", "update": "updated", "delete": "deleted",
  "members": ["kind", "language", "subject", "body"]}');
