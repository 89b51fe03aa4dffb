import { Type, type TObject, type TProperties, type TSchema } from 'typebox';

/** Building blocks of object schemas. */

/** An object of a request without unknown members: a misspelled field must not pass unnoticed in billing. */
export function exactly<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false });
}

/** An object without members: one schema for all that take none, because a validator is compiled for each schema. */
export const NOTHING = exactly({});

/** An object of a response: every member is present, null if it has no value. */
export function responseObject<Properties extends TProperties>(
  title: string,
  properties: Properties,
): TObject<Properties> {
  return Type.Object(properties, { title, additionalProperties: false });
}

/** `schema` or null. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** One of the given strings. `const` gives the static type; the schema is a plain `enum`. */
export function oneOf<const Values extends readonly string[]>(values: Values, options: object = {}) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });
}

/** The members that every object of a response begins with. */
export function identity<const Name extends string>(object: Name) {
  return {
    id: Type.String(),
    object: Type.Literal(object),
    livemode: Type.Boolean(),
    created_at: ResponseInstant,
  };
}

/** The response of a DELETE. */
export function deletedObject<const Name extends string>(title: string, object: Name) {
  return responseObject(title, {
    id: Type.String(),
    object: Type.Literal(object),
    deleted: Type.Literal(true),
  });
}

/** A page of a list, as listOf of `api/schema/schemas.ts` describes it. */
export type List<Item> = { object: 'list'; data: Item[]; has_more: boolean; next_cursor: string | null };

/** An instant of a response: UTC with milliseconds. */
export const ResponseInstant = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
});
/** A decimal string of a response. */
export const ResponseDecimal = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' });

/** A free-form object from the caller. */
export const Metadata = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  maxProperties: 200,
  'x-json-bytes-max': 64 * 1024,
  additionalProperties: true,
  description: 'At most 200 members and 64 KiB.',
  examples: [{}],
});
