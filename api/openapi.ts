import type { TSchema } from 'typebox';
import type { ErrorCode } from '../src/domain/errors.ts';
import { STATUS } from './errors.ts';
import type { Route } from './route.ts';
import { errorOf } from './schemas.ts';

/** A node of a JSON Schema, or of anything else that is JSON. */
type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

const DESCRIPTION = `Usage-based billing. Send the key as \`Authorization: Bearer <API_KEY>\`; test and live keys see different data.
Every answer carries \`X-Request-Id\`. Bodies are JSON objects in UTF-8; members and parameters that are not listed are refused.`;

/** What each error means, as the reference says it (interface-spec.md 7). */
const ERRORS: Record<ErrorCode, string> = {
  invalid_request: 'The request is missing something or malformed.',
  unauthorized: 'The API key is missing or not valid.',
  not_found: 'The addressed resource, or one that the body names, does not exist.',
  conflict: 'The request conflicts with an earlier one, or with the present state.',
  rate_limited: 'Too many requests; Retry-After says how many seconds to wait.',
  internal_error: 'Our fault. With an idempotency key the same request can be sent again.',
};

/** The OpenAPI 3.1 document of a route table, made of the schemas that validate. */
export function openApiOf(routes: readonly Route[]): object {
  const components: JsonObject = {};
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = operationOf(route, components);
  return {
    openapi: '3.1.0',
    info: { title: 'Tidemark', version: '1', description: DESCRIPTION },
    security: [{ api_key: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { api_key: { type: 'http', scheme: 'bearer' } },
      responses: errorResponses(components),
      schemas: components,
    },
  };
}

function operationOf(route: Route, components: JsonObject): JsonObject {
  const { operation_id, tag, summary, body, body_may_be_absent = false } = route;
  const operation: JsonObject = { operationId: operation_id, tags: [tag], summary };
  const parameters = [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)];
  if (parameters.length > 0) operation.parameters = parameters;
  if (body !== undefined) {
    const schema = published(body, 'request', components);
    operation.requestBody = { required: !body_may_be_absent, content: { 'application/json': { schema } } };
  }
  operation.responses = responsesOf(route, components);
  return operation;
}

function pathParameters({ path }: Route): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: Route): Json[] {
  const { properties = {}, required = [] } = (query === undefined ? {} : published(query, 'request', {})) as {
    properties?: JsonObject;
    required?: Json[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function headerParameters({ method, path }: Route): Json[] {
  if (method !== 'post' || path.startsWith('/v1/events')) return [];
  const description = 'Makes the request safe to send again: its answer is kept for 24 hours.';
  return [{ name: 'Idempotency-Key', in: 'header', description, schema: { type: 'string', maxLength: 255 } }];
}

function responsesOf({ method, answers, media_type }: Route, components: JsonObject): JsonObject {
  const responses: JsonObject = {};
  for (const [status, schema] of Object.entries(answers)) {
    responses[status] = {
      description: SUCCESS[status] ?? 'Success.',
      content: { [media_type ?? 'application/json']: { schema: published(schema, 'answer', components) } },
    };
  }
  for (const [code, status] of Object.entries(STATUS)) {
    if (code === 'conflict' && method === 'get') continue;
    responses[status] = { $ref: `#/components/responses/${code}` };
  }
  return responses;
}

const SUCCESS: Readonly<Record<string, string>> = {
  200: 'Done, or found.',
  201: 'Created; Location names it.',
  202: 'Accepted; Location names what tells the outcome.',
};

function errorResponses(components: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([code, description]) => {
      const schema = published(errorOf(code as ErrorCode), 'answer', components);
      const response: JsonObject = { description, content: { 'application/json': { schema } } };
      if (code === 'rate_limited')
        response.headers = { 'Retry-After': { schema: { type: 'integer', minimum: 1 } } };
      return [code, response];
    }),
  );
}

/**
 * A schema as the reference shows it: without our own keywords; members that have a default need not be sent; answers may grow.
 * What has a title becomes a component.
 */
function published(schema: TSchema, purpose: 'request' | 'answer', components: JsonObject): Json {
  const shown = (node: Json): Json => {
    if (Array.isArray(node)) return node.map(shown);
    if (typeof node !== 'object' || node === null) return node;
    const copy: JsonObject = {};
    for (const [name, member] of Object.entries(node)) {
      if (name.startsWith('x-')) continue;
      if (purpose === 'answer' && name === 'additionalProperties' && member === false) continue;
      copy[name] = name === 'required' && purpose === 'request' ? mustBeSent(node) : shown(member);
    }
    const { title } = copy;
    if (typeof title !== 'string') return copy;
    components[title] = copy;
    return { $ref: `#/components/schemas/${title}` };
  };
  return shown(JSON.parse(JSON.stringify(schema)));
}

function mustBeSent({ required, properties }: JsonObject): Json {
  if (!Array.isArray(required) || !isObject(properties)) return required ?? [];
  return required.filter((name) => {
    const member = typeof name === 'string' ? properties[name] : undefined;
    return !isObject(member) || member.default === undefined;
  });
}

function isObject(node: Json | undefined): node is JsonObject {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}
