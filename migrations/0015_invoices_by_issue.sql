-- Lists of invoices by the time of their issue; a draft has none.
create index invoices_issued_at on invoices (environment_id, issued_at) where issued_at is not null;
