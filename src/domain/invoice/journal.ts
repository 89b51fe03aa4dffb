import { isZero, negated } from '../money/figures.ts';
import type { DocumentTax } from '../money/tax.ts';
import type { TaxId } from '../people/party.ts';

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

/**
 * One event in the books. `amounts` are signed: above 0 is a debit, below 0 a credit; they add up to 0. `at` is when it
 * was recorded, by the customer's clock, so that closed months do not change; `paid_at` is that of a payment.
 */
export type JournalEntry = DocumentTax & {
  at: string;
  /** Type and object: unique, and in the order of the journal among entries of one instant. */
  entry: string;
  type: JournalType;
  object_id: string;
  customer_id: string;
  currency: string;
  paid_at: string | null;
  /** The number of the invoice or the credit note; null of a payment in advance and of an adjustment. */
  document_number: string | null;
  /** The name on the document, if the entry issues or voids one, else that of the customer. */
  customer_name: string | null;
  /** Those on the document, if the entry issues or voids one, as its tax is; else null. */
  tax_ids: TaxId[] | null;
  amounts: Partial<Record<JournalAccount, string>>;
};

/** An entry without what its document says. */
export type BareEntry = Omit<
  JournalEntry,
  'document_number' | 'customer_name' | 'tax_treatment' | 'tax_rate' | 'tax_ids'
>;

type LineOf<Entry> = Omit<Entry, 'amounts'> & {
  account: JournalAccount;
  debit: string | null;
  credit: string | null;
};

/** A line for each account that the entry moves. */
export function linesOf<Entry extends BareEntry>({ amounts, ...entry }: Entry): LineOf<Entry>[] {
  return JOURNAL_ACCOUNTS.flatMap((account) => {
    const amount = amounts[account] ?? '0';
    if (isZero(amount)) return [];
    const is_credit = amount.startsWith('-');
    return [
      { ...entry, account, debit: is_credit ? null : amount, credit: is_credit ? negated(amount) : null },
    ];
  });
}
