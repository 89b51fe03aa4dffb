import countries from 'i18n-iso-countries';
import { _, type Ajv, type ErrorObject, type SchemaValidateFunction } from 'ajv';
import type { Reason } from '../../src/domain/money/errors.ts';
import { canonical, decimal, isDecimalText, isWithinBound } from '../../src/domain/money/decimal.ts';
import { isCurrency } from '../../src/domain/money/money.ts';
import { TAX_ID_TYPES } from '../../src/domain/people/party.ts';
import { isTimezone } from '../../src/domain/time/local-time.ts';
import { isObject } from '../http/json.ts';
import { parseInstant } from './instant.ts';
import { compactTaxId } from '../../src/domain/people/tax-id.ts';

const COUNTRIES = countries.getAlpha2Codes();

/**
 * Limits of a decimal: digits before the point (`whole_max`), after it (`scale_max`) and in total (`digits_max`);
 * inclusive bounds (`low`, `high`).
 */
export type DecimalRule = {
  whole_max: number;
  scale_max: number;
  digits_max?: number;
  low?: string;
  high?: string;
};

type Fault = { reason: Reason; message: string };
type Check<Rule> = (rule: Rule, value: unknown, parent: unknown) => Fault | { value: unknown };

/**
 * Adds our own keywords to JSON Schema. `x-decimal` and `x-instant` also replace the value by its canonical spelling,
 * so that no later code parses a decimal or an instant again. The API reference shows none of these keywords.
 */
export function addKeywords(ajv: Ajv): void {
  addLengths(ajv);
  add(ajv, 'x-decimal', checkDecimal);
  add(ajv, 'x-number', checkNumber);
  add(ajv, 'x-instant', checkInstant);
  add(ajv, 'x-day', checkDay);
  add(ajv, 'x-currency', checkCurrency);
  add(ajv, 'x-country', checkCountry);
  add(ajv, 'x-timezone', checkTimezone);
  add(ajv, 'x-tax-id', checkTaxId);
  add(ajv, 'x-json-bytes-max', checkBytes);
  // The message for a string that does not match the `pattern` beside this keyword.
  ajv.addKeyword({ keyword: 'x-fault', schemaType: 'string' });
}

/**
 * Replaces minLength and maxLength of JSON Schema, which count characters. Counting is expensive, so these first
 * compare the length in UTF-16 units, one or two per character, and count characters only if that does not decide.
 */
function addLengths(ajv: Ajv): void {
  const keywords = ['minLength', 'maxLength'];
  for (const keyword of keywords) ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword: keywords,
    type: 'string',
    schemaType: 'number',
    // The same position as the originals: an empty string is reported as missing and not as malformed.
    before: 'pattern',
    code(context) {
      const { keyword, data, schema, gen } = context;
      const characters = _`${gen.scopeValue('func', { ref: charactersOf })}(${data})`;
      context.fail(
        keyword === 'minLength'
          ? _`${data}.length < ${2 * schema} && ${characters} < ${schema}`
          : _`${data}.length > ${schema} && ${characters} > ${schema}`,
      );
    },
  });
}

const SURROGATE_PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;

function charactersOf(text: string): number {
  return text.replace(SURROGATE_PAIRS, '_').length;
}

const checkDecimal: Check<DecimalRule> = (rule, input) => {
  const text = typeof input === 'number' ? canonical(decimal(`${input}`)) : input;
  if (typeof text !== 'string' || text.length > 100 || !isDecimalText(text))
    return malformed('must be a decimal such as "12.5", without an exponent');
  const value = canonical(decimal(text));
  const { low, high } = rule;
  if (low !== undefined && decimal(value).lt(low)) return outOfRange(`must be at least ${low}`);
  if (high !== undefined && decimal(value).gt(high)) return outOfRange(`must be at most ${high}`);
  const [whole, fraction = ''] = value.replace('-', '').split('.') as [string, string?];
  if (fraction.length > rule.scale_max) return outOfRange(`must have at most ${rule.scale_max} decimals`);
  const digits_max = Math.min(rule.whole_max, (rule.digits_max ?? Infinity) - fraction.length);
  if (whole.length > digits_max) return outOfRange(`must have at most ${digits_max} digits before the point`);
  return { value };
};

