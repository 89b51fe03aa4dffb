import type { CustomerKeys } from '../../src/db/events/customer-keys.ts';
import { eventId } from '../../src/db/events/event-id.ts';
import {
  mayBeCausedByOneEvent,
  storeEvents,
  type Outcome,
  type Submission,
} from '../../src/db/events/events.ts';
import type { Pool } from '../../src/db/pool.ts';
import { createCoalescer, type Coalescer, type CoalescerLimits } from '../queues/coalescer.ts';
import type { Caller } from '../http/deps.ts';
import { entriesOf, readEvent, refusalOf, submissionOf, type Ingested } from './submission.ts';

export const SINGLE_LIMITS: CoalescerLimits = {
  group_items: 1000,
  group_bytes: 1024 * 1024,
  queue_items: 10_000,
  queue_bytes: 32 * 1024 * 1024,
  // Normally one group at a time: two would each be half as large, and the rate would fall. A group that takes longer than this has a
  // connection that does not respond.
  overtaken_ms: 1500,
  overtaken_max: 3,
};

/** Approximate memory of an event besides its properties. */
const EVENT_BYTES = 1000;

type Item = { key: string; bytes: number; submission: Submission };
type Result = { external_id: string; outcome: Outcome } | null;

/** Group commit for single events: stores them in groups and resolves each after the commit of its group. */
export type SingleWriter = Coalescer<Item, Result>;

/** Makes the writer of single events. If a group fails and one event may be the cause (mayBeOneEvents), it is divided. */
export function createSingleWriter(
  pool: Pool,
  customers: CustomerKeys,
  how: { limits: CoalescerLimits; refusal: () => Error },
): SingleWriter {
  return createCoalescer({
    write: (items) => storeGroup(pool, customers, items),
    mayBeOneItemsFault: mayBeCausedByOneEvent,
    ...how,
  });
}

/** Stores a group and returns the results in its order; null for an event whose customer does not exist. */
async function storeGroup(pool: Pool, customers: CustomerKeys, items: readonly Item[]): Promise<Result[]> {
  const submissions = items.map(({ submission }, place) => ({ place, submission }));
  const { entries } = await entriesOf(pool, customers, submissions);
  const outcomes = await storeEvents(pool, entries);
  const results: Result[] = items.map(() => null);
  for (const [at, { place, customer }] of entries.entries())
    results[place] = { external_id: customer.external_id, outcome: outcomes[at]! };
  return results;
}

/** POST /v1/events. Throws invalid_request, not_found, conflict, and the writer's refusal if its queue is full. */
export async function postEvent(writer: SingleWriter, caller: Caller, body: unknown): Promise<Ingested> {
  const event = readEvent(body);
  const submission = submissionOf(caller, event);
  const { key_hash, livemode, event_name, idempotency_key, properties } = submission;
  const result = await writer.add({ key: key_hash, bytes: EVENT_BYTES + properties.length, submission });
  if (result === null) throw refusalOf('unknown_customer', submission);
  const { external_id, outcome } = result;
  if (outcome.status === 'conflict' || outcome.status === 'in_future')
    throw refusalOf(outcome.status, submission);
  const { status, timestamp, created_at } = outcome;
  const id = eventId(key_hash);
  const response = {
    id,
    object: 'event',
    livemode,
    event_name,
    customer_id: external_id,
    idempotency_key,
    timestamp,
    properties: event.properties ?? {},
    created_at,
  };
  if (status === 'duplicate')
    return {
      created: 0,
      response: { status: 200, headers: { 'Idempotent-Replayed': 'true' }, body: response },
    };
  return { created: 1, response: { status: 201, headers: { Location: `/v1/events/${id}` }, body: response } };
}
