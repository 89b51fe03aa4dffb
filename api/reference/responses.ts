import type { TSchema } from 'typebox';
import type { ErrorCode } from '../../src/domain/money/errors.ts';
import { STATUS } from '../http/errors.ts';
import { refusalsOf, takesIdempotencyKey, type Route } from '../routing/route.ts';
import { ErrorObject } from '../schema/schemas.ts';
import { jsonOf, type JsonObject } from './json.ts';
import { schemaForReference } from './schema.ts';

/** Meaning of each error code (interface-spec.md 7). */
const ERRORS: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'The request is malformed, or a required field is missing.',
  unauthorized: 'The API key is missing or not valid.',
  not_found: 'The resource in the path, or a resource that the body refers to, does not exist.',
  conflict: 'The request conflicts with an earlier request, or with the current state of the resource.',
  rate_limited: 'Too many requests. Wait the number of seconds in Retry-After, then retry.',
  internal_error: 'A server error. You can safely retry the request with the same idempotency key.',
};

const SUCCESS: Readonly<Record<number, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted. Location is the resource that reports the outcome.',
};

/** Headers of /v1 responses that are useful to clients. */
const HEADERS = {
  'X-Request-Id': {
    description: 'The id of the request. Include it if you contact us about the request.',
    required: true,
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      '`r`: requests that are left now. `t`: seconds until the limit is restored in full; after a 429, seconds until the next retry.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description:
      'The limit of the key: `q` requests in `w` seconds. The requests may arrive in one burst; the limit is restored at a constant rate.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Whole seconds to wait before a retry.',
    schema: { type: 'integer', minimum: 1 },
  },
  Location: { description: 'The URL of the object.', required: true, schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: 'Present if the response is that of an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': { required: true, schema: { type: 'string', enum: ['Bearer'] } },
} satisfies Record<string, JsonObject>;

type HeaderName = keyof typeof HEADERS;

/** Headers of every response to a valid key. */
const ALWAYS: readonly HeaderName[] = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];

/**
 * Components that all operations share: the headers, and one response for each error code. Adds their schemas to
 * `schemas`.
 */
export function sharedResponses(schemas: JsonObject): { headers: JsonObject; responses: JsonObject } {
  const responses: JsonObject = {};
  for (const [code, description] of Object.entries(ERRORS) as [ErrorCode, string][]) {
    const content = { 'application/json': { schema: schemaForReference(ErrorObject, 'response', schemas) } };
    responses[code] = { description: `\`${code}\`: ${description}`, headers: errorHeaders(code), content };
  }
  return { headers: HEADERS, responses };
}

function errorHeaders(code: ErrorCode): JsonObject {
  switch (code) {
    case 'unauthorized':
      return references(['X-Request-Id', 'WWW-Authenticate']);
    case 'rate_limited':
      return { ...references(ALWAYS), 'Retry-After': { ...HEADERS['Retry-After'], required: true } };
    case 'conflict':
    case 'internal_error':
      return references([...ALWAYS, 'Retry-After']);
    case 'invalid_request':
    case 'not_found':
      return references(ALWAYS);
  }
}

/**
 * Responses of an operation by status: its own, and exactly its possible errors (refusalsOf). Adds their schemas to
 * `schemas`.
 */
export function responsesOf(route: Route, schemas: JsonObject): JsonObject {
  const responses: JsonObject = {};
  for (const [text, schema] of Object.entries(route.responses)) {
    const status = Number(text);
    const examples = Object.entries(route.examples ?? {})
      .filter(([, example]) => example.status === status)
      .map(([name, { response }]) => [name, { value: jsonOf(response) }]);
    const content: JsonObject = { schema: schemaForReference(schema, 'response', schemas) };
    if (examples.length > 0) content.examples = Object.fromEntries(examples);
    responses[status] = {
      description: SUCCESS[status] ?? 'Success.',
      headers: references(successHeaders(route, status, schema)),
      content: { [route.media_type ?? 'application/json']: content },
    };
  }
  for (const code of refusalsOf(route)) responses[STATUS[code]] = { $ref: `#/components/responses/${code}` };
  return responses;
}

function successHeaders(route: Route, status: number, schema: TSchema): HeaderName[] {
  const names = [...ALWAYS];
  // A batch, a list and a portal link have no URL of their own.
  const has_url = isObjectWithId(schema) && route.keeps_no_response !== true;
  if (status !== 200 && has_url) names.push('Location');
  if (takesIdempotencyKey(route)) names.push('Idempotent-Replayed');
  return names;
}

function isObjectWithId({ properties }: TSchema & { properties?: object }): boolean {
  return properties !== undefined && 'id' in properties;
}

function references(names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
