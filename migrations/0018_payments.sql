-- What was paid for invoices. A payment made by mistake is reversed and stays.
create table payments (
  environment_id integer not null references environments,
  id text collate "C" not null,
  invoice_id text collate "C" not null,
  amount numeric not null check (amount > 0),
  reference text,
  paid_at timestamptz(3) not null,
  -- By the customer's clock.
  created_at timestamptz(3) not null,
  -- The key or the session that recorded it; null for payments recorded before this table existed.
  created_by text,
  reversed_at timestamptz(3),
  reversal_reason text,
  reversed_by text,
  primary key (environment_id, id),
  foreign key (environment_id, invoice_id) references invoices (environment_id, id),
  check ((reversed_at is null) = (reversal_reason is null))
);
create index payments_invoice on payments (environment_id, invoice_id);

-- Until now an invoice was paid at once. The id of its payment ends as the id of the invoice does.
insert into payments (environment_id, id, invoice_id, amount, reference, paid_at, created_at)
select environment_id, 'pay_' || split_part(id, '_', 2), id, amount_paid, payment_reference, paid_at, paid_at
from invoices where amount_paid > 0;
