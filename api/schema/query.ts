import type { Static, TSchema } from 'typebox';
import { invalid } from '../../src/domain/money/errors.ts';
import { NOTHING } from '../../src/objects/parts.ts';
import { parserOf } from './validation.ts';

const PARAMETERS_MAX = 50;
const WHOLE_NUMBER = /^(0|-?[1-9]\d{0,14})$/;

/**
 * Makes a parser of query strings from a schema. It throws invalid_request for a parameter that is unknown, repeated,
 * empty or badly escaped: if it ignored a misspelled filter, the list would return everything.
 */
export function queryParserOf<Query extends TSchema>(
  schema: Query | undefined,
): (text: string) => Static<Query> {
  const properties = Object.entries(propertiesOf(schema ?? NOTHING));
  const types = new Map(properties.map(([name, { type }]) => [name, type]));
  const parse = parserOf(schema ?? NOTHING);
  return (text) => {
    const query: Record<string, unknown> = {};
    for (const [name, value] of parametersOf(text)) {
      const type = types.get(name);
      if (!types.has(name))
        throw invalid(name, 'unknown_parameter', `${name} is not a parameter of this endpoint`);
      if (Object.hasOwn(query, name)) throw invalid(name, 'duplicate_member', `${name} occurs twice`);
      if (value === '') throw invalid(name, 'missing', `${name} is empty; omit the parameter instead`);
      query[name] = type === 'integer' && WHOLE_NUMBER.test(value) ? Number(value) : value;
    }
    return parse(query) as Static<Query>;
  };
}

function propertiesOf(schema: TSchema & { properties?: Record<string, { type?: unknown }> }) {
  return schema.properties ?? {};
}

function parametersOf(text: string): [string, string][] {
  if (text === '') return [];
  const parts = text.split('&');
  if (parts.length > PARAMETERS_MAX)
    throw invalid(null, 'too_many', `the query string must not have more than ${PARAMETERS_MAX} parameters`);
  return parts.map((part) => {
    const [name, ...values] = part.split('=');
    return [decoded(name!), decoded(values.join('='))];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid(null, 'malformed', 'the query string contains an invalid percent-encoding');
  }
}
