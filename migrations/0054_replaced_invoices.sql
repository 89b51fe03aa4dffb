-- The log has the invoice that replaces one: `generate` makes it long after the void (billing.md 5).
-- src/db/changes/watched-columns.ts has the same list.
drop trigger logged on invoices;
create trigger logged after insert or delete or update on invoices for each row execute function log_row_change(
  'id', 'subscription_id', 'customer_id', 'period_start', 'status', 'number', 'overdue_at', 'amount_paid',
  'balance_applied', 'credited', 'replaced_by');
alter table invoices enable always trigger logged;
