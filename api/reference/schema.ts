import type { TSchema } from 'typebox';
import { isJsonObject, jsonOf, type Json, type JsonObject } from './json.ts';

/** The use of a schema. In a body, null means a member that is left out; a response may get more members in later versions. */
export type SchemaUse = 'body' | 'query' | 'response';

/** Our own keywords as closely as standard keywords can express them. The description of the schema contains the rest. */
const STANDARD_EQUIVALENT: Readonly<Record<string, (rule: Json) => JsonObject>> = {
  'x-instant': (rule) => ({
    pattern:
      (Array.isArray(rule) ? `^(${rule.join('|')})$|` : '') +
      '^(19[7-9][0-9]|[2-9][0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])' +
      '([Tt]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,30})?)?([Zz]|[+-](0[0-9]|1[0-5]):[0-5][0-9])?)?$',
  }),
  'x-day': () => ({
    pattern: '^(19[7-9][0-9]|[2-9][0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
  }),
  'x-currency': () => ({ pattern: '^[A-Z]{3}$' }),
  'x-decimal': (rule) => {
    const { low, high } = isJsonObject(rule) ? rule : {};
    return {
      maxLength: 100,
      pattern: '^-?[0-9]+(\\.[0-9]+)?$',
      ...(low === undefined ? {} : { minimum: Number(low) }),
      ...(high === undefined ? {} : { maximum: Number(high) }),
    };
  },
};

/** A schema for the reference, in standard keywords only. A part with a title goes to `components` and becomes a $ref. */
export function schemaForReference(schema: TSchema, use: SchemaUse, components: JsonObject): Json {
  const referenceOf = (node: Json): Json => {
    if (Array.isArray(node)) return node.map(referenceOf);
    if (!isJsonObject(node)) return node;
    const copy: JsonObject = {};
    for (const [name, member] of Object.entries(node)) {
      if (name.startsWith('x-')) Object.assign(copy, STANDARD_EQUIVALENT[name]?.(member));
      else if (use === 'response' && name === 'additionalProperties' && member === false) continue;
      else copy[name] = referenceOf(member);
    }
    if (use !== 'response') relaxRequired(copy, use);
    const { title } = copy;
    if (typeof title !== 'string') return copy;
    components[title] = copy;
    return { $ref: `#/components/schemas/${title}` };
  };
  return referenceOf(jsonOf(schema));
}

/** Removes members with a default from `required`. In a body, every member that may be left out may also be null. */
function relaxRequired(node: JsonObject, use: 'body' | 'query'): void {
  const { properties, required } = node;
  if (node.type !== 'object' || !isJsonObject(properties)) return;
  const needed = Array.isArray(required) ? required : [];
  const hasDefault = (name: string) => isJsonObject(properties[name]) && 'default' in properties[name];
  const must = needed.filter((name) => typeof name === 'string' && !hasDefault(name));
  if (must.length > 0) node.required = must;
  else delete node.required;
  if (use === 'query') return;
  for (const [name, member] of Object.entries(properties))
    if (!must.includes(name) && isJsonObject(member)) properties[name] = orNull(member);
}

function orNull(member: JsonObject): JsonObject {
  const { type, enum: values } = member;
  const types = [type ?? []].flat();
  if (types.length === 0 || types.includes('null')) return member;
  return {
    ...member,
    type: [...types, 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  };
}
