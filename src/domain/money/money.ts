import { data } from 'currency-codes';
import { type Decimal, exact, fixed } from './decimal.ts';
import { invalid } from './errors.ts';

// The library's list is dated 2024-06-25. It gives metals, funds of account and test codes 0 digits where ISO 4217 says
// "not applicable". All of these codes begin with X; of the X codes only the following are money.
const MONEY_IN_X = new Set(['XAF', 'XCD', 'XOF', 'XPF']);
// No longer active since that list: ANG, the guilder of Curaçao, became XCG (ISO 4217 amendment 176); CUC, Cuba's
// convertible peso, was withdrawn (amendment 178); BGN was replaced by the euro in Bulgaria.
const WITHDRAWN = new Set(['ANG', 'CUC', 'BGN']);

const MINOR_DIGITS = new Map([
  ...data.filter(({ code }) => isMoney(code)).map(({ code, digits }) => [code, digits] as const),
  ['XCG', 2] as const,
]);

function isMoney(code: string): boolean {
  return !WITHDRAWN.has(code) && (!code.startsWith('X') || MONEY_IN_X.has(code));
}

/** True if `code`, in capitals, is an active ISO 4217 currency with minor units; false for XXX, XTS and XAU. */
export function isCurrency(code: string): boolean {
  return MINOR_DIGITS.has(code);
}

/** Digits of the minor unit by ISO 4217: JPY 0, USD 2, KWD 3. Throws for anything but a currency (isCurrency). */
export function minorDigits(currency: string): number {
  const digits = MINOR_DIGITS.get(currency);
  if (digits === undefined) throw new Error(`${currency} is not a currency with minor units`);
  return digits;
}

/** Amount of an invoice or line: rounded half away from zero to the currency's minor digits, "12.30", "-0.02". */
export function toAmount(value: Decimal, currency: string): string {
  return fixed(value, minorDigits(currency));
}

/** Amount of a tier: exact, with at least the minor digits, "12.30", "105.025" (contract.md 7). */
export function exactAmount(value: Decimal, currency: string): string {
  return exact(value, minorDigits(currency));
}

/** Throws invalid_request if the amount, a canonical decimal, is finer than the currency's minor unit. */
export function checkDigits(param: string, amount: string, currency: string): void {
  const digits = minorDigits(currency);
  if ((amount.split('.')[1] ?? '').length > digits)
    throw invalid(param, 'out_of_range', `${param} must have at most ${digits} decimals, as ${currency} has`);
}
