import { responsesOf, sharedResponses } from './responses.ts';
import { INTRODUCTION, TAGS } from './introduction.ts';
import { isJsonObject, jsonOf, type Json, type JsonObject } from './json.ts';
import { schemaForReference } from './schema.ts';
import { webhooksOf } from './webhooks.ts';
import { takesIdempotencyKey, type Example, type Route } from '../routing/route.ts';

/** Builds the OpenAPI 3.1 document of the routes, from the same schemas that validate requests. */
export function openApiOf(routes: readonly Route[]): object {
  const schemas: JsonObject = {};
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = operationOf(route, schemas);
  const { webhooks, ...shared } = webhooksOf(schemas);
  return {
    openapi: '3.1.0',
    info: { title: 'Tidemark', version: '1', description: INTRODUCTION },
    security: [{ api_key: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        api_key: { type: 'http', scheme: 'bearer', description: 'A key such as `tm_sk_test_...`.' },
      },
      ...sharedResponses(schemas),
      ...shared,
      schemas,
    },
  };
}

function operationOf(route: Route, schemas: JsonObject): JsonObject {
  const { operation_id, tag, summary, description, body, body_may_be_absent = false } = route;
  const operation: JsonObject = { operationId: operation_id, tags: [tag], summary };
  if (description !== undefined) operation.description = description;
  const parameters = [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)];
  if (parameters.length > 0) operation.parameters = parameters;
  if (body !== undefined) {
    const content: JsonObject = { schema: schemaForReference(body, 'body', schemas) };
    withExamples(content, route, (example) => example.body);
    operation.requestBody = { required: !body_may_be_absent, content: { 'application/json': content } };
  }
  operation.responses = responsesOf(route, schemas);
  return operation;
}

/**
 * Adds the examples of a route to a parameter or body: `partOf` selects the part of each example that belongs to it.
 */
function withExamples(
  parent: JsonObject,
  { examples = {} }: Route,
  partOf: (example: Example) => object | string | number | undefined,
): JsonObject {
  const parts = Object.entries(examples).flatMap(([name, example]) => {
    const value = partOf(example);
    return value === undefined ? [] : [[name, { value: typeof value === 'object' ? jsonOf(value) : value }]];
  });
  if (parts.length > 0) parent.examples = Object.fromEntries(parts);
  return parent;
}

function pathParameters(route: Route): Json[] {
  return [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const parameter: JsonObject = { name: name!, in: 'path', required: true, schema: { type: 'string' } };
    return withExamples(parameter, route, ({ path }) => path?.[name!]);
  });
}

function queryParameters(route: Route): Json[] {
  const schema = route.query === undefined ? {} : schemaForReference(route.query, 'query', {});
  const { properties, required } = isJsonObject(schema) ? schema : {};
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, member]) => {
    const is_required = Array.isArray(required) && required.includes(name);
    const parameter: JsonObject = { name, in: 'query', required: is_required, schema: member };
    return withExamples(parameter, route, ({ query }) => query?.[name]);
  });
}

function headerParameters(route: Route): Json[] {
  if (!takesIdempotencyKey(route) || route.path.startsWith('/v1/events')) return [];
  const description =
    'Makes the request safe to retry: the response is kept for 24 hours and returned again.';
  const schema = { type: 'string', maxLength: 255, pattern: '^[!-~]+$' };
  return [{ name: 'Idempotency-Key', in: 'header', description, schema }];
}
