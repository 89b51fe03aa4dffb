/** Fates of an email; `queued` alone is none yet (billing.md 16). */
export const EMAIL_STATUSES = ['queued', 'sent', 'refused', 'failed', 'kept', 'canceled'] as const;
export type EmailStatus = (typeof EMAIL_STATUSES)[number];

/** Fates of an address of an email. */
export const ADDRESS_STATUSES = ['queued', 'sent', 'refused'] as const;
export type AddressStatus = (typeof ADDRESS_STATUSES)[number];

/** Why an email does not leave, or no longer. */
export const KEPT_REASONS = ['no_smtp', 'test_recipient', 'no_recipient', 'muted'] as const;
export type KeptReason = (typeof KEPT_REASONS)[number];
export const CANCELED_REASONS = [
  ...(['void', 'reversed', 'by_hand', 'erased'] as const),
  // Of reminders.
  ...(['paid', 'paused', 'muted', 'passed_over', 'charge_in_progress'] as const),
] as const;
export type CanceledReason = (typeof CANCELED_REASONS)[number];

/** Characters of an answer of a server that are kept. */
export const REPLY_LENGTH_MAX = 500;
