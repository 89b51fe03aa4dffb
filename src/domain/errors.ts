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

/** The finer cause in `details[].reason`: a closed list, in README and in the API reference. */
export const REASONS = [
  'missing',
  'unknown_member',
  'unknown_parameter',
  'wrong_type',
  'malformed',
  'out_of_range',
  'too_long',
  'too_large',
  'too_deep',
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
  'unknown_event',
  'currency_mismatch',
  'overlapping_charges',
  'overlapping_subscription',
  'idempotency_mismatch',
  'request_in_progress',
  'external_id_taken',
  'invalid_state',
  'impossible_to_bill',
  'clock_moved_back',
  'too_many_periods',
  'not_in_time',
  'unavailable',
  'internal',
] as const;

export type Reason = (typeof REASONS)[number];

/** One fault: `param` is a path such as `events[3].timestamp`, or null where the whole request is meant. */
export type ErrorDetail = { param: string | null; reason: Reason; message: string };

/** What a caller can mend. The rim turns it into the status of its code; everything else is a 500. */
export class BillingError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  /** Whole seconds, for 429, and for 409 and 500 that a later try may mend. */
  readonly retry_after_seconds: number | null;

  constructor(code: ErrorCode, details: readonly ErrorDetail[], retry_after_seconds: number | null = null) {
    super(details[0]?.message ?? code);
    this.name = 'BillingError';
    this.code = code;
    this.details = details;
    this.retry_after_seconds = retry_after_seconds;
  }
}

/** A request that is wrong in one place. */
export function invalid(param: string | null, reason: Reason, message: string): BillingError {
  return new BillingError('invalid_request', [{ param, reason, message }]);
}

export function notFound(param: string | null, reason: Reason, message: string): BillingError {
  return new BillingError('not_found', [{ param, reason, message }]);
}

/** What no other try can mend: the sentence is for the support person who finds the subscription parked. */
export function impossible(sentence: string): BillingError {
  return new BillingError('conflict', [{ param: null, reason: 'impossible_to_bill', message: sentence }]);
}

export function conflict(param: string | null, reason: Reason, message: string): BillingError {
  return new BillingError('conflict', [{ param, reason, message }]);
}

/**
 * Too much is asked of us, by one or by all: to be tried again after so many whole seconds. It has no stack: refusals come by the
 * thousand, and to note where each was made takes a tenth of what it takes to refuse.
 */
export function rateLimited(retry_after_seconds = 1): BillingError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new BillingError('rate_limited', [], retry_after_seconds);
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}
