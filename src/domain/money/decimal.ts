import Big from 'big.js';

/** An exact decimal. Only src/domain uses it; at its edges decimals are strings. */
export type Decimal = Big;

/**
 * Half away from zero is for money; away from zero counts packages that are started, toward zero units that are whole.
 */
export type Rounding = 'half_away_from_zero' | 'away_from_zero' | 'toward_zero';

// Our own constructor, so that other libraries' settings do not apply; strict mode refuses JavaScript numbers.
const Exact = Big();
Exact.strict = true;

const MODES = {
  half_away_from_zero: Big.roundHalfUp,
  away_from_zero: Big.roundUp,
  toward_zero: Big.roundDown,
} as const;
const DECIMAL_TEXT = /^-?\d+(\.\d+)?$/;

export const ZERO = decimal('0');

/** True if `text` is `-?digits(.digits)?`, the only accepted form of a decimal (contract.md 7). */
export function isDecimalText(text: string): boolean {
  return DECIMAL_TEXT.test(text);
}

const DIGITS_MAX = 40;
const PLACES_MAX = 30;
const LENGTH_MAX = 100;

/**
 * True if a decimal has at most 40 significant digits and 30 places, not counting zeros at both ends, and at most 100
 * characters (contract.md 7). Event properties are checked in the database instead, by decimal_fits.
 */
export function isWithinBound(text: string): boolean {
  if (text.length > LENGTH_MAX) return false;
  const [whole = '', places = ''] = text.replace('-', '').split('.');
  const digits = (whole + places).replaceAll(/^0+|0+$/g, '');
  return digits.length <= DIGITS_MAX && places.replace(/0+$/, '').length <= PLACES_MAX;
}

/** Parses a decimal string. Throws if the text is not a number. */
export function decimal(text: string): Decimal {
  return new Exact(text);
}

/** Canonical form: no exponent, no trailing zeros, "0" for minus zero (contract.md 7). */
export function canonical(value: Decimal): string {
  return value.toFixed();
}

/** The value with exactly `scale` places, rounded half away from zero; a result of zero has no sign. */
export function fixed(value: Decimal, scale: number): string {
  // Round first: toFixed alone keeps the sign of a value that it rounds to zero.
  return value.round(scale, MODES.half_away_from_zero).toFixed(scale);
}

/** The value exactly, with at least this number of digits after the point. */
export function exact(value: Decimal, digits: number): string {
  const text = fixed(value, digits);
  return decimal(text).eq(value) ? text : canonical(value);
}

/** `scale` is the number of places of the quotient. */
type Division = { dividend: Decimal; divisor: Decimal; scale: number; rounding: Rounding };

/** The only division. Rounds the exact quotient once, never an approximation. */
export function divide({ dividend, divisor, scale, rounding }: Division): Decimal {
  // Big reads scale and rounding from the constructor, and only div uses them.
  Exact.DP = scale;
  Exact.RM = MODES[rounding];
  return dividend.div(divisor);
}

/** The smaller of two decimals. */
export function min(a: Decimal, b: Decimal): Decimal {
  return a.lte(b) ? a : b;
}

/** The greater of two decimals. */
export function max(a: Decimal, b: Decimal): Decimal {
  return a.gte(b) ? a : b;
}

/** The sum; ZERO for an empty list. */
export function sum(values: readonly Decimal[]): Decimal {
  return values.reduce((total, value) => total.plus(value), ZERO);
}
