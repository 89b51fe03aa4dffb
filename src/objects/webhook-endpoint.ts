import { Type, type Static } from 'typebox';
import { WEBHOOK_PAYLOADS, WEBHOOK_STATUSES } from '../domain/feed/webhook.ts';
import { deletedObject, identity, nullable, oneOf, responseObject, ResponseInstant } from './parts.ts';

const ENDPOINT = {
  ...identity('webhook_endpoint'),
  url: Type.String(),
  types: nullable(
    Type.Array(Type.String(), {
      description: 'Names, and patterns such as `invoice.*`. Null: all, later ones too.',
    }),
  ),
  description: nullable(Type.String()),
  payload: oneOf(WEBHOOK_PAYLOADS, { description: '`thin`: `data` is null.' }),
  status: oneOf(WEBHOOK_STATUSES, {
    description: '`parked`: deliveries stopped by themselves. Resume the endpoint.',
  }),
  status_reason: nullable(
    Type.String({ description: 'The reason in one sentence, of `parked` and of a pause after a 410.' }),
  ),
  failing_since: nullable(ResponseInstant),
  delivered_up_to: Type.Integer({
    description: 'The number up to which all changes are delivered or skipped.',
  }),
  previous_secret_until: nullable(ResponseInstant),
};

/** A webhook endpoint as the API and the feed show it (contract.md 11). */
export const WebhookEndpointObject = responseObject('WebhookEndpoint', ENDPOINT);
export type WebhookEndpoint = Static<typeof WebhookEndpointObject>;

/** An endpoint with its secret, after it was made. */
export const NewWebhookEndpointObject = responseObject('NewWebhookEndpoint', {
  ...ENDPOINT,
  secret: nullable(
    Type.String({
      description:
        'Signs each delivery (Standard Webhooks). It is returned only once: a replayed response has null.',
    }),
  ),
});
export type NewWebhookEndpoint = Static<typeof NewWebhookEndpointObject>;

export const DeletedWebhookEndpoint = deletedObject('DeletedWebhookEndpoint', 'webhook_endpoint');
