-- Settings belong to the environment, so that a test key changes nothing of live documents (decision 27). The columns of accounts stay for
-- the processes of the previous release that still run during an upgrade; nothing reads them any more.
alter table environments
  add column name text,
  add column currency text,
  add column tax_rate numeric not null default 0 check (tax_rate between 0 and 100),
  -- Members line1, line2, postal_code, city, state, country; null is no address.
  add column address jsonb,
  -- A list of {type, value}.
  add column tax_ids jsonb not null default '[]',
  add column invoice_footer text,
  add column timezone text not null default 'UTC',
  -- Days from the issue to the due date.
  add column net_days integer not null default 0 check (net_days between 0 and 365),
  add column invoice_prefix text not null default 'INV-',
  -- Whether documents leave out lines of quantity and amount 0.
  add column hide_zero_lines boolean not null default false;

-- The old text has no parts.
create function pg_temp.address_of(lines text) returns jsonb language sql immutable
return case when lines is not null then jsonb_build_object(
  'line1', lines, 'line2', null, 'postal_code', null, 'city', null, 'state', null, 'country', null) end;

update environments n
set name = a.name, currency = a.currency, tax_rate = a.tax_rate, address = pg_temp.address_of(a.address), invoice_footer = a.invoice_footer
from accounts a where a.id = n.account_id;

alter table environments alter column name set not null, alter column currency set not null;
alter table accounts alter column name drop not null, alter column currency drop not null;

alter table customers
  add column address jsonb,
  add column tax_ids jsonb not null default '[]',
  add column tax_treatment text not null default 'standard' check (tax_treatment in ('standard', 'exempt', 'reverse_charge')),
  -- What the buyer wants to read on its documents, such as a purchase order.
  add column buyer_reference text,
  -- Null: the environment's.
  add column timezone text,
  add column net_days integer check (net_days between 0 and 365);

-- Fixed when the subscription is made: its boundaries are days of this zone.
alter table subscriptions add column timezone text not null default 'UTC';

alter table invoices
  -- The number as documents show it: the prefix at the issue and the count.
  add column full_number text,
  add column tax_treatment text not null default 'standard' check (tax_treatment in ('standard', 'exempt', 'reverse_charge')),
  add column tax_note text,
  add column timezone text not null default 'UTC',
  add column hide_zero_lines boolean not null default false,
  add column due_date date,
  -- The end of the due date in the zone of the invoice.
  add column due_at timestamptz(3);

-- Issued before any of this existed: no tax ids, standard treatment, due at once.
update invoices set
  full_number = 'INV-' || lpad(number::text, greatest(6, length(number::text)), '0'),
  seller = seller || jsonb_build_object('address', pg_temp.address_of(seller ->> 'address'), 'tax_ids', '[]'::jsonb),
  customer = customer || '{"address": null, "tax_ids": [], "tax_treatment": "standard", "buyer_reference": null}',
  due_date = (issued_at at time zone 'UTC')::date,
  due_at = date_trunc('day', issued_at, 'UTC') + interval '1 day'
where number is not null;

alter table invoices
  add check ((number is null) = (full_number is null)),
  add check ((number is null) = (due_date is null)),
  add check ((due_date is null) = (due_at is null)),
  add unique (environment_id, full_number);
create index invoices_due on invoices (environment_id, due_at) where status = 'open';
