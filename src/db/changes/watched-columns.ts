/**
 * The tables whose changes are logged. Of a changed row the log has these columns, first those of its key, then those that some consumer
 * reads. The triggers name them in this order; a migration changes both (migrations/0042_one_log.sql).
 */
export const WATCHED_COLUMNS: Readonly<Record<string, string>> = {
  balance_entries: 'id, customer_id, invoice_id',
  credit_draws: 'id, line_item_id, grant_id',
  credit_grants: 'id',
  credit_ledger: 'id, grant_id',
  credit_note_lines: 'credit_note_id, position',
  credit_notes: 'id, invoice_id, number',
  customers: 'id',
  cut_offs: 'id, subscription_id',
  invoice_items: 'id',
  invoices: 'id, subscription_id, customer_id, period_start, status, number',
  line_item_spans: 'line_item_id, position, timestamp_from, timestamp_to',
  line_items: 'id, invoice_id, subscription_id, invoice_item_id, full_period_start, period_end',
  payments: 'id, invoice_id, customer_id',
  periods: 'subscription_id, period_start, period_end, interval_end, full_period_start, kind, closed_at',
  regenerations: 'id, invoice_id',
  subscriptions: 'id, customer_id, start_date, trial_end_date, plan_id, cancel_at',
};

/** The only columns whose update is logged; of other tables that of any column is. */
export const UPDATES_OF: Readonly<Record<string, string>> = { customers: 'balance' };
