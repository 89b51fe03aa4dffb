import { Type, type Static } from 'typebox';
import { BILLING_REASONS, BILLING_STATUSES } from '../../src/domain/usage/billing-cause.ts';
import { Identifier, Instant } from '../schema/schemas.ts';
import { ResponseInstant, exactly, responseObject, nullable, oneOf } from '../../src/objects/parts.ts';

export const BATCH_EVENTS_MAX = 1000;
export const PROPERTIES_BYTES_MAX = 64 * 1024;

/** No limit of bytes here: newEvent checks it on the JSON text, which it makes for storage anyway. */
const Properties = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  maxProperties: 200,
  propertyNames: { maxLength: 255 },
  additionalProperties: true,
  description:
    'At most 200 members, 64 KiB and 32 levels. Numbers must be exact; you can also send decimals as strings.',
  examples: [{ bytes: 1024, region: 'eu-west-1' }],
});

export type EventBody = Static<typeof EventBody>;
export const EventBody = exactly({
  event_name: Identifier,
  customer_id: Identifier,
  idempotency_key: Identifier,
  timestamp: Type.Optional(Instant),
  properties: Type.Optional(Properties),
});

/**
 * Body in the API reference. Ingest validates BatchEnvelope and then each event, so that one response names every bad
 * event.
 */
export const BatchBody = exactly({
  events: Type.Array(EventBody, { minItems: 1, maxItems: BATCH_EVENTS_MAX }),
});

export const BatchEnvelope = exactly({
  events: Type.Array(Type.Unknown(), { minItems: 1, maxItems: BATCH_EVENTS_MAX }),
});

const EVENT = {
  id: Type.String(),
  object: Type.Literal('event'),
  livemode: Type.Boolean(),
  event_name: Type.String(),
  customer_id: Type.String({ description: 'The `external_id` of the customer.' }),
  idempotency_key: Type.String(),
  timestamp: ResponseInstant,
  properties: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
  created_at: ResponseInstant,
};

export const EventObject = responseObject('Event', EVENT);

export const EventWithBilling = responseObject('EventWithBilling', {
  ...EVENT,
  billing: Type.Array(
    responseObject('EventBilling', {
      charge_id: nullable(Type.String()),
      charge_name: nullable(
        Type.String({ description: 'The name of the charge, or of the events that it counts.' }),
      ),
      subscription_id: nullable(Type.String()),
      status: oneOf(BILLING_STATUSES),
      reason: nullable(oneOf(BILLING_REASONS)),
      invoice_id: nullable(
        Type.String({ description: 'The invoice that has the event on a line, also a draft.' }),
      ),
      invoice_number: nullable(Type.String({ description: 'Null for a draft.' })),
      line_item_id: nullable(Type.String()),
      period_start: nullable({
        ...ResponseInstant,
        description:
          'The period of the subscription that has the timestamp, of a cut period the part; null while it is yet to open, and without one.',
      }),
      period_end: nullable(ResponseInstant),
      period_invoice_id: nullable(
        Type.String({
          description:
            'The invoice of that period that is not void, also a draft; with the reason `invoice_void` the void one that keeps the event from being billed.',
        }),
      ),
      period_invoice_number: nullable(Type.String()),
      expected_at: nullable({
        ...ResponseInstant,
        description:
          'For `pending` and `late`: when the invoice that takes the event is issued if nobody acts before, by the clock of the customer; null where a person has to act first, or no invoice follows.',
      }),
    }),
    { description: 'The billing status of the event, for each charge that counts it.' },
  ),
});

export const BatchObject = responseObject('EventBatch', {
  object: Type.Literal('event_batch'),
  created: Type.Integer(),
  duplicates: Type.Integer(),
  events: Type.Array(
    responseObject('EventBatchItem', {
      id: Type.String(),
      idempotency_key: Type.String(),
      status: oneOf(['created', 'duplicate']),
    }),
    { description: 'In the order of the request.' },
  ),
});
