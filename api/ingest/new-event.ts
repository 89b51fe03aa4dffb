import { isDeepStrictEqual } from 'node:util';
import type { CustomerKeys } from '../../src/db/events/customer-keys.ts';
import { eventId, keyHash } from '../../src/db/events/event-id.ts';
import { customerKeyOf, type NewEvent } from '../../src/db/events/events.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { BillingError, conflict, invalid, notFound } from '../../src/domain/money/errors.ts';
import { EventBody, PROPERTIES_BYTES_MAX } from './event-schemas.ts';
import type { Caller } from '../http/deps.ts';
import { parserOf } from '../schema/validation.ts';

/** Validates one event of a request. Throws invalid_request with every fault. */
export const readEvent = parserOf(EventBody);

/** Makes the event to store from a valid body. Throws invalid_request if its properties are too large. */
export function newEvent({ environment_id, livemode }: Caller, body: EventBody, place: number): NewEvent {
  const { event_name, customer_id, idempotency_key, timestamp = null, properties } = body;
  const text = properties === undefined ? '{}' : JSON.stringify(properties);
  if (text.length > PROPERTIES_BYTES_MAX / 3 && Buffer.byteLength(text) > PROPERTIES_BYTES_MAX) {
    const message = `properties must not be larger than ${PROPERTIES_BYTES_MAX} bytes as JSON`;
    throw invalid('properties', 'too_large', message);
  }
  const key_hash = keyHash(environment_id, idempotency_key);
  return {
    key_hash,
    environment_id,
    livemode,
    customer_id,
    event_name,
    idempotency_key,
    timestamp,
    properties: text,
    place,
    customer: null,
  };
}

/** The response to an ingest request, and the number of events that it created; its other events are duplicates. */
export type Ingested<Response> = { response: Response; created: number };

/**
 * Sets the customers of events. `known`: events whose customer exists, sorted by key hash for storing; `unknown`: all
 * others.
 */
export async function findCustomers(
  db: Db,
  customers: CustomerKeys,
  events: readonly NewEvent[],
): Promise<{ known: NewEvent[]; unknown: NewEvent[] }> {
  const customer_keys = await customers.resolve(db, events);
  const known: NewEvent[] = [];
  const unknown: NewEvent[] = [];
  events.forEach((event, at) => {
    event.customer = customer_keys[at] ?? null;
    if (event.customer === null) unknown.push(event);
    else known.push(event);
  });
  // A stable sort: events with the same key stay in the order of their places.
  known.sort((a, b) => order(a.key_hash, b.key_hash));
  return { known, unknown };
}

function order(a: string, b: string): number {
  if (a < b) return -1;
  return a === b ? 0 : 1;
}

/**
 * Whether two events with the same key are equal (contract.md 2). The SQL that compares with stored events applies the
 * same rule.
 */
export function isResend(original: NewEvent, resent: NewEvent): boolean {
  return (
    customerKeyOf(original) === customerKeyOf(resent) &&
    original.event_name === resent.event_name &&
    original.timestamp === resent.timestamp &&
    (original.properties === resent.properties ||
      isDeepStrictEqual(JSON.parse(original.properties), JSON.parse(resent.properties)))
  );
}

/** The error for a valid event that cannot be stored. */
export function refusalOf(
  status: 'unknown_customer' | 'conflict' | 'in_future',
  { customer_id, key_hash }: NewEvent,
): BillingError {
  switch (status) {
    case 'unknown_customer':
      return notFound(
        'customer_id',
        'unknown_customer',
        `customer_id ${JSON.stringify(customer_id)} does not match any customer`,
      );
    case 'conflict':
      return conflict(
        'idempotency_key',
        'idempotency_mismatch',
        `idempotency_key is already used by a different event, ${eventId(key_hash)}`,
      );
    case 'in_future':
      return invalid('timestamp', 'in_future', 'timestamp must not be more than 24 hours in the future');
  }
}
