/** Reasons why no invoice will count an event. */
export const UNRATED_REASONS = [
  'no_subscription',
  'no_charge',
  'filters_do_not_match',
  'no_price',
  'before_start',
  'after_cancellation',
  'property_missing',
  'property_not_usable',
] as const;

/**
 * `invoice_void`: the event lies in a part of a full period that has no invoice but void ones; only `generate` bills it
 * again (billing.md 5).
 */
export const BILLING_REASONS = [...UNRATED_REASONS, 'invoice_void'] as const;
export const BILLING_STATUSES = ['pending', 'billed', 'late', 'too_late', 'trial', 'unrated'] as const;

export type BillingReason = (typeof BILLING_REASONS)[number];
export type BillingStatus = (typeof BILLING_STATUSES)[number];

/** Status and reason in one value: the reason if there is one, else the status. */
export type Cause = BillingReason | Exclude<BillingStatus, 'unrated'>;

/**
 * Precedence: an event that several charges count is counted once, under the first of these causes. Causes that need
 * attention come first.
 */
export const CAUSES: readonly Cause[] = [
  'too_late',
  'late',
  'pending',
  'invoice_void',
  'billed',
  'trial',
  ...UNRATED_REASONS,
];

/** The one that comes first in the precedence. At least one is given. */
export function firstCause(causes: readonly Cause[]): Cause {
  return CAUSES.find((cause) => causes.includes(cause))!;
}

/** Splits a cause into status and reason. */
export function statusOfCause(cause: Cause): { status: BillingStatus; reason: BillingReason | null } {
  const status = BILLING_STATUSES.find((name) => name === cause);
  if (status !== undefined) return { status, reason: null };
  const reason = BILLING_REASONS.find((name) => name === cause)!;
  return { status: reason === 'invoice_void' ? 'pending' : 'unrated', reason };
}

/** The causes of a status. */
export function causesOfStatus(status: BillingStatus): Cause[] {
  return CAUSES.filter((cause) => statusOfCause(cause).status === status);
}
