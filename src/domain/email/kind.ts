/** Kinds that an environment switches on (billing.md 16). */
export const SWITCHED_KINDS = ['invoice', 'credit_note', 'receipt', 'payment_failed'] as const;

/** The kinds of emails. Reminders go out on the days of `reminder_days`, a statement by hand alone. */
export const EMAIL_KINDS = [...SWITCHED_KINDS, 'reminder', 'statement'] as const;

export type EmailKind = (typeof EMAIL_KINDS)[number];
