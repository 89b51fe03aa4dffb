import { isDeepStrictEqual } from 'node:util';
import type { CustomerKeys } from '../src/db/customer-keys.ts';
import { eventId, keyHash } from '../src/db/event-id.ts';
import type { NewEvent } from '../src/db/events.ts';
import type { Db } from '../src/db/pool.ts';
import { BillingError, conflict, invalid, notFound } from '../src/domain/errors.ts';
import { EventBody, PROPERTIES_BYTES_MAX } from './event-schemas.ts';
import type { Answer, Caller } from './route.ts';
import { parserOf } from './validation.ts';

/** An event whose form is good; whether its customer exists is not known yet. */
export type Submission = Omit<NewEvent, 'customer_key'> & { customer_id: string };

const parseEvent = parserOf(EventBody);

/** Reads one event of a request. Throws invalid_request with every fault of its form. */
export function readSubmission({ environment_id, livemode }: Caller, sent: unknown): Submission {
  const { event_name, customer_id, idempotency_key, timestamp = null, properties } = parseEvent(sent);
  const text = properties === undefined ? '{}' : JSON.stringify(properties);
  if (Buffer.byteLength(text) > PROPERTIES_BYTES_MAX) {
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
  };
}

/** What a request is answered, and how many events it stored; the others of it were stored before. */
export type Ingested = { answer: Answer; created: number };

/** A submission with its place in its request or group. */
export type Placed = { place: number; submission: Submission };

/** With its customer: the row that it becomes. */
export type Entry = Placed & { row: NewEvent; external_id: string };

/** Entries of the submissions whose customer exists, in the order in which rows are stored, and the places of the others. */
export async function entriesOf(
  db: Db,
  customers: CustomerKeys,
  submissions: readonly Placed[],
): Promise<{ entries: Entry[]; unknown: Placed[] }> {
  const found = await customers.resolve(
    db,
    submissions.map(({ submission }) => submission),
  );
  const entries: Entry[] = [];
  const unknown: Placed[] = [];
  for (const [at, { place, submission }] of submissions.entries()) {
    const customer = found[at];
    if (customer === undefined) unknown.push({ place, submission });
    else
      entries.push({
        place,
        submission,
        row: rowOf(submission, customer.customer_key),
        external_id: customer.external_id,
      });
  }
  entries.sort((a, b) => order(a.row.key_hash, b.row.key_hash) || a.place - b.place);
  return { entries, unknown };
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function rowOf(submission: Submission, customer_key: bigint): NewEvent {
  const { key_hash, environment_id, livemode, event_name, idempotency_key, timestamp, properties } =
    submission;
  return {
    key_hash,
    environment_id,
    livemode,
    customer_key,
    event_name,
    idempotency_key,
    timestamp,
    properties,
  };
}

/** Whether two events of one key are one event (contract.md 2), as compareEvents decides it of stored ones. */
export function isResend(event: NewEvent, other: NewEvent): boolean {
  return (
    event.customer_key === other.customer_key &&
    event.event_name === other.event_name &&
    event.timestamp === other.timestamp &&
    (event.properties === other.properties ||
      isDeepStrictEqual(JSON.parse(event.properties), JSON.parse(other.properties)))
  );
}

/** What to say of an event that is well formed and yet not stored. */
export function refusalOf(
  status: 'unknown_customer' | 'conflict' | 'in_future',
  { customer_id, key_hash }: Submission,
): BillingError {
  switch (status) {
    case 'unknown_customer':
      return notFound(
        'customer_id',
        'unknown_customer',
        `customer_id ${JSON.stringify(customer_id)} names no customer`,
      );
    case 'conflict':
      return conflict(
        'idempotency_key',
        'idempotency_mismatch',
        `idempotency_key belongs to a different event, ${eventId(key_hash)}`,
      );
    case 'in_future':
      return invalid('timestamp', 'in_future', 'timestamp must not be more than 24 hours ahead');
  }
}
