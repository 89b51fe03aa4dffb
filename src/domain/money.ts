import { data } from 'currency-codes';
import { type Decimal, canonical, decimal, fixed } from './decimal.ts';

// The library's list is of 2024-06-25, and gives metals, funds of account and test codes 0 digits where ISO 4217
// says "not applicable". All of those begin with X, and of the X codes only these are money.
const MONEY_IN_X = new Set(['XAF', 'XCD', 'XOF', 'XPF']);
// Off the active list since: Curaçao's guilder became XCG (ISO 4217 amendment 176), Cuba's convertible peso is gone
// (amendment 178), Bulgaria pays in euro.
const WITHDRAWN = new Set(['ANG', 'CUC', 'BGN']);

const MINOR_DIGITS = new Map([
  ...data.filter(({ code }) => isMoney(code)).map(({ code, digits }) => [code, digits] as const),
  ['XCG', 2] as const,
]);

function isMoney(code: string): boolean {
  return !WITHDRAWN.has(code) && (!code.startsWith('X') || MONEY_IN_X.has(code));
}

/** Whether `code`, in capitals, is an active ISO 4217 currency that has minor units: not XXX, XTS, XAU. */
export function isCurrency(code: string): boolean {
  return MINOR_DIGITS.has(code);
}

/** Digits of the minor unit by ISO 4217: JPY 0, USD 2, KWD 3. */
export function minorDigits(currency: string): number {
  const digits = MINOR_DIGITS.get(currency);
  if (digits === undefined) throw new Error(`${currency} is not a currency with minor units`);
  return digits;
}

/** An amount of an invoice or a line: rounded half away from zero to exactly the minor digits, "12.30", "-0.02". */
export function toAmount(value: Decimal, currency: string): string {
  return fixed(value, minorDigits(currency));
}

/** An amount of a tier: exact, with the minor digits at least, "12.30", "105.025" (contract.md 7). */
export function exactAmount(value: Decimal, currency: string): string {
  const amount = toAmount(value, currency);
  return decimal(amount).eq(value) ? amount : canonical(value);
}
