-- Charges of invoices.

create table payment_attempts (
  environment_id integer references environments,
  -- The key of its intent at the provider.
  id text collate "C",
  invoice_id text collate "C" not null,
  customer_id text collate "C" not null,
  -- From 1, of the invoice.
  number integer not null check (number > 0),
  amount numeric not null check (amount > 0),
  currency text not null,
  provider_id text collate "C" not null,
  payment_method_id text collate "C" not null,
  by text not null check (by in ('schedule', 'person')),
  created_by text,
  status text not null
    check (status in ('pending', 'processing', 'action_required', 'succeeded', 'declined', 'canceled')),
  decline_code text,
  -- The intent; null before it is prepared.
  provider_reference text collate "C",
  -- When it was about to be confirmed first: from then on the provider may have charged.
  confirmed_at timestamptz(3),
  -- The payment of one that succeeded.
  payment_id text collate "C",
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  ended_at timestamptz(3),
  primary key (environment_id, id),
  unique (environment_id, invoice_id, number),
  unique (environment_id, provider_id, provider_reference),
  foreign key (environment_id, invoice_id) references invoices (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, provider_id) references payment_providers (environment_id, id),
  foreign key (environment_id, payment_method_id) references payment_methods (environment_id, id),
  foreign key (environment_id, payment_id) references payments (environment_id, id),
  check ((status in ('pending', 'processing')) = (ended_at is null)),
  check ((status = 'succeeded') = (payment_id is not null)),
  check (created_by is null or by = 'person')
);
create unique index payment_attempts_open on payment_attempts (environment_id, invoice_id)
  where status in ('pending', 'processing');
create index payment_attempts_customer on payment_attempts (environment_id, customer_id, id);
create index payment_attempts_method on payment_attempts (environment_id, payment_method_id);
create unique index payment_attempts_payment on payment_attempts (environment_id, payment_id)
  where payment_id is not null;
create index payment_attempts_status on payment_attempts (environment_id, status, id);

-- One payment a succeeded attempt.
create unique index payments_attempt on payments (environment_id, created_by) where created_by like 'pat\_%';
