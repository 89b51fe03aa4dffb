import type { Json } from '../support/servers/api.ts';

/** Members of request bodies that name an existing object. */
const NAMED = ['customer_id', 'plan_id', 'subscription_id'];
const NOBODY = 'nothing';

/**
 * The reference for a tester that has no ids: for ids in paths and bodies it lists the real ids of the same kind as the examples, and
 * an unknown one. Otherwise nearly every response would be a 404.
 */
export function withRealIds(reference: Json, real_ids: readonly string[]): Json {
  const document = structuredClone(reference);
  const alike = (examples: readonly Json[]) => [
    ...new Set([...examples, ...examples.flatMap((example) => sameKind(example, real_ids)), NOBODY]),
  ];
  const isOurs = (example: Json) => real_ids.includes(example);
  for (const operations of Object.values<Json>(document.paths)) {
    for (const { parameters = [], requestBody } of Object.values<Json>(operations)) {
      for (const parameter of parameters)
        // A customer's id is the caller's own external_id, so any text is valid.
        if (parameter.in === 'path' && valuesOf(parameter.examples).every(isOurs))
          parameter.schema.enum = alike(valuesOf(parameter.examples));
      const { schema, examples } = requestBody?.content['application/json'] ?? {};
      for (const name of NAMED) {
        const member = schema?.properties?.[name];
        if (member !== undefined) member.enum = alike(valuesOf(examples).flatMap((body) => body[name] ?? []));
      }
    }
  }
  return document;
}

function valuesOf(examples: Json): Json[] {
  return Object.values<Json>(examples ?? {}).map(({ value }) => value);
}

function sameKind(example: string, real_ids: readonly string[]): string[] {
  const [prefix] = example.split('_');
  return real_ids.filter((id) => id.startsWith(`${prefix}_`));
}
