-- Pages of the provider on which a payer pays an invoice, beside those on which one saves a method.

alter table payment_pages
  -- The invoice that is paid there; null where a method is saved.
  add column invoice_id text collate "C",
  -- What is paid there: what was due as it was made.
  add column amount numeric check (amount > 0),
  add column currency text,
  -- Whether the method is saved for later charges.
  add column saves_method boolean,
  -- The charge at the provider, once the payer has paid; an open page with one waits for a debit that takes days.
  add column intent_reference text collate "C",
  -- The payment of a page that is complete.
  add column payment_id text collate "C",
  add foreign key (environment_id, invoice_id) references invoices (environment_id, id),
  add foreign key (environment_id, payment_id) references payments (environment_id, id),
  add check ((invoice_id is null) = (amount is null)),
  add check ((invoice_id is null) = (currency is null)),
  add check ((invoice_id is null) = (saves_method is null)),
  add check (invoice_id is not null or intent_reference is null and payment_id is null),
  add check (invoice_id is null or (status = 'complete') = (payment_id is not null));
-- One open page an invoice.
create unique index payment_pages_open on payment_pages (environment_id, invoice_id) where status = 'open';
create index payment_pages_invoice on payment_pages (environment_id, invoice_id, id) where invoice_id is not null;
create index payment_pages_payer on payment_pages (environment_id, customer_id, id) where invoice_id is not null;
create unique index payment_pages_intent on payment_pages (environment_id, provider_id, intent_reference)
  where intent_reference is not null;
create unique index payment_pages_payment on payment_pages (environment_id, payment_id) where payment_id is not null;

-- One payment a page.
create unique index payments_page on payments (environment_id, created_by) where created_by like 'pys\_%';

drop trigger audited on payment_pages;
create trigger audited after insert on payment_pages for each row when (new.invoice_id is null)
  execute function audit_row('{
  "object": "payment_method_session", "insert": "created", "members": ["expires_at"]}');
create trigger audited_payment after insert on payment_pages for each row when (new.invoice_id is not null)
  execute function audit_row('{
  "object": "payment_session", "insert": "created", "members": ["invoice_id", "amount"]}');
create trigger logged after insert or delete or update of status, intent_reference on payment_pages
  for each row
  execute function log_row_change('id', 'invoice_id', 'customer_id');
alter table payment_pages enable always trigger logged;
