-- Refunds and disputes of charges, and the comparison of a night with the provider.

-- What a refund or a dispute is read for; null: nothing is read.
alter table provider_events add column object_type text check (object_type in ('refund', 'dispute'));
-- When it is read at the provider; null: never, or no more.
alter table provider_events add column next_read_at timestamptz(3);
create index provider_events_unread on provider_events (next_read_at) where next_read_at is not null;

-- Money of a charge that goes back to its payer.
create table payment_refunds (
  environment_id integer references environments,
  -- The key of the request at the provider.
  id text collate "C",
  -- The payment that it was asked of, or that stood when it was found at the provider.
  payment_id text collate "C" not null,
  -- Null for a payment in advance.
  invoice_id text collate "C",
  customer_id text collate "C" not null,
  -- The note that accounts for it; null: it reverses payments.
  credit_note_id text collate "C",
  amount numeric not null check (amount > 0),
  currency text not null,
  -- Null after an erasure.
  reason text,
  provider_id text collate "C" not null,
  -- The intent of the charge.
  charge_reference text collate "C" not null,
  -- Its id at the provider; null before the provider has taken it.
  provider_reference text collate "C",
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  -- What it has taken of payments that stood, 0 for one of a credit note; null while nothing is booked.
  taken_amount numeric check (taken_amount >= 0),
  -- Why it cannot be booked now.
  fault text,
  -- The payment and the Idempotency-Key of the request; null for none.
  request_key text,
  -- The person or the key; null for one that was made at the provider.
  created_by text,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  ended_at timestamptz(3),
  -- When it is asked of the provider, or read there, again; null: not before the provider posts a change.
  next_read_at timestamptz(3),
  primary key (environment_id, id),
  unique (environment_id, provider_id, provider_reference),
  unique (environment_id, request_key),
  foreign key (environment_id, payment_id) references payments (environment_id, id),
  foreign key (environment_id, invoice_id) references invoices (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, credit_note_id) references credit_notes (environment_id, id),
  foreign key (environment_id, provider_id) references payment_providers (environment_id, id),
  check ((status = 'pending') = (ended_at is null)),
  check (taken_amount is null or provider_reference is not null),
  check (credit_note_id is null or taken_amount is null or taken_amount = 0)
);
create index payment_refunds_payment on payment_refunds (environment_id, payment_id, id);
create index payment_refunds_invoice on payment_refunds (environment_id, invoice_id, id) where invoice_id is not null;
create index payment_refunds_customer on payment_refunds (environment_id, customer_id, id);
create index payment_refunds_note on payment_refunds (environment_id, credit_note_id) where credit_note_id is not null;
create index payment_refunds_charge on payment_refunds (environment_id, charge_reference);
create index payment_refunds_status on payment_refunds (environment_id, status, id);
create index payment_refunds_unread on payment_refunds (next_read_at) where next_read_at is not null;

-- Money of a charge that the payer's bank takes back, or asks about.
create table payment_disputes (
  environment_id integer references environments,
  id text collate "C",
  -- The payment that stood when it was found.
  payment_id text collate "C" not null,
  -- Null for a payment in advance.
  invoice_id text collate "C",
  customer_id text collate "C" not null,
  amount numeric not null check (amount > 0),
  currency text not null,
  -- In the provider's word.
  reason text not null,
  provider_id text collate "C" not null,
  -- The intent of the charge.
  charge_reference text collate "C" not null,
  -- Its id at the provider.
  provider_reference text collate "C" not null,
  status text not null check (status in ('inquiry', 'open', 'won', 'lost')),
  -- What it has taken of payments that stood; null while nothing is booked.
  taken_amount numeric check (taken_amount >= 0),
  -- Why it cannot be booked now.
  fault text,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  ended_at timestamptz(3),
  -- When it is read at the provider again; null: not before the provider posts a change.
  next_read_at timestamptz(3),
  primary key (environment_id, id),
  unique (environment_id, provider_id, provider_reference),
  foreign key (environment_id, payment_id) references payments (environment_id, id),
  foreign key (environment_id, invoice_id) references invoices (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, provider_id) references payment_providers (environment_id, id),
  check ((status in ('inquiry', 'open')) = (ended_at is null))
);
create index payment_disputes_payment on payment_disputes (environment_id, payment_id, id);
create index payment_disputes_invoice on payment_disputes (environment_id, invoice_id, id) where invoice_id is not null;
create index payment_disputes_customer on payment_disputes (environment_id, customer_id, id);
create index payment_disputes_charge on payment_disputes (environment_id, charge_reference);
create index payment_disputes_status on payment_disputes (environment_id, status, id);
create index payment_disputes_unread on payment_disputes (next_read_at) where next_read_at is not null;

-- The place of the comparison of a night at a provider: what was made there since an instant, kind after kind.
create table provider_comparisons (
  environment_id integer,
  provider_id text collate "C",
  kind text not null default 'charge' check (kind in ('charge', 'refund', 'dispute')),
  since timestamptz(3) not null,
  -- The last one that was compared, by its id at the provider; null at the begin of a kind.
  after_reference text,
  -- When the next page is read.
  next_at timestamptz(3) not null,
  primary key (environment_id, provider_id),
  foreign key (environment_id, provider_id) references payment_providers (environment_id, id)
);
create index provider_comparisons_due on provider_comparisons (next_at);

-- Of people alone: what the provider reports is in the feed.
create trigger audited after insert on payment_refunds for each row when (new.created_by is not null)
  execute function audit_row('{
  "object": "payment_refund", "insert": "created", "members": ["payment_id", "amount", "credit_note_id"]}');
create trigger logged after insert or delete or update of provider_reference, status, reason on payment_refunds
  for each row
  execute function log_row_change('id', 'invoice_id', 'customer_id', 'status');
alter table payment_refunds enable always trigger logged;
create trigger logged after insert or delete or update of amount, status on payment_disputes for each row
  execute function log_row_change('id', 'invoice_id', 'customer_id', 'status');
alter table payment_disputes enable always trigger logged;

-- One payment a charge, besides what refunds and disputes pay again.
create unique index payments_charge on payments (environment_id, reference) where created_by ~ '^(pat|pys|pp)_';
