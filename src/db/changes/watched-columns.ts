/**
 * The tables whose changes are logged. Of a changed row the log has these columns, first those of its key, then those
 * that some consumer reads. The triggers name them in this order; a migration changes both.
 */
export const WATCHED_COLUMNS: Readonly<Record<string, string>> = {
  api_keys: 'id, revoked_at',
  balance_entries: 'id, customer_id, invoice_id',
  closed_months: 'id, opened_at',
  collections: 'invoice_id, customer_id, status',
  credit_draws: 'id, line_item_id, grant_id',
  credit_grants:
    'id, customer_id, remaining, expires_at, carry_over_until, voided_at, expiry_noted_at, noted_expiry',
  credit_ledger: 'id, grant_id',
  credit_note_lines: 'credit_note_id, position',
  credit_notes: 'id, invoice_id, number, status, sent_at',
  // No names and texts of people, which an erasure would have to find here.
  customers: 'id, external_id, balance',
  cut_offs: 'id, subscription_id',
  // No names, which an erasure would have to find here.
  discounts: 'id, customer_id, subscription_id, until',
  emails: 'id, object_id, customer_id, kind, status',
  environments: 'account_id',
  invoice_items: 'id, customer_id, subscription_id, unit_amount, amount, deleted_at',
  invoices:
    'id, subscription_id, customer_id, period_start, status, number, overdue_at, amount_paid, balance_applied, ' +
    'credited, replaced_by, sent_at, collection_pause',
  line_item_spans: 'line_item_id, position, timestamp_from, timestamp_to',
  line_items: 'id, invoice_id, subscription_id, invoice_item_id, full_period_start, period_end',
  payment_attempts: 'id, invoice_id, customer_id, status',
  payment_disputes: 'id, invoice_id, customer_id, status',
  payment_methods: 'id, customer_id, status, is_default',
  payment_pages: 'id, invoice_id, customer_id',
  payment_providers: 'id, deleted_at',
  payment_refunds: 'id, invoice_id, customer_id, status',
  payments: 'id, invoice_id, customer_id, reversed_at',
  periods:
    'subscription_id, period_start, period_end, interval_end, full_period_start, kind, closed_at, plan_id',
  plan_changes: 'subscription_id, at, plan_id, noted_at',
  plan_migrations: 'id, status, finished_at',
  plans: 'id, key, customer_id, archived_at',
  quantity_changes: 'subscription_id, event_name, at, came_at',
  redactions: 'id, customer_id, finished_at',
  regenerations: 'id, invoice_id',
  subscriptions:
    'id, customer_id, start_date, trial_end_date, plan_id, cancel_at, attention, noted_status, noted_renewal, ' +
    'noted_trial_end, billing_failed, bill_at',
  transfers: 'id, customer_id',
  usage_notices: 'customer_id, event_name, cause, events, from_day, to_day',
  webhook_endpoints: 'id, status, deleted_at',
};

/** The only columns whose update is logged; of other tables that of any column is. */
export const UPDATES_OF: Readonly<Record<string, string>> = {
  api_keys: 'revoked_at',
  collections: 'status, next_attempt_at, attempts',
  customers: [
    'name, email, currency, tax_rate, metadata, address, tax_ids, tax_treatment, buyer_reference',
    'timezone, net_days, balance, billing_emails, email_muted, language, reminder_days',
    'collection_pause, charge_mode',
  ].join(', '),
  environments: [
    'name, currency, tax_rate, address, tax_ids, invoice_footer, timezone, net_days',
    'invoice_prefix, hide_zero_lines, notice_days, account_numbers, datev, logo_sha256, email_kinds',
    'email_reply_to, email_copy_to, email_attach, email_hours, email_test_recipients, language',
    'reminder_days, charge_mode, charge_on, charge_retry_days',
  ].join(', '),
  payment_disputes: 'amount, status',
  payment_methods: 'label, expires, status, is_default',
  payment_pages: 'status, intent_reference',
  payment_providers: 'account, key_last_four, webhook_url, status, status_reason, deleted_at',
  payment_refunds: 'reason, provider_reference, status',
  periods: [
    'period_start, period_end, kind, interval_start, interval_end, full_period_start, closed_at',
    'late_window_closed_at, late_usage_until, plan_id, opened_at',
  ].join(', '),
  plan_migrations: 'status, finished_at',
  redactions: 'finished_at',
  webhook_endpoints: 'url, types, description, payload, status, previous_secret_until, deleted_at',
};
