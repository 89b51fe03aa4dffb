/** The kinds of emails (billing.md 16). Nothing makes one of `payment_failed` yet. */
export const EMAIL_KINDS = ['invoice', 'credit_note', 'receipt', 'payment_failed'] as const;

export type EmailKind = (typeof EMAIL_KINDS)[number];
