const YEAR_MIN = 1970;
const YEAR_MAX = 9999;
/** No time zone on Earth has a larger offset, so a larger one is a mistake. */
const OFFSET_HOURS_MAX = 15;
const MINUTE_MS = 60_000;

/**
 * ISO 8601 as contract.md 1 accepts it: seconds, offset or the whole time are optional, and a fraction has up to 30
 * digits.
 */
const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,30}))?)?(?:[Zz]|([+-])(\d\d):(\d\d))?)?$/;

/**
 * Normalizes an instant to the form `2026-01-31T12:00:00.500Z` and cuts further digits. A missing offset means UTC, a
 * date alone means midnight UTC. Null if the text is not an instant of the years 1970 to 9999.
 */
export function parseInstant(text: string): string | null {
  return isNormal(text) ? text : normalized(text);
}

/**
 * Fast path for the normal form, which responses contain and most clients send: a tenth of the cost of the regular
 * expression.
 */
function isNormal(text: string): boolean {
  return (
    text.length === 24 &&
    text[4] === '-' &&
    text[7] === '-' &&
    text[10] === 'T' &&
    text[13] === ':' &&
    text[16] === ':' &&
    text[19] === '.' &&
    text[23] === 'Z' &&
    digits(text, 20, 23) >= 0 &&
    isDate(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)) &&
    isTime(digits(text, 11, 13), digits(text, 14, 16), digits(text, 17, 19))
  );
}

function normalized(text: string): string | null {
  const match = INSTANT.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0));
  if (!isDate(year!, month!, day!) || !isTime(hour!, minute!, second!)) return null;
  const [fraction = '', sign, offset_hour = '0', offset_minute = '0'] = match.slice(7);
  if (Number(offset_hour) > OFFSET_HOURS_MAX || Number(offset_minute) > 59) return null;
  const offset_ms = (Number(offset_hour) * 60 + Number(offset_minute)) * MINUTE_MS * (sign === '-' ? -1 : 1);
  const millisecond = Number(fraction.padEnd(3, '0').slice(0, 3));
  const instant = new Date(Date.UTC(year!, month! - 1, day!, hour, minute, second, millisecond) - offset_ms);
  const utc_year = instant.getUTCFullYear();
  return utc_year < YEAR_MIN || utc_year > YEAR_MAX ? null : instant.toISOString();
}

/** Parses digits. NaN if a character is not a digit: every comparison with NaN fails. */
function digits(text: string, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return NaN;
    number = number * 10 + digit;
  }
  return number;
}

function isDate(year: number, month: number, day: number): boolean {
  return year >= YEAR_MIN && year <= YEAR_MAX && month >= 1 && day >= 1 && day <= daysIn(year, month);
}

/** Days in a month; NaN for a month above 12, so that no day is valid in it. */
function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  if (month > 12) return NaN;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isTime(hour: number, minute: number, second: number): boolean {
  return hour <= 23 && minute <= 59 && second <= 59;
}
