import { decimal, divide, fixed, sum, ZERO, type Decimal } from '../money/decimal.ts';
import { minorDigits } from '../money/money.ts';
import { JOURNAL_ACCOUNTS, type JournalAccount } from './journal.ts';

/** An entry of the journal: signed amounts, above 0 a debit, and the rate of a document in percent, else null. */
export type BookedEntry = {
  currency: string;
  tax_rate: string | null;
  amounts: Partial<Record<JournalAccount, string>>;
};

/** A row for DATEV: `konto` against `gegenkonto`. The amount is not 0; above 0 is a debit of `konto`, S. */
export type Posting = { konto: JournalAccount; gegenkonto: JournalAccount; amount: string };

/**
 * The rows of an entry. DATEV takes the tax out of a row of `revenue` itself, so a document is one row of its total.
 * The balance and money outside are rows against `receivable`, and where the tax that DATEV takes out is not that of
 * the document, the difference is a row of `revenue`.
 */
export function postingsOf(entry: BookedEntry): Posting[] {
  return entry.amounts.revenue === undefined ? ofMoney(entry) : ofDocument(entry);
}

const amountOf = ({ amounts }: BookedEntry, account: JournalAccount): Decimal =>
  decimal(amounts[account] ?? '0');

type Row = Omit<Posting, 'amount'> & { amount: Decimal };

/** Rows in the minor digits, without those of 0. */
function postingsIn(digits: number, rows: readonly Row[]): Posting[] {
  return rows
    .filter(({ amount }) => !amount.eq(ZERO))
    .map(({ amount, ...accounts }) => ({ ...accounts, amount: fixed(amount, digits) }));
}

function ofDocument(entry: BookedEntry): Posting[] {
  const digits = minorDigits(entry.currency);
  const tax = amountOf(entry, 'tax_payable');
  const total = ZERO.minus(sum([amountOf(entry, 'revenue'), tax]));
  const taken = ZERO.minus(taxIn(total, entry.tax_rate ?? '0', digits));
  const against = (konto: JournalAccount): Row => {
    return { konto, gegenkonto: 'receivable', amount: amountOf(entry, konto) };
  };
  return postingsIn(digits, [
    { konto: 'receivable', gegenkonto: 'revenue', amount: total },
    against('customer_balance'),
    against('cash'),
    { konto: 'revenue', gegenkonto: 'tax_payable', amount: taken.minus(tax) },
  ]);
}

/** The tax that DATEV takes out of a total: its part by the rate, rounded to the minor digits, half away from zero. */
function taxIn(total: Decimal, rate: string, digits: number): Decimal {
  return divide({
    dividend: total.times(rate),
    divisor: decimal('100').plus(rate),
    scale: digits,
    rounding: 'half_away_from_zero',
  });
}

/** Money stands in one account of these, the first that the entry moves, against all others. */
const MONEY: readonly JournalAccount[] = ['cash', 'adjustments', 'customer_balance'];

function ofMoney(entry: BookedEntry): Posting[] {
  const konto = MONEY.find((account) => !amountOf(entry, account).eq(ZERO));
  if (konto === undefined) return [];
  const others = JOURNAL_ACCOUNTS.filter((account) => account !== konto);
  return postingsIn(
    minorDigits(entry.currency),
    others.map((gegenkonto) => ({ konto, gegenkonto, amount: ZERO.minus(amountOf(entry, gegenkonto)) })),
  );
}
