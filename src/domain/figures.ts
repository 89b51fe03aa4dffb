import { canonical, decimal, fixed, sum } from './decimal.ts';

/** Exact reckoning from text to text, for whatever shows how an amount came about. */

/** The canonical sum of decimal strings, "0" of none. */
export function sumOf(texts: readonly string[]): string {
  return canonical(sum(texts.map(decimal)));
}

/** What the second decimal string leaves of the first, canonical. */
export function differenceOf(whole: string, part: string): string {
  return canonical(decimal(whole).minus(part));
}

/** How an amount comes from an exact one: as it is, by the one rounding, or not by this one alone. */
export function comparedToAmount(exact: string, amount: string): 'equal' | 'rounded' | 'other' {
  if (decimal(exact).eq(amount)) return 'equal';
  const [, digits = ''] = amount.split('.');
  return fixed(decimal(exact), digits.length) === amount ? 'rounded' : 'other';
}

/** Whether a decimal string is zero, however it is written. */
export function isZero(text: string): boolean {
  return decimal(text).eq('0');
}
