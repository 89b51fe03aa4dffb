/** The accounts of the journal, in the order of the lines of an entry. */
export const JOURNAL_ACCOUNTS = [
  'receivable',
  'revenue',
  'tax_payable',
  'customer_balance',
  'cash',
  'adjustments',
] as const;
export type JournalAccount = (typeof JOURNAL_ACCOUNTS)[number];

/** Movements that are booked (billing.md 7). */
export const JOURNAL_TYPES = [
  'issue',
  'void',
  'payment',
  'reversal',
  'credit_note',
  'credit_note_void',
  'adjustment',
  'balance_applied',
  'unapplied',
] as const;
export type JournalType = (typeof JOURNAL_TYPES)[number];
