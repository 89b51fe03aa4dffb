import { Type, type TObject, type TProperties, type TSchema } from 'typebox';

/** The parts that schemas of objects are made of. */

/** An object that takes no other members: a typing error in billing must not pass. */
export function exactly<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false });
}

/** An object of an answer: every member is there, null where it is absent. */
export function responseObject<Properties extends TProperties>(
  title: string,
  properties: Properties,
): TObject<Properties> {
  return Type.Object(properties, { title, additionalProperties: false });
}

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** An array as a constant, for the static type; the schema is a plain `enum`. */
export function oneOf<const Values extends readonly string[]>(values: Values, options: object = {}) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });
}

/** What every object of an answer begins with. */
export function identity<const Name extends string>(object: Name) {
  return {
    id: Type.String(),
    object: Type.Literal(object),
    livemode: Type.Boolean(),
    created_at: ResponseInstant,
  };
}

export const ResponseInstant = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
});
export const ResponseDecimal = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' });

/** A free object of the caller's. */
export const Metadata = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  maxProperties: 200,
  'x-json-bytes-max': 64 * 1024,
  additionalProperties: true,
  description: 'At most 200 members and 64 KiB.',
  examples: [{}],
});
