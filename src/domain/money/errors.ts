/** The six codes of the interface specification, section 7. */
export const ERROR_CODES = [
  'invalid_request',
  'unauthorized',
  'not_found',
  'conflict',
  'rate_limited',
  'internal_error',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * The kinds of what may be stored of a customer, each the reason of a refusal to delete it. A further kind also needs
 * an `exists` in src/db/customers/customer-deletion.ts and a sentence in src/billing/customers/customer-uses.ts.
 * test/db/tables-of-customers.test.ts finds a table about which nobody decided.
 */
export const CUSTOMER_USES = [
  'has_subscriptions',
  'has_events',
  'has_credit_grants',
  'has_invoices',
  'has_invoice_items',
  'has_balance_entries',
  'has_discounts',
  'has_pricing_plans',
  'has_payment_methods',
] as const;

/** The uses that a customer has. */
export type CustomerUses = Record<(typeof CUSTOMER_USES)[number], boolean>;

/** The finer cause in `details[].reason`: a closed list, shown in the API reference. */
export const REASONS = [
  'not_permitted',
  'missing',
  'unknown_member',
  'unknown_parameter',
  'wrong_type',
  'malformed',
  'out_of_range',
  'too_long',
  'too_large',
  'too_deep',
  'too_old',
  'too_many',
  'not_exact',
  'duplicate_member',
  'not_allowed',
  'out_of_order',
  'in_future',
  'bad_cursor',
  'bad_framing',
  'bad_media_type',
  'unknown_customer',
  'unknown_plan',
  'unknown_subscription',
  'unknown_line_item',
  'unknown_invoice',
  'no_earlier_invoice',
  'unknown_event',
  'unknown_placeholder',
  'no_recipient',
  'unknown_payment_method',
  'no_payment_method',
  'paused',
  'not_chargeable',
  'not_refundable',
  'currency_mismatch',
  'overlapping_charges',
  'overlapping_prices',
  'overlapping_subscription',
  'idempotency_mismatch',
  'request_in_progress',
  'external_id_taken',
  'email_taken',
  'invalid_state',
  'has_payments',
  'has_credit_notes',
  'duplicate_payment',
  'paid_out',
  'archived',
  'month_closed',
  'property_in_use',
  'key_refused',
  'wrong_mode',
  'other_account',
  'no_payment_provider',
  'provider_refused',
  'charge_in_progress',
  ...CUSTOMER_USES,
  'impossible_to_bill',
  'clock_moved_back',
  'too_many_periods',
  'not_in_time',
  'unavailable',
  'internal',
] as const;

export type Reason = (typeof REASONS)[number];

/** One fault. `param` is a path such as `events[3].timestamp`, or null if the whole request is at fault. */
export type ErrorDetail = { param: string | null; reason: Reason; message: string };

/** An error the caller can fix; the HTTP layer maps its code to a status. Anything else is a 500. */
export class BillingError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  /** Whole seconds, for 429, and for a 409 or 500 that a retry may resolve. */
  readonly retry_after_seconds: number | null;

  constructor(code: ErrorCode, details: readonly ErrorDetail[], retry_after_seconds: number | null = null) {
    super(details[0]?.message ?? code);
    this.name = 'BillingError';
    this.code = code;
    this.details = details;
    this.retry_after_seconds = retry_after_seconds;
  }
}

/** A request with one fault. */
export function invalid(param: string | null, reason: Reason, message: string): BillingError {
  return new BillingError('invalid_request', [{ param, reason, message }]);
}

/** A reference to something that does not exist; `param` is null if the path itself names it. */
export function notFound(param: string | null, reason: Reason, message: string): BillingError {
  return new BillingError('not_found', [{ param, reason, message }]);
}

/** A permanent error that no retry resolves. `sentence` is for the support person handling the parked subscription. */
export function impossible(sentence: string): BillingError {
  return new BillingError('conflict', [{ param: null, reason: 'impossible_to_bill', message: sentence }]);
}

/** A request that is valid, but not in the current state. */
export function conflict(param: string | null, reason: Reason, message: string): BillingError {
  return new BillingError('conflict', [{ param, reason, message }]);
}

/**
 * The error of too many requests, from one client or from all; retry after the given whole seconds. Has no stack trace:
 * refusals come by the thousand, and recording the trace takes a tenth of the time of a refusal.
 */
export function rateLimited(retry_after_seconds = 1): BillingError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new BillingError('rate_limited', [], retry_after_seconds);
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}
