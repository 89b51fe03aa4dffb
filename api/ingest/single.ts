import type { CustomerKeys } from '../../src/db/events/customer-keys.ts';
import { byNode } from '../../src/db/events/by-node.ts';
import { eventId } from '../../src/db/events/event-id.ts';
import {
  mayBeCausedByOneEvent,
  storeEvents,
  type NewEvent,
  type Outcome,
} from '../../src/db/events/events.ts';
import { mayHaveNodes, storeOnNodes } from '../../src/db/events/group-on-nodes.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import { againIfNodeLost, isNodeLost } from '../../src/db/connection/unavailable.ts';
import { inSpan, tracing, type SpanLink } from '../../src/telemetry/tracing.ts';
import {
  createCoalescer,
  halvesOf,
  type Coalescer,
  type CoalescerLimits,
} from '../../src/queues/coalescer.ts';
import type { Caller } from '../http/deps.ts';
import type { UsageEvent } from '../../src/objects/event.ts';
import type { EventResponse } from '../routing/route.ts';
import { findCustomers, newEvent, readEvent, refusalOf, type Ingested } from './new-event.ts';

export const SINGLE_LIMITS: CoalescerLimits = {
  group_items: 1000,
  group_bytes: 1024 * 1024,
  queue_items: 10_000,
  queue_bytes: 32 * 1024 * 1024,
  // Normally one group at a time: two would each be half as large, and the rate would fall. A group that takes longer
  // than this has a connection that does not respond.
  overtaken_ms: 1500,
  overtaken_max: 3,
};

/** Approximate memory of an event besides its properties. */
const EVENT_BYTES = 1000;

/** Group commit for single events: resolves each after the commit of its group; null if its customer does not exist. */
export type SingleWriter = Coalescer<NewEvent, Outcome | null>;

/**
 * Makes the writer of single events. A group that fails is divided where one event may be the cause, and by node where
 * one is lost, so that the events of the others are stored.
 */
export function createSingleWriter(
  pool: Pool,
  customers: CustomerKeys,
  how: { limits: CoalescerLimits; refusal: () => Error },
): SingleWriter {
  return createCoalescer({
    keyOf: ({ key_hash }) => key_hash,
    bytesOf: ({ properties }) => EVENT_BYTES + properties.length,
    write: (events) =>
      inSpan({ name: 'store single events', is_root: true, links: linksOf(events) }, () =>
        storeGroup(pool, customers, events),
      ),
    divide: (events, error) => partsOf(pool, events, error),
    ...how,
  });
}

async function partsOf(pool: Pool, events: readonly NewEvent[], error: unknown) {
  if (isNodeLost(error)) return byNode(pool, events).catch(() => []);
  return mayBeCausedByOneEvent(error) ? halvesOf(events) : [];
}

/**
 * The span of each waiting event's request, while traces are on: a group belongs to many requests, so its span links to
 * theirs.
 */
const spans = new WeakMap<NewEvent, SpanLink>();

function remembered(event: NewEvent): NewEvent {
  const span = tracing()?.current() ?? null;
  if (span !== null) spans.set(event, span);
  return event;
}

function linksOf(events: readonly NewEvent[]): SpanLink[] {
  return tracing() === null ? [] : events.flatMap((event) => spans.get(event) ?? []);
}

/** Stores a group and returns the outcomes in its order; null for an event whose customer does not exist. */
async function storeGroup(
  pool: Pool,
  customers: CustomerKeys,
  events: readonly NewEvent[],
): Promise<(Outcome | null)[]> {
  events.forEach((event, place) => (event.place = place));
  const outcomes = events.map((): Outcome | null => null);
  const store = async (some: readonly NewEvent[]): Promise<void> => {
    const { known } = await findCustomers(pool, customers, some);
    const stored = await againIfNodeLost(() => storeKnown(pool, known));
    known.forEach(({ place }, at) => (outcomes[place] = stored[at]!));
  };
  await store(events);
  const deleted = events.filter(({ place }) => outcomes[place]?.status === 'unknown_customer');
  if (deleted.length === 0) return outcomes;
  // The cache had customers that were deleted. Each may have been created again since.
  customers.forget(deleted);
  for (const { place } of deleted) outcomes[place] = null;
  await store(deleted);
  return outcomes;
}

/** Test events have the instants of their customers' clocks, which one statement reads for all. */
async function storeKnown(pool: Pool, events: readonly NewEvent[]): Promise<Outcome[]> {
  const may_be_spread = events.length > 0 && events.every(({ livemode }) => livemode);
  return may_be_spread && (await mayHaveNodes(pool)) ? storeOnNodes(pool, events) : storeEvents(pool, events);
}

/** POST /v1/events. Throws invalid_request, not_found, conflict, and the writer's refusal if its queue is full. */
export async function postEvent(
  writer: SingleWriter,
  caller: Caller,
  body: unknown,
): Promise<Ingested<EventResponse>> {
  const fields = readEvent(body);
  const event = newEvent(caller, fields, 0);
  const outcome = await writer.add(remembered(event));
  const { key_hash, livemode, event_name, customer, idempotency_key } = event;
  if (outcome === null || customer === null) throw refusalOf('unknown_customer', event);
  if (outcome.status !== 'created' && outcome.status !== 'duplicate') throw refusalOf(outcome.status, event);
  const { status, timestamp, created_at } = outcome;
  const id = eventId(key_hash);
  const response: UsageEvent = {
    id,
    object: 'event',
    livemode,
    event_name,
    customer_id: customer.external_id,
    idempotency_key,
    timestamp,
    properties: fields.properties ?? {},
    created_at,
  };
  if (status === 'duplicate')
    return {
      created: 0,
      response: { status: 200, headers: { 'Idempotent-Replayed': 'true' }, body: response },
    };
  return { created: 1, response: { status: 201, headers: { Location: `/v1/events/${id}` }, body: response } };
}
