/** Causes that move a customer's balance (billing.md 7). */
export const BALANCE_ENTRY_TYPES = [
  'credit_note',
  'adjustment',
  'applied',
  'returned',
  'overpayment',
  'deposit',
  'unapplied',
] as const;