/** Limits a JSON number where other types are allowed too. The value stays as sent. */
const checkNumber: Check<true> = (_, input) =>
  typeof input !== 'number' || isWithinBound(canonical(decimal(`${input}`)))
    ? { value: input }
    : outOfRange('must have at most 40 significant digits and 30 decimals, and 100 characters');

const INSTANT_FAULT =
  'must be a time such as 2026-01-31T00:00:00Z, in the years 1970 to 9999, with at most 30 decimals of a second';

/**
 * `or_day` leaves a date alone as it is: only the handler knows in which time zone the day begins. So do words, which
 * are allowed besides.
 */
const checkInstant: Check<true | 'or_day' | readonly string[]> = (rule, input) => {
  const words = Array.isArray(rule) ? rule : [];
  if (words.includes(input)) return { value: input };
  const value = typeof input === 'string' ? parseInstant(input) : null;
  if (value === null)
    return malformed([...words.map((word) => `must be "${word}"`), INSTANT_FAULT].join(', or '));
  return { value: rule !== true && isDay(input) ? input : value };
};

function isDay(input: unknown): boolean {
  return typeof input === 'string' && /^\d{4}-\d\d-\d\d$/.test(input);
}

const checkDay: Check<true> = (_, input) =>
  isDay(input) && parseInstant(`${input}`) !== null
    ? { value: input }
    : malformed('must be a day such as 2026-01-31, in the years 1970 to 9999');

const checkCurrency: Check<true> = (_, input) =>
  typeof input === 'string' && isCurrency(input)
    ? { value: input }
    : malformed('must be an active ISO 4217 currency code with minor units, in capital letters, such as USD');

const checkCountry: Check<true> = (_, input) =>
  typeof input === 'string' && Object.hasOwn(COUNTRIES, input)
    ? { value: input }
    : malformed('must be a country code of ISO 3166-1 alpha-2, in capital letters, such as DE');

const checkTimezone: Check<true> = (_, input) =>
  typeof input === 'string' && isTimezone(input)
    ? { value: input }
    : malformed('must be the name of an IANA time zone, such as Europe/Berlin');

/** Checks the member `value` beside a member `type`, which decides its form. An unknown type is reported itself. */
const checkTaxId: Check<true> = (_, input, parent) => {
  const type = isObject(parent) ? TAX_ID_TYPES.find((known) => known === parent['type']) : undefined;
  if (typeof input !== 'string' || type === undefined) return { value: input };
  const compact = compactTaxId(type, input);
  return 'fault' in compact ? malformed(compact.fault) : compact;
};

const checkBytes: Check<number> = (bytes_max, input) =>
  Buffer.byteLength(JSON.stringify(input)) <= bytes_max
    ? { value: input }
    : { reason: 'too_large', message: `must not be larger than ${bytes_max} bytes as JSON` };

function malformed(message: string): Fault {
  return { reason: 'malformed', message };
}

function outOfRange(message: string): Fault {
  return { reason: 'out_of_range', message };
}

/**
 * A value and its canonical spelling. The caller applies it only if the whole is valid; otherwise it validates the
 * original again.
 */
export type Change = { parent: Record<string | number, unknown>; name: string | number; value: unknown };

type Place = Parameters<SchemaValidateFunction>[3];
/** Ajv reads `errors` after a call that returned false. */
type Validate = { (input: unknown, place: Place): boolean; errors?: Partial<ErrorObject>[] };

function add<Rule>(ajv: Ajv, keyword: string, check: Check<Rule>): void {
  const compile = (rule: Rule) => {
    const validate: Validate = function (this: Change[], input, place) {
      // The keyword `type` decides whether null is allowed.
      if (input === null) return true;
      const outcome = check(rule, input, place?.parentData);
      if ('value' in outcome) {
        const { value } = outcome;
        if (place !== undefined && value !== input)
          this.push({ parent: place.parentData, name: place.parentDataProperty, value });
        return true;
      }
      validate.errors = [{ keyword, message: outcome.message, params: { reason: outcome.reason } }];
      return false;
    };
    return validate;
  };
  // After the standard keywords, so that a wrong type is reported as a wrong type.
  ajv.addKeyword({ keyword, errors: true, post: true, compile });
}
