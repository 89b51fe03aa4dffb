-- Credit notes that billing issues itself (billing.md 7): nobody created them.
alter table credit_notes alter column created_by drop not null,
  -- The invoice whose late lines an automatic note settles: the note is void with it.
  add column cause_invoice_id text collate "C",
  add foreign key (environment_id, cause_invoice_id) references invoices (environment_id, id),
  add check (cause_invoice_id is null or created_by is null);
create index credit_notes_cause on credit_notes (environment_id, cause_invoice_id) where cause_invoice_id is not null;
