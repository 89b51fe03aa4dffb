import { Type, type Static } from 'typebox';
import { DELIVERY_STATUSES, TRIES_KEPT, WEBHOOK_PAYLOADS } from '../domain/feed/webhook.ts';
import { identity, nullable, oneOf, responseObject, ResponseInstant } from './parts.ts';

const DELIVERY = {
  ...identity('webhook_delivery'),
  endpoint_id: Type.String(),
  change_id: Type.String(),
  sequence: nullable(Type.Integer({ description: 'Null for a test.' })),
  type: Type.String(),
  object_id: Type.String(),
  status: oneOf(DELIVERY_STATUSES),
  attempts: Type.Integer(),
  response_status: nullable(Type.Integer({ description: 'Of the last try; null without a response.' })),
  response_body: nullable(Type.String({ description: 'Its first KB.' })),
  error: nullable(Type.String({ description: 'Why there was no response.' })),
  duration_ms: nullable(Type.Integer()),
  first_attempt_at: nullable(ResponseInstant),
  last_attempt_at: nullable(ResponseInstant),
  next_attempt_at: nullable(ResponseInstant),
};

/** A delivery as the API lists it (contract.md 11). */
export const WebhookDeliveryObject = responseObject('WebhookDelivery', DELIVERY);
export type WebhookDelivery = Static<typeof WebhookDeliveryObject>;

const WebhookTry = responseObject('WebhookTry', {
  at: ResponseInstant,
  url: Type.String(),
  payload: oneOf(WEBHOOK_PAYLOADS),
  headers: nullable(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      title: 'WebhookHeaders',
      additionalProperties: { type: 'string' },
      description: 'As sent, with the signature. Null if the change is no longer kept.',
    }),
  ),
  response_status: nullable(Type.Integer({ description: 'Null without a response.' })),
  response_body: nullable(Type.String({ description: 'Its first KB.' })),
  error: nullable(Type.String({ description: 'Why there was no response.' })),
  duration_ms: Type.Integer(),
});

/** A delivery with its tries. */
export const OpenedDeliveryObject = responseObject('WebhookDeliveryWithTries', {
  ...DELIVERY,
  body: nullable(
    Type.String({
      description:
        'As the last try sent it, without `data` if an erasure has taken it away since. Null before the first try, and if the change is no longer kept.',
    }),
  ),
  tries: Type.Array(WebhookTry, { description: `The ${TRIES_KEPT} newest, newest first.` }),
});
export type OpenedDelivery = Static<typeof OpenedDeliveryObject>;
