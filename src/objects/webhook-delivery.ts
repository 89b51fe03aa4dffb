import { Type, type Static } from 'typebox';
import { DELIVERY_STATUSES } from '../domain/feed/webhook.ts';
import { identity, nullable, oneOf, responseObject, ResponseInstant } from './parts.ts';

/** A delivery as the API shows it (contract.md 11). */
export const WebhookDeliveryObject = responseObject('WebhookDelivery', {
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
});
export type WebhookDelivery = Static<typeof WebhookDeliveryObject>;
