import { Type, type Static } from 'typebox';
import { BILLING_REASONS, BILLING_STATUSES } from '../domain/usage/billing-cause.ts';
import { nullable, oneOf, ResponseInstant, responseObject } from './parts.ts';

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

/** contract.md 2. */
export const EventObject = responseObject('Event', EVENT);
export type UsageEvent = Static<typeof EventObject>;

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
export type EventWithBilling = Static<typeof EventWithBilling>;

/** The outcome of a batch of events. */
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
export type EventBatch = Static<typeof BatchObject>;
