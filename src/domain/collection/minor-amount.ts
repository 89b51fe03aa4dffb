import { canonical, decimal, type Decimal } from '../money/decimal.ts';
import { minorDigits, toAmount } from '../money/money.ts';

/** Digits of the provider where ISO 4217 has others: the króna and the shilling keep the two that they had. */
const OTHER_DIGITS = new Map([
  ['ISK', 2],
  ['UGX', 2],
  ['MGA', 0],
]);

/** Least amounts of a charge, by https://docs.stripe.com/currencies. Elsewhere the provider decides. */
const MINIMUMS = new Map([
  ['AED', '2.00'],
  ['AUD', '0.50'],
  ['BRL', '0.50'],
  ['CAD', '0.50'],
  ['CHF', '0.50'],
  ['CZK', '15.00'],
  ['DKK', '2.50'],
  ['EUR', '0.50'],
  ['GBP', '0.30'],
  ['HKD', '4.00'],
  ['HUF', '175.00'],
  ['INR', '0.50'],
  ['JPY', '50'],
  ['MXN', '10.00'],
  ['MYR', '2.00'],
  ['NOK', '3.00'],
  ['NZD', '0.50'],
  ['PLN', '2.00'],
  ['RON', '2.00'],
  ['SEK', '3.00'],
  ['SGD', '0.50'],
  ['THB', '10.00'],
  ['USD', '0.50'],
]);

/** Digits of a currency that no provider charges, such as the four of a unit of account. */
const DIGITS_MAX = 3;

/**
 * An amount in the provider's smallest unit, a whole number as text: 12.00 EUR and 1200 JPY are "1200". Null for one
 * that the provider cannot charge exactly, such as 1.234 KWD, whose last digit must be 0.
 */
export function minorAmountOf(amount: string, currency: string): string | null {
  const digits = digitsOf(currency);
  if (digits > DIGITS_MAX) return null;
  const minor = decimal(amount).times(powerOfTen(digits));
  const step = digits === DIGITS_MAX ? decimal('10') : decimal('1');
  return minor.mod(step).eq('0') ? canonical(minor) : null;
}

/** The amount of the provider's smallest units, as the invoice has it: "1200" EUR are "12.00". */
export function amountOfMinor(minor: string, currency: string): string {
  return toAmount(decimal(minor).times(`1e-${digitsOf(currency)}`), currency);
}

/** Whether a provider charges this amount: it is exact there, above zero, and not below the least of its currency. */
export function isChargeable(amount: string, currency: string): boolean {
  const least = MINIMUMS.get(currency) ?? '0';
  return decimal(amount).gt('0') && decimal(amount).gte(least) && minorAmountOf(amount, currency) !== null;
}

function digitsOf(currency: string): number {
  return OTHER_DIGITS.get(currency) ?? minorDigits(currency);
}

function powerOfTen(exponent: number): Decimal {
  return decimal(`1e${exponent}`);
}
