-- Charges of invoices by a payment provider, and the consumer of the log that starts their workflows.

-- Each is one intent at the provider, and each of its steps is a row before a call.
create table payment_attempts (
  environment_id integer references environments,
  -- The key of its intent at the provider.
  id text collate "C",
  invoice_id text collate "C" not null,
  customer_id text collate "C" not null,
  -- From 1, of the invoice.
  number integer not null check (number > 0),
  -- What it is to charge, which follows what is due until it is confirmed; what it has charged.
  amount numeric not null check (amount > 0),
  currency text not null,
  provider_id text collate "C" not null,
  payment_method_id text collate "C" not null,
  by text not null check (by in ('schedule', 'person')),
  -- The person or the key; null for the schedule.
  created_by text,
  -- The invoice and the Idempotency-Key of the request; null for none.
  request_key text,
  status text not null default 'pending'
    check (status in ('pending', 'processing', 'action_required', 'succeeded', 'declined', 'canceled')),
  -- In the provider's word.
  decline_code text,
  -- The intent; null before it is prepared.
  provider_reference text collate "C",
  -- When it was about to be confirmed first: from then on the provider may have charged.
  confirmed_at timestamptz(3),
  -- What it ends as once its intent is canceled; null while it is to charge.
  ends_as text check (ends_as in ('action_required', 'declined', 'canceled')),
  -- The payment of one that succeeded.
  payment_id text collate "C",
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  ended_at timestamptz(3),
  primary key (environment_id, id),
  unique (environment_id, invoice_id, number),
  unique (environment_id, provider_id, provider_reference),
  unique (environment_id, request_key),
  foreign key (environment_id, invoice_id) references invoices (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, provider_id) references payment_providers (environment_id, id),
  foreign key (environment_id, payment_method_id) references payment_methods (environment_id, id),
  foreign key (environment_id, payment_id) references payments (environment_id, id),
  check ((status in ('pending', 'processing')) = (ended_at is null)),
  check ((status = 'succeeded') = (payment_id is not null)),
  check ((created_by is not null) = (by = 'person'))
);
-- One open attempt an invoice.
create unique index payment_attempts_open on payment_attempts (environment_id, invoice_id)
  where status in ('pending', 'processing');
create index payment_attempts_intent on payment_attempts (environment_id, provider_reference)
  where status in ('pending', 'processing');
create index payment_attempts_customer on payment_attempts (environment_id, customer_id, id);
create index payment_attempts_invoice on payment_attempts (environment_id, invoice_id, id);
create index payment_attempts_method on payment_attempts (environment_id, payment_method_id);
create unique index payment_attempts_payment on payment_attempts (environment_id, payment_id)
  where payment_id is not null;
-- Open attempts of all environments.
create index payment_attempts_by_id on payment_attempts (id) where status in ('pending', 'processing');
create index payment_attempts_status on payment_attempts (environment_id, status, id);

-- One payment an attempt.
create unique index payments_attempt on payments (environment_id, created_by) where created_by like 'pat\_%';

create trigger audited after insert on payment_attempts for each row when (new.by = 'person')
  execute function audit_row('{
  "object": "payment_attempt", "insert": "created", "members": ["invoice_id", "amount", "payment_method_id"]}');
create trigger logged after insert or delete or update on payment_attempts for each row
  execute function log_row_change('id', 'invoice_id', 'customer_id', 'status');
alter table payment_attempts enable always trigger logged;

-- What changes from now on; of a new database the log is read from its start.
insert into consumers (name, epoch, snapshot)
select 'collections', coalesce(max(epoch), 1), case when count(*) = 0 then '3:3:' else pg_current_snapshot() end
from epochs;
