import { keyHash } from '../../../src/db/events/event-id.ts';
import type { NewEvent } from '../../../src/db/events/events.ts';
import { LIVE, type TestCustomer } from './billing.ts';

/** A valid body of POST /v1/events for a customer C1. */
export function anEvent(changes: object = {}) {
  return { event_name: 'api_call', customer_id: 'C1', idempotency_key: 'k', ...changes };
}

/** The instant this many hours from now. */
export function hoursAhead(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString();
}

/** Nested objects, `levels` deep including the outermost. */
export function nested(levels: number): object {
  return levels === 1 ? {} : { a: nested(levels - 1) };
}

/** An object with `count` members. */
export function members(count: number, prefix = 'm'): object {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, 1]));
}

/** A live event in the form that the database functions take. */
export function aNewEvent(
  customer: TestCustomer,
  key: string,
  place: number,
  changes: Partial<NewEvent> = {},
): NewEvent {
  return {
    key_hash: keyHash(LIVE, key),
    environment_id: LIVE,
    livemode: true,
    customer_id: customer.id,
    event_name: 'api_call',
    idempotency_key: key,
    timestamp: null,
    properties: '{"n": 1}',
    place,
    customer: { customer_key: BigInt(customer.key), external_id: 'C1' },
    ...changes,
  };
}

/** Compares by key_hash: the order in which events are stored. */
export function byHash(a: NewEvent, b: NewEvent): number {
  return a.key_hash < b.key_hash ? -1 : 1;
}
