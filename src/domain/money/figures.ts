import { canonical, decimal, exact, fixed, isDecimalText, sum } from './decimal.ts';

/** Exact arithmetic on decimal strings, for the dashboard's explanations of amounts. */

/** The number of decimals of an amount: those of its currency. */
export function digitsOf(amount: string): number {
  const [, digits = ''] = amount.split('.');
  return digits.length;
}

/** The sum of amounts of one currency, with their decimals; of one amount at least. */
export function totalOf(amounts: readonly string[]): string {
  return fixed(sum(amounts.map(decimal)), digitsOf(amounts[0]!));
}

/** Canonical sum of decimal strings; "0" for an empty list. */
export function sumOf(texts: readonly string[]): string {
  return canonical(sum(texts.map(decimal)));
}

/** `whole` minus `part`, canonical. */
export function differenceOf(whole: string, part: string): string {
  return canonical(decimal(whole).minus(part));
}

/** Canonical product of decimal strings. */
export function productOf(a: string, b: string): string {
  return canonical(decimal(a).times(b));
}

/** The rest of an amount without `part`, with the decimals of the amount. */
export function leftOf(amount: string, part: string): string {
  return fixed(decimal(amount).minus(part), digitsOf(amount));
}

/** A value with the decimals of an amount, such as what a person has entered. */
export function inDecimalsOf(amount: string, value: string): string {
  return fixed(decimal(value), digitsOf(amount));
}

/** A price in full, with the decimals of an amount at least: "0.10", "0.000025". */
export function exactInDecimalsOf(amount: string, price: string): string {
  return exact(decimal(price), digitsOf(amount));
}

/** Whether a text, such as that of a field, is a decimal above `limit`. */
export function isAbove(text: string, limit: string): boolean {
  return isDecimalText(text) && decimal(text).gt(limit);
}

/** Compares an exact value with an amount: equal, rounded once (half away from zero), or other. */
export function relationToAmount(exact: string, amount: string): 'equal' | 'rounded' | 'other' {
  if (decimal(exact).eq(amount)) return 'equal';
  return fixed(decimal(exact), digitsOf(amount)) === amount ? 'rounded' : 'other';
}

/** True if a decimal string is zero in any spelling. */
export function isZero(text: string): boolean {
  return decimal(text).eq('0');
}

/** The decimal string with the opposite sign; the number of decimals stays. */
export function negated(text: string): string {
  if (isZero(text)) return text;
  return text.startsWith('-') ? text.slice(1) : `-${text}`;
}
