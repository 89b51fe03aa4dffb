import { Type } from 'typebox';
import { findChange } from '../../src/db/feed/feed.ts';
import { findDelivery, listDeliveries, skipDelivery } from '../../src/db/webhooks/deliveries.ts';
import type { WebhookDelivery } from '../../src/objects/webhook-delivery.ts';
import { findEndpoint } from '../../src/db/webhooks/endpoints.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { conflict } from '../../src/domain/money/errors.ts';
import { DELIVERY_STATUSES } from '../../src/domain/feed/webhook.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import { OpenedDeliveryObject, WebhookDeliveryObject } from '../../src/objects/webhook-delivery.ts';
import { resendDelivery, testEndpoint } from '../../src/webhooks/endpoints.ts';
import { openDelivery } from '../../src/webhooks/opened.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/webhook-deliveries.ts';
import { foundOr404 } from '../routing/found.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { listOf, PAGE } from '../schema/schemas.ts';

const TAG = { tag: 'Webhooks' } as const;
const PATH = '/v1/webhook-endpoints/{id}';
/** A request that sends to a receiver holds no connection meanwhile. */
const SENDS = {
  transaction: false,
  may_take_long: true,
  body: exactly({}),
  body_may_be_absent: true,
} as const;

const list = route({
  ...TAG,
  method: 'get',
  path: `${PATH}/deliveries`,
  operation_id: 'listWebhookDeliveries',
  summary: 'Deliveries of an endpoint, newest first',
  description: 'Kept for 30 days, and as long as they wait.',
  query: exactly({ status: Type.Optional(oneOf(DELIVERY_STATUSES)), ...PAGE }),
  examples: examples.list,
  responses: { 200: listOf(WebhookDeliveryObject) },
  handle: async (request) => {
    const { db, caller, params, query } = request;
    const { environment_id } = caller;
    const endpoint_id = params['id']!;
    if ((await findEndpoint(db, environment_id, endpoint_id)) === null) throw notFoundError();
    const filters = { endpoint_id, status: query.status ?? null };
    return listResponse(request, {
      name: 'webhook-deliveries',
      filters,
      fetch: (page) => listDeliveries(db, environment_id, { ...filters, ...page }),
      show: (delivery) => delivery,
    });
  },
});

const get = route({
  ...TAG,
  method: 'get',
  path: `${PATH}/deliveries/{delivery_id}`,
  operation_id: 'getWebhookDelivery',
  summary: 'Get a delivery, with what each try sent and was answered',
  description:
    'The body and the headers are made again of the change, by which they are the same bytes, unless an erasure has taken `data` away.',
  examples: examples.get,
  responses: { 200: OpenedDeliveryObject },
  handle: async ({ deps, db, caller, params }) => {
    const { environment_id } = caller;
    const { id, endpoint_id } = await deliveryOf(db, environment_id, params);
    const body = (await openDelivery(db, environment_id, { id, endpoint_id }, deps.sender.source))!;
    return { status: 200, body };
  },
});

const test = route({
  ...TAG,
  ...SENDS,
  method: 'post',
  path: `${PATH}/test`,
  operation_id: 'testWebhookEndpoint',
  summary: 'Send a test to an endpoint',
  description:
    'One try of a change `webhook_endpoint.test`, which has no number and is in no feed. The endpoint stays as it is.',
  examples: examples.test,
  responses: { 200: WebhookDeliveryObject },
  handle: async ({ deps, caller, params }) => {
    const { environment_id, livemode } = caller;
    return foundOr404(
      await testEndpoint(deps.sender, environment_id, {
        id: params['id']!,
        livemode,
        at: deps.sender.now(),
      }),
    );
  },
});

const resend = route({
  ...TAG,
  ...SENDS,
  method: 'post',
  path: `${PATH}/deliveries/{delivery_id}/resend`,
  operation_id: 'resendWebhookDelivery',
  summary: 'Try a delivery once more',
  description:
    'A success delivers it. After a failure the delivery stays as it was, with the time of its next try.',
  examples: examples.resend,
  responses: { 200: WebhookDeliveryObject },
  handle: async ({ deps, db, caller, params }) => {
    const { environment_id } = caller;
    const delivery = await deliveryOf(db, environment_id, params);
    const { sequence } = delivery;
    const change = sequence === null ? null : await findChange(db, environment_id, sequence);
    const tried_delivery = await resendDelivery(deps.sender, environment_id, {
      change,
      delivery,
      at: deps.sender.now(),
    });
    if (tried_delivery === null) throw notFoundError();
    const key = { environment_id, endpoint_id: delivery.endpoint_id };
    return { status: 200, body: tried_delivery, after_commit: () => void deps.wakeEndpoints([key]) };
  },
});

const skip = route({
  ...TAG,
  method: 'post',
  path: `${PATH}/deliveries/{delivery_id}/skip`,
  operation_id: 'skipWebhookDelivery',
  summary: 'Pass over a failing delivery',
  description: 'Later changes of its object go on.',
  body: exactly({}),
  body_may_be_absent: true,
  examples: examples.skip,
  responses: { 200: WebhookDeliveryObject },
  handle: async ({ deps, db, caller, params }) => {
    const { environment_id } = caller;
    const { id, endpoint_id, status } = await deliveryOf(db, environment_id, params);
    if (!(await skipDelivery(db, environment_id, { id, endpoint_id })))
      throw conflict(
        null,
        'invalid_state',
        `the delivery ${id} is ${status}, and not one that is tried again`,
      );
    const body = (await findDelivery(db, environment_id, { id, endpoint_id }))!;
    const key = { environment_id, endpoint_id };
    return { status: 200, body, after_commit: () => void deps.wakeEndpoints([key]) };
  },
});

async function deliveryOf(
  db: Db,
  environment_id: number,
  params: Readonly<Record<string, string>>,
): Promise<WebhookDelivery> {
  const [endpoint_id, id] = [params['id']!, params['delivery_id']!];
  const endpoint = await findEndpoint(db, environment_id, endpoint_id);
  const delivery = endpoint === null ? null : await findDelivery(db, environment_id, { endpoint_id, id });
  if (delivery === null) throw notFoundError();
  return delivery;
}

export const webhookDeliveryRoutes = [list, get, test, resend, skip];
