import { Type } from 'typebox';
import { findEndpoint, listEndpoints } from '../../src/db/webhooks/endpoints.ts';
import { invalid } from '../../src/domain/money/errors.ts';
import { ENDPOINTS_MAX, WEBHOOK_PAYLOADS } from '../../src/domain/feed/webhook.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import {
  DeletedWebhookEndpoint,
  NewWebhookEndpointObject,
  WebhookEndpointObject,
  type NewWebhookEndpoint,
  type WebhookEndpoint,
} from '../../src/objects/webhook-endpoint.ts';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  pauseEndpoint,
  replayEndpoint,
  resumeEndpoint,
  rotateEndpoint,
  type ShownEndpoint,
} from '../../src/webhooks/endpoints.ts';
import { notFoundError } from '../http/errors.ts';
import type { Caller, Deps } from '../http/deps.ts';
import * as examples from '../reference/examples/webhook-endpoints.ts';
import { listResponse } from '../routing/list.ts';
import { route, type RouteResponse } from '../routing/route.ts';
import { checkedTypes, Sequence } from '../schema/change-types.ts';
import { listOf, Name, orNull, PAGE } from '../schema/schemas.ts';

const TAG = { tag: 'Webhooks' } as const;
const PATH = '/v1/webhook-endpoints';

const SETTINGS = {
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'Begins with https://, and leads to a public address.',
    examples: ['https://example.com/tidemark'],
  }),
  types: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
    minItems: 1,
    maxItems: 100,
    description:
      'Names of types of changes, and patterns such as `invoice.*`. The default is all, later ones too.',
    examples: [['invoice.*', 'payment.recorded']],
  }),
};
const Payload = oneOf(WEBHOOK_PAYLOADS, { default: 'full', description: '`thin` sends `data` as null.' });

const create = route({
  ...TAG,
  method: 'post',
  path: PATH,
  operation_id: 'createWebhookEndpoint',
  summary: 'Have changes posted to an address',
  description:
    `Each change of the feed is posted in the order of its object, signed by [Standard Webhooks](https://www.standardwebhooks.com), and tried ` +
    `again for 72 hours. At most ${ENDPOINTS_MAX} endpoints.`,
  body: exactly({
    url: SETTINGS.url,
    types: Type.Optional(SETTINGS.types),
    description: Type.Optional(Name),
    payload: Payload,
    after: Type.Optional({
      ...Sequence,
      description: 'Begins after this number; else with what comes next.',
    }),
  }),
  examples: examples.create,
  refusals: ['conflict'],
  responses: { 201: NewWebhookEndpointObject },
  handle: async ({ deps, db, caller, body }) => {
    const { types = null, description = null, url, payload, after } = body;
    const settings = { url, types: namesOf(types), description, payload, after };
    const endpoint = await createEndpoint(db, caller.environment_id, settings, deps.sender);
    const created = shownOnce(deps, caller, { status: 201, body: endpoint });
    return { ...created, headers: { Location: `${PATH}/${endpoint.id}` } };
  },
});

const list = route({
  ...TAG,
  method: 'get',
  path: PATH,
  operation_id: 'listWebhookEndpoints',
  summary: 'Webhook endpoints, newest first',
  query: exactly(PAGE),
  examples: examples.list,
  responses: { 200: listOf(WebhookEndpointObject) },
  handle: (request) =>
    listResponse(request, {
      name: 'webhook-endpoints',
      filters: {},
      fetch: (page) => listEndpoints(request.db, request.caller.environment_id, page),
      show: (endpoint) => endpoint,
    }),
});

const read = route({
  ...TAG,
  method: 'get',
  path: `${PATH}/{id}`,
  operation_id: 'getWebhookEndpoint',
  summary: 'Get a webhook endpoint',
  examples: examples.read,
  responses: { 200: WebhookEndpointObject },
  handle: async ({ db, caller, params }) => {
    return {
      status: 200,
      body: existingEndpoint(await findEndpoint(db, caller.environment_id, params['id']!)),
    };
  },
});

const patch = route({
  ...TAG,
  method: 'patch',
  path: `${PATH}/{id}`,
  operation_id: 'updateWebhookEndpoint',
  summary: 'Change the address, the types, the description or the payload',
  description:
    'New types count for what comes next. A delivery that fails is tried at a new address at once.',
  body: exactly({
    url: Type.Optional(SETTINGS.url),
    types: Type.Optional(orNull(SETTINGS.types)),
    description: Type.Optional(orNull(Name)),
    payload: Type.Optional(oneOf(WEBHOOK_PAYLOADS)),
  }),
  examples: examples.patch,
  responses: { 200: WebhookEndpointObject },
  handle: async ({ deps, db, caller, params, body }) => {
    const changed = { ...body, ...('types' in body ? { types: namesOf(body.types ?? null) } : {}) };
    const { environment_id } = caller;
    const change = { id: params['id']!, ...changed };
    return responseOf(deps, caller, await changeEndpoint(db, environment_id, change, deps.sender.reach));
  },
});

