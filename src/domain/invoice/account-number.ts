import type { DocumentTax } from '../money/tax.ts';
import type { JournalAccount } from './journal.ts';

/** The accounts whose numbers may depend on how a document is taxed. */
const TAXED_ACCOUNTS: readonly JournalAccount[] = ['revenue', 'tax_payable'];
/** The account whose rows tell DATEV by a key which tax to take out. */
const KEYED_ACCOUNT: JournalAccount = 'revenue';

/**
 * A number of the bookkeeper for an account of the journal. A treatment and a rate, in percent, limit it to documents
 * that have them. `tax_key` is the one of DATEV.
 */
export type AccountNumber = DocumentTax & {
  account: JournalAccount;
  number: string;
  tax_key: string | null;
};

/** The member of a number that its account does not take; null if there is none. */
export function wrongMember(number: AccountNumber): 'tax_treatment' | 'tax_rate' | 'tax_key' | null {
  if (!TAXED_ACCOUNTS.includes(number.account)) {
    if (number.tax_treatment !== null) return 'tax_treatment';
    if (number.tax_rate !== null) return 'tax_rate';
  }
  return number.account !== KEYED_ACCOUNT && number.tax_key !== null ? 'tax_key' : null;
}

/** Whether two numbers are for the same account, treatment and rate. */
export function isForSame(a: AccountNumber, b: AccountNumber): boolean {
  return a.account === b.account && a.tax_treatment === b.tax_treatment && a.tax_rate === b.tax_rate;
}

/** The tax on which the number of an account depends: none but for revenue and tax. */
export function taxOfAccount(account: JournalAccount, { tax_treatment, tax_rate }: DocumentTax): DocumentTax {
  return TAXED_ACCOUNTS.includes(account)
    ? { tax_treatment, tax_rate }
    : { tax_treatment: null, tax_rate: null };
}

/** The number of an account for a document: of those that fit, the one that fits fewest; null if none does. */
export function closestNumber(
  numbers: readonly AccountNumber[],
  account: JournalAccount,
  tax: DocumentTax,
): AccountNumber | null {
  let closest: AccountNumber | null = null;
  for (const number of numbers) {
    if (number.account !== account || !fits(number, tax)) continue;
    if (closest === null || closenessOf(number) > closenessOf(closest)) closest = number;
  }
  return closest;
}

function fits(number: AccountNumber, { tax_treatment, tax_rate }: DocumentTax): boolean {
  return (
    (number.tax_treatment === null || number.tax_treatment === tax_treatment) &&
    (number.tax_rate === null || number.tax_rate === tax_rate)
  );
}

/**
 * Every rate above 0 is `standard`, and the other treatments have the rate 0: they are closer than a rate, and a rate
 * is closer than `standard`.
 */
function closenessOf({ tax_treatment, tax_rate }: AccountNumber): number {
  if (tax_treatment === null) return tax_rate === null ? 0 : 2;
  if (tax_rate !== null) return 4;
  return tax_treatment === 'standard' ? 1 : 3;
}
