import { Type, type Static } from 'typebox';
import { Identifier, Instant } from '../schema/schemas.ts';
import { exactly } from '../../src/objects/parts.ts';

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
