/** Kinds of emails, by their reason. */
export const EMAIL_KINDS = ['invoice', 'credit_note', 'receipt', 'payment_failed'] as const;
export type EmailKind = (typeof EMAIL_KINDS)[number];