const remove = route({
  ...TAG,
  method: 'delete',
  path: `${PATH}/{id}`,
  operation_id: 'deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint',
  description: 'Nothing more is sent to it.',
  examples: examples.remove,
  responses: { 200: DeletedWebhookEndpoint },
  handle: async ({ deps, db, caller, params }) => {
    const id = params['id']!;
    if (!(await deleteEndpoint(db, caller.environment_id, id))) throw notFoundError();
    return {
      status: 200,
      body: { id, object: 'webhook_endpoint', deleted: true },
      after_commit: () => wake(deps, caller, id),
    };
  },
});

const pause = route({
  ...TAG,
  method: 'post',
  path: `${PATH}/{id}/pause`,
  operation_id: 'pauseWebhookEndpoint',
  summary: 'Stop deliveries until the endpoint is resumed',
  description: 'Nothing is lost: changes wait in the feed.',
  body: exactly({}),
  body_may_be_absent: true,
  examples: examples.pause,
  responses: { 200: WebhookEndpointObject },
  handle: async ({ deps, db, caller, params }) =>
    responseOf(deps, caller, await pauseEndpoint(db, caller.environment_id, params['id']!)),
});

const resume = route({
  ...TAG,
  method: 'post',
  path: `${PATH}/{id}/resume`,
  operation_id: 'resumeWebhookEndpoint',
  summary: 'Go on with a paused or parked endpoint where it stopped',
  body: exactly({
    after: Type.Optional({
      ...Sequence,
      description: 'Goes on after this number. The changes that it passes over are listed as skipped.',
    }),
  }),
  body_may_be_absent: true,
  examples: examples.resume,
  responses: { 200: WebhookEndpointObject },
  may_take_long: true,
  handle: async ({ deps, db, caller, params, body: { after } }) => {
    const resumed = { id: params['id']!, after, at: deps.sender.now() };
    return responseOf(deps, caller, await resumeEndpoint(db, caller.environment_id, resumed));
  },
});

const replay = route({
  ...TAG,
  method: 'post',
  path: `${PATH}/{id}/replay`,
  operation_id: 'replayWebhookEndpoint',
  summary: 'Send all changes after a number again',
  description: 'With the same ids, before what comes next.',
  body: exactly({ after: Sequence }),
  examples: examples.replay,
  responses: { 200: WebhookEndpointObject },
  handle: async ({ deps, db, caller, params, body: { after } }) =>
    responseOf(deps, caller, await replayEndpoint(db, caller.environment_id, { id: params['id']!, after })),
});

const rotate = route({
  ...TAG,
  method: 'post',
  path: `${PATH}/{id}/rotate-secret`,
  operation_id: 'rotateWebhookSecret',
  summary: 'Give an endpoint a new secret',
  description: 'The present secret signs beside the new one for 24 hours.',
  body: exactly({}),
  body_may_be_absent: true,
  examples: examples.rotate,
  responses: { 200: NewWebhookEndpointObject },
  handle: async ({ deps, db, caller, params }) => {
    const rotated = { id: params['id']!, at: deps.sender.now(), secrets: deps.sender.secrets };
    const endpoint = await rotateEndpoint(db, caller.environment_id, rotated);
    if (endpoint === null) throw notFoundError();
    return shownOnce(deps, caller, { status: 200, body: endpoint });
  },
});

export const webhookEndpointRoutes = [create, list, read, patch, remove, pause, resume, replay, rotate];

/**
 * The names and patterns of an endpoint, unchanged. Throws invalid_request for an unknown one, or one that stands
 * twice.
 */
function namesOf(types: readonly string[] | null): string[] | null {
  if (types === null) return null;
  checkedTypes('types', types);
  const twice = types.find((name, at) => types.indexOf(name) !== at);
  if (twice !== undefined) throw invalid('types', 'not_allowed', `types must not have "${twice}" twice`);
  return [...types];
}

function existingEndpoint(endpoint: WebhookEndpoint | null): WebhookEndpoint {
  if (endpoint === null) throw notFoundError();
  return endpoint;
}

/** The endpoint, whose workflow looks at it after the commit. */
function responseOf(
  deps: Deps,
  caller: Caller,
  endpoint: WebhookEndpoint | null,
): RouteResponse<200, WebhookEndpoint> {
  const body = existingEndpoint(endpoint);
  return { status: 200, body, after_commit: () => wake(deps, caller, body.id) };
}

function shownOnce<Code extends 200 | 201>(
  deps: Deps,
  caller: Caller,
  response: { status: Code; body: ShownEndpoint },
): RouteResponse<Code, NewWebhookEndpoint> {
  const { body } = response;
  return {
    ...response,
    replayed_body: { ...body, secret: null },
    after_commit: () => wake(deps, caller, body.id),
  };
}

function wake(deps: Deps, { environment_id }: Caller, endpoint_id: string): void {
  void deps.wakeEndpoints([{ environment_id, endpoint_id }]);
}
