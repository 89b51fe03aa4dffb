import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { REASONS, type ErrorCode } from '../../src/domain/errors.ts';
import type { DecimalRule } from './keywords.ts';

/** The parts that schemas of bodies, parameters and answers are made of. What a text means is said once, here. */

/** An object that takes no other members: a typing error in billing must not pass. */
export function exactly<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false });
}

/** An object of an answer: every member is there, null where it is absent. */
export function answerObject<Properties extends TProperties>(
  title: string,
  properties: Properties,
): TObject<Properties> {
  return Type.Object(properties, { title, additionalProperties: false });
}

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** A value that `null` takes away or stands for, which is more than leaving it out. */
export function orNull<Schema extends TSchema & { type?: unknown }>(schema: Schema) {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'].flat() });
}

/** An array as a constant, for the static type; the schema is a plain `enum`. */
export function oneOf<const Values extends readonly string[]>(values: Values, options: object = {}) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });
}

/** Control characters and blanks, spelled out: not every reader of the reference knows `\p`, and of `\s` each has his own idea. */
export const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
const BLANK = ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

const PRINTABLE = {
  minLength: 1,
  maxLength: 255,
  // Each character has one part that it can match, so that no text takes long.
  pattern: `^[${BLANK}]*[^${BLANK}${CONTROL}][^${CONTROL}]*$`,
  'x-fault': 'must not be blank or hold control characters',
};

/** Identifiers of the caller's, names of events, customers and properties: 1 to 255 characters. */
export const Identifier = Type.String(PRINTABLE);
export const Name = Type.String(PRINTABLE);

export const Email = Type.String({
  maxLength: 254,
  pattern: `^[^@${BLANK}${CONTROL}]+@[^@${BLANK}${CONTROL}]+$`,
  'x-fault': 'must be an email address',
});

/** Read as ISO 8601, handed on as `2026-01-31T00:00:00.000Z`. */
export const Instant = Type.Unsafe<string>({
  type: 'string',
  maxLength: 100,
  'x-instant': true,
  description:
    'RFC 3339; the seconds, the offset (then UTC) or the whole time may be left out. Kept to the millisecond.',
  examples: ['2026-01-31T00:00:00Z'],
});

/** A decimal string, or a JSON number that is exact; handed on as the canonical string. */
export function decimalText(rule: DecimalRule, description: string) {
  return Type.Unsafe<string>({
    type: ['string', 'number'],
    'x-decimal': rule,
    description,
    examples: ['12.5'],
  });
}

/** A JSON number, handed on as the canonical decimal string. */
export function decimalNumber(rule: DecimalRule, description: string) {
  return Type.Unsafe<string>({
    type: 'number',
    exclusiveMinimum: 0,
    'x-decimal': rule,
    description,
    examples: [1000],
  });
}

export const Percent = decimalText(
  { whole_max: 3, scale_max: 15, low: '0', high: '100' },
  'Percent, from 0 to 100.',
);

export const Currency = Type.String({
  maxLength: 3,
  'x-currency': true,
  description: 'Active ISO 4217 code with minor units.',
  examples: ['USD'],
});

/** A free object of the caller's. */
export const Metadata = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  maxProperties: 200,
  'x-json-bytes-max': 64 * 1024,
  additionalProperties: true,
  description: 'At most 200 members and 64 KiB.',
  examples: [{}],
});

/** Query parameters that every list takes. */
export const PAGE = {
  cursor: Type.Optional(Type.String({ minLength: 1, description: '`next_cursor` of the page before.' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Objects on a page.' }),
};

/** What every object of an answer begins with. */
export function identity<const Name extends string>(object: Name) {
  return {
    id: Type.String(),
    object: Type.Literal(object),
    livemode: Type.Boolean(),
    created_at: AnsweredInstant,
  };
}

export const AnsweredInstant = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
});
export const AnsweredDecimal = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' });

/** An answer that is not JSON. */
export const Bytes = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' });

/** A page of a list, newest first. */
export function listOf<Item extends TSchema>(item: Item) {
  return Type.Object(
    {
      object: Type.Literal('list'),
      data: Type.Array(item),
      has_more: Type.Boolean(),
      next_cursor: nullable(Type.String()),
    },
    { additionalProperties: false },
  );
}

const ErrorDetail = answerObject('ErrorDetail', {
  param: nullable(Type.String({ description: 'Path of the member, such as `events[3].timestamp`.' })),
  reason: oneOf(REASONS),
  message: Type.String(),
});

/** The body of every answer that is not a 2xx, with the codes that its status has. */
export function errorOf(code: ErrorCode) {
  return Type.Object({
    error: Type.Object({
      code: Type.Literal(code),
      message: Type.String(),
      param: nullable(Type.String()),
      details: Type.Array(ErrorDetail),
      request_id: Type.String(),
    }),
  });
}
