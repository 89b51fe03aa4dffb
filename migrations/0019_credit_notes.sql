-- What reduces an issued invoice without changing it, and the money that a customer has in advance.
alter table environments
  add column last_credit_note_number bigint not null default 0,
  -- The number that was remembered when the count was halted.
  add column numbering_given_credit_note bigint;

-- Ranges of numbers that no credit note has, each with its reason.
create table credit_note_number_gaps (
  environment_id integer not null references environments,
  number_from bigint not null,
  number_to bigint not null check (number_to >= number_from),
  reason text not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  primary key (environment_id, number_from)
);

alter table customers add column balance numeric not null default 0 check (balance >= 0);

alter table invoices
  -- What the balance covered when the invoice was issued, as its document says.
  add column balance_at_issue numeric not null default 0,
  -- What the balance covers now.
  add column balance_applied numeric not null default 0,
  -- What its credit notes take off it.
  add column credited numeric not null default 0;

-- The part of a payment that was above what was due.
alter table payments add column to_balance numeric not null default 0 check (to_balance >= 0 and to_balance < amount);

-- Seller, customer, currency, tax rate and zone of a credit note are those of its invoice, which never change.
create table credit_notes (
  environment_id integer not null references environments,
  id text collate "C" not null,
  invoice_id text collate "C" not null,
  status text not null check (status in ('issued', 'void')),
  number bigint not null,
  full_number text not null,
  subtotal numeric not null check (subtotal > 0),
  tax_amount numeric not null check (tax_amount >= 0),
  total numeric not null,
  to_invoice numeric not null check (to_invoice >= 0),
  to_balance numeric not null check (to_balance >= 0),
  -- Paid back outside of this system.
  outside numeric not null check (outside >= 0),
  reason text not null,
  -- By the customer's clock, as all times here.
  issued_at timestamptz(3) not null,
  created_by text not null,
  voided_at timestamptz(3),
  void_reason text,
  voided_by text,
  content_hash bytea,
  primary key (environment_id, id),
  unique (environment_id, number),
  unique (environment_id, full_number),
  foreign key (environment_id, invoice_id) references invoices (environment_id, id),
  check (total = subtotal + tax_amount),
  check (total = to_invoice + to_balance + outside),
  check ((status = 'void') = (voided_at is not null))
);
create index credit_notes_invoice on credit_notes (environment_id, invoice_id);

create table credit_note_lines (
  environment_id integer not null,
  credit_note_id text collate "C" not null,
  position integer not null,
  line_item_id text collate "C" not null,
  -- Net.
  amount numeric not null check (amount > 0),
  primary key (environment_id, credit_note_id, position),
  unique (environment_id, credit_note_id, line_item_id),
  foreign key (environment_id, credit_note_id) references credit_notes (environment_id, id),
  foreign key (environment_id, line_item_id) references line_items (environment_id, id)
);
create index credit_note_lines_line_item on credit_note_lines (environment_id, line_item_id);

-- What moved a customer's balance; never changed.
create table balance_entries (
  environment_id integer not null references environments,
  id text collate "C" not null,
  -- The order of writing, under the lock of the customer: ids of two machines may differ from it by their clocks.
  position bigint generated always as identity,
  customer_id text collate "C" not null,
  type text not null check (type in ('credit_note', 'adjustment', 'applied', 'returned', 'overpayment')),
  -- Signed, and in the currency of the customer.
  amount numeric not null check (amount <> 0),
  reason text,
  invoice_id text collate "C",
  credit_note_id text collate "C",
  payment_id text collate "C",
  -- By the customer's clock.
  created_at timestamptz(3) not null,
  -- The key or the session that caused it; null for what billing itself did.
  created_by text,
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, invoice_id) references invoices (environment_id, id),
  foreign key (environment_id, credit_note_id) references credit_notes (environment_id, id),
  foreign key (environment_id, payment_id) references payments (environment_id, id)
);
create index balance_entries_customer on balance_entries (environment_id, customer_id, id);
create index balance_entries_invoice on balance_entries (environment_id, invoice_id) where invoice_id is not null;

-- The journal reads by the time of recording.
create index invoices_voided_at on invoices (environment_id, voided_at) where voided_at is not null;
create index payments_created_at on payments (environment_id, created_at);
create index payments_reversed_at on payments (environment_id, reversed_at) where reversed_at is not null;
create index credit_notes_issued_at on credit_notes (environment_id, issued_at);
create index credit_notes_voided_at on credit_notes (environment_id, voided_at) where voided_at is not null;
create index balance_entries_created_at on balance_entries (environment_id, created_at);
