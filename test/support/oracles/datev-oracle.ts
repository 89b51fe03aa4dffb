import { minus, NOTHING, plus, rational, rounded, times, type Rational } from './price-oracle.ts';

/** A row of a file for DATEV; `taken` is the tax that DATEV takes out of the other account, and where it books it. */
export type DatevBooking = {
  konto: string;
  gegenkonto: string;
  amount: string;
  side: 'S' | 'H';
  taken: { rate: string; account: string } | null;
};

/**
 * The amounts that DATEV books of rows, by account: debits above 0. Of a total with a key it books the tax, total x rate / (100 + rate),
 * rounded once, and the rest to the other account.
 */
export function booksOf(rows: readonly DatevBooking[], digits: number): Map<string, Rational> {
  const books = new Map<string, Rational>();
  const book = (account: string, amount: Rational) =>
    void books.set(account, plus(books.get(account) ?? NOTHING, amount));
  for (const { konto, gegenkonto, amount, side, taken } of rows) {
    const total = rational(amount);
    const signed = side === 'S' ? total : minus(NOTHING, total);
    book(konto, signed);
    const tax = taken === null ? NOTHING : taxIn(signed, taken.rate, digits);
    book(gegenkonto, minus(tax, signed));
    if (taken !== null) book(taken.account, minus(NOTHING, tax));
  }
  return books;
}

function taxIn(total: Rational, rate: string, digits: number): Rational {
  const whole = plus(rational('100'), rational(rate));
  const share = times(rational(rate), { n: whole.d, d: whole.n });
  return rational(rounded(times(total, share), digits));
}
