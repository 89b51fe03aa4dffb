-- Payments of a customer that belong to no invoice, and what a reversal takes back from invoices that the balance covers.

-- Who paid: of an invoice its customer.
alter table payments add column customer_id text collate "C";
update payments p set customer_id = i.customer_id from invoices i
where i.environment_id = p.environment_id and i.id = p.invoice_id;

-- A process of the previous release writes no customer.
create function payment_of_invoice() returns trigger language plpgsql as $$
begin
  select customer_id into new.customer_id from invoices where environment_id = new.environment_id and id = new.invoice_id;
  return new;
end $$;
create trigger payments_of_invoice before insert on payments for each row
  when (new.customer_id is null) execute function payment_of_invoice();

do $$
declare
  old name;
begin
  select conname into strict old from pg_constraint
  where conrelid = 'payments'::regclass and pg_get_constraintdef(oid) like '%to_balance < amount%';
  execute format('alter table payments drop constraint %I', old);
end $$;
alter table payments
  alter column customer_id set not null,
  -- Null: paid in advance.
  alter column invoice_id drop not null,
  add foreign key (environment_id, customer_id) references customers (environment_id, id),
  add check (to_balance >= 0 and to_balance <= amount),
  add check (invoice_id is not null or to_balance = amount);
create index payments_customer on payments (environment_id, customer_id, id);

create trigger payments_of_customer_noted after insert or update or delete on payments for each row
  execute function note_unit('customer', 'customer_id');
alter table payments enable always trigger payments_of_customer_noted;

alter table balance_entries
  drop constraint balance_entries_type_check,
  add constraint balance_entries_type_check check (type in
    ('credit_note', 'adjustment', 'applied', 'returned', 'overpayment', 'deposit', 'unapplied')),
  -- Due again on the invoice, because a reversed payment or a void credit note had given it.
  add check (type <> 'unapplied'
    or (amount > 0 and invoice_id is not null and num_nonnulls(payment_id, credit_note_id) = 1));
create index balance_entries_payment on balance_entries (environment_id, payment_id) where payment_id is not null;
create index balance_entries_credit_note on balance_entries (environment_id, credit_note_id) where credit_note_id is not null;

-- A note of a whole invoice takes back its lines below zero, too.
alter table credit_note_lines
  drop constraint credit_note_lines_amount_check,
  add constraint credit_note_lines_amount_check check (amount <> 0);

-- An invoice is paid at the latest of its issue and of what paid it: until now it was what came last.
update invoices i set paid_at = n.paid_at
from (
  select i.environment_id, i.id, greatest(i.issued_at,
    (select max(p.paid_at) from payments p
     where p.environment_id = i.environment_id and p.invoice_id = i.id and p.reversed_at is null
       and p.amount > p.to_balance),
    (select max(k.issued_at) from credit_notes k
     where k.environment_id = i.environment_id and k.invoice_id = i.id and k.status = 'issued' and k.to_invoice > 0),
    (select max(b.created_at) from balance_entries b
     where b.environment_id = i.environment_id and b.invoice_id = i.id and b.type = 'applied')) as paid_at
  from invoices i where i.status = 'paid'
) as n
where i.environment_id = n.environment_id and i.id = n.id and i.paid_at is distinct from n.paid_at;
