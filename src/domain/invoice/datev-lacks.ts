import type { ErrorDetail } from '../money/errors.ts';
import type { DocumentTax } from '../money/tax.ts';
import { closestNumber, taxOfAccount, type AccountNumber } from './account-number.ts';
import type { Posting } from './datev-postings.ts';
import type { JournalAccount } from './journal.ts';

/** An account that a file needs, for documents with a treatment and a rate, if its numbers may depend on them. */
export type Need = DocumentTax & { account: JournalAccount };

/** The two accounts of a row of a document. */
export function needsOf({ konto, gegenkonto }: Posting, tax: DocumentTax): Need[] {
  return [konto, gegenkonto].map((account) => ({ account, ...taxOfAccount(account, tax) }));
}

/** The settings of the account that decide about the rows. */
export type DatevSettings = {
  account_numbers: readonly AccountNumber[];
  /** Digits of the numbers of accounts; null without the settings of DATEV. */
  account_length: number | null;
};

/** Limit of the details of a refusal. */
const LACKS_MAX = 50;

/** The settings that a file with these needs lacks, a detail for each of the first 50. */
export function lacksOf(
  { account_numbers, account_length }: DatevSettings,
  needs: readonly Need[],
): ErrorDetail[] {
  const lacks: ErrorDetail[] = [];
  const rates = new Map<AccountNumber, Set<string | null>>();
  if (account_length === null)
    lacks.push(missing('datev', 'the account has no consultant and client of DATEV'));
  for (const need of needs) {
    const number = closestNumber(account_numbers, need.account, need);
    if (number === null) lacks.push(missing('account_numbers', `${inWords(need)} has no account number`));
    else rates.set(number, (rates.get(number) ?? new Set()).add(need.tax_rate));
  }
  for (const [number, used_for] of rates) {
    const param = `account_numbers[${account_numbers.indexOf(number)}]`;
    if (account_length !== null && number.number.length > account_length + 1)
      lacks.push(missing(param, tooLong(number, account_length)));
    if (number.tax_key !== null && used_for.size > 1)
      lacks.push(
        missing(param, `${keyed(number)} is for ${ratesInWords(used_for)}: add a number for each rate`),
      );
  }
  return lacks.slice(0, LACKS_MAX);
}

function missing(param: string, message: string): ErrorDetail {
  return { param, reason: 'missing', message };
}

/** A name of the API in plain words. */
const plain = (name: string) => name.replaceAll('_', ' ');

function inWords({ account, tax_treatment, tax_rate }: Need): string {
  if (tax_treatment === null) return plain(account);
  return `${plain(account)} at ${tax_rate} percent, ${plain(tax_treatment)},`;
}

const tooLong = ({ account, number }: AccountNumber, account_length: number) =>
  `the number ${number} of ${plain(account)} is too long: with account_length ${account_length} numbers have at most ` +
  `${account_length + 1} digits`;

const keyed = ({ account, number, tax_key }: AccountNumber) =>
  `the number ${number} of ${account} with tax_key ${tax_key}`;

function ratesInWords(rates: ReadonlySet<string | null>): string {
  const [first, second, ...others] = [...rates].map((rate) => `${rate} percent`);
  return `documents at ${first} and ${second}${others.length > 0 ? ', and others' : ''}`;
}
