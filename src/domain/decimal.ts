import Big from 'big.js';

/** An exact decimal. It lives inside src/domain only: every edge takes and gives decimal strings. */
export type Decimal = Big;

/** Half away from zero is for money; away from zero counts begun packages. */
export type Rounding = 'half_away_from_zero' | 'away_from_zero';

// A constructor of our own, so that no other library's settings reach it; strict refuses JavaScript numbers.
const Exact = Big();
Exact.strict = true;

const MODES = { half_away_from_zero: Big.roundHalfUp, away_from_zero: Big.roundUp } as const;
const DECIMAL_TEXT = /^-?\d+(\.\d+)?$/;

export const ZERO = decimal('0');

/** Whether `text` is `-?digits(.digits)?`, the only spelling of a decimal that is let in (contract.md 7). */
export function isDecimalText(text: string): boolean {
  return DECIMAL_TEXT.test(text);
}

const DIGITS_MAX = 40;
const PLACES_MAX = 30;
const LENGTH_MAX = 100;

/**
 * Whether a decimal has at most 40 significant digits and 30 places, zeros at both ends not counted, and 100 characters (contract.md
 * 7). Of the properties of events the database decides it: decimal_fits.
 */
export function isWithinBound(text: string): boolean {
  if (text.length > LENGTH_MAX) return false;
  const [whole = '', places = ''] = text.replace('-', '').split('.');
  const digits = (whole + places).replaceAll(/^0+|0+$/g, '');
  return digits.length <= DIGITS_MAX && places.replace(/0+$/, '').length <= PLACES_MAX;
}

export function decimal(text: string): Decimal {
  return new Exact(text);
}

/** No exponent, no trailing zeros, and minus zero is "0" (contract.md 7). */
export function canonical(value: Decimal): string {
  return value.toFixed();
}

/** Exactly `scale` decimals, rounded half away from zero; what rounds to zero has no sign. */
export function fixed(value: Decimal, scale: number): string {
  // Two steps: toFixed alone would keep the sign of what it rounds to zero.
  return value.round(scale, MODES.half_away_from_zero).toFixed(scale);
}

/** The only division there is. The quotient is rounded from the exact one, never from an approximation. */
export function divide(dividend: Decimal, divisor: Decimal, scale: number, rounding: Rounding): Decimal {
  // Big takes both from the constructor, and nothing but div reads them there.
  Exact.DP = scale;
  Exact.RM = MODES[rounding];
  return dividend.div(divisor);
}

export function min(a: Decimal, b: Decimal): Decimal {
  return a.lte(b) ? a : b;
}

export function max(a: Decimal, b: Decimal): Decimal {
  return a.gte(b) ? a : b;
}

export function sum(values: readonly Decimal[]): Decimal {
  return values.reduce((total, value) => total.plus(value), ZERO);
}
