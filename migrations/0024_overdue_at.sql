alter table invoices
  -- When the worker first saw that an open invoice was overdue, by the clock of its customer; never cleared.
  add column overdue_at timestamptz(3);

create index invoices_not_yet_overdue on invoices (environment_id, due_at) where status = 'open' and overdue_at is null;
