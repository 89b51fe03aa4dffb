import type { CustomerKeys } from '../../src/db/events/customer-keys.ts';
import { eventId } from '../../src/db/events/event-id.ts';
import { compareBatch, storeBatch, type NewEvent, type Status } from '../../src/db/events/events.ts';
import { mayBeCopied, storeNewBatch } from '../../src/db/events/new-batch.ts';
import { onConnection, transaction, type Pool } from '../../src/db/connection/pool.ts';
import { againIfNodeLost } from '../../src/db/connection/unavailable.ts';
import { BillingError, conflict, type ErrorCode, type ErrorDetail } from '../../src/domain/money/errors.ts';
import { BatchEnvelope } from './event-schemas.ts';
import type { ResendMemory } from './resend-memory.ts';
import type { Caller } from '../http/deps.ts';
import type { EventBatch } from '../../src/objects/event.ts';
import type { BatchResponse } from '../routing/route.ts';
import { findCustomers, isResend, newEvent, readEvent, refusalOf, type Ingested } from './new-event.ts';
import { parserOf } from '../schema/validation.ts';

/** One detail for each event of the largest batch. */
const DETAILS_MAX = 1000;
/** Codes by precedence: the first one that occurs sets the status of the response. */
const KINDS: readonly ErrorCode[] = ['invalid_request', 'not_found', 'conflict'];

type Refused = { place: number; error: BillingError };
/** An event whose key occurs earlier in the batch; `of` is the index of that one in `firsts`. */
type Repeat = { event: NewEvent; of: number };
type Stored = 'created' | 'duplicate';

/** Dependencies for storing batches. */
export type BatchWriter = { pool: Pool; customers: CustomerKeys; resend_memory: ResendMemory };

const parseEnvelope = parserOf(BatchEnvelope);

/** The events in the body of POST /v1/events/batch, 1 to 1,000, not yet validated. Throws invalid_request. */
export function batchOf(body: unknown): readonly unknown[] {
  return parseEnvelope(body).events;
}

/**
 * POST /v1/events/batch: stores all events or none. If an event cannot be stored, throws one error that names every bad
 * event, whatever its fault, so that the client needs to correct and resend only once (contract.md 2).
 */
export async function postBatch(
  writer: BatchWriter,
  caller: Caller,
  bodies: readonly unknown[],
): Promise<Ingested<BatchResponse>> {
  const read = readAll(caller, bodies);
  const store = () => againIfNodeLost(() => storeRead(writer, caller, read));
  try {
    return await store();
  } catch (error) {
    if (!(error instanceof DeletedCustomers)) throw error;
    writer.customers.forget(error.events);
    return store();
  }
}

/** The cache had customers of these events that were deleted. Each may have been created again since. */
class DeletedCustomers extends BillingError {
  readonly events: readonly NewEvent[];

  constructor(events: readonly NewEvent[], { code, details }: BillingError) {
    super(code, details);
    this.events = events;
  }
}

type ReadBatch = { events: readonly NewEvent[]; refused: readonly Refused[] };

/** Throws DeletedCustomers, with the refusal, if a customer was deleted since it was looked up. */
async function storeRead(
  writer: BatchWriter,
  caller: Caller,
  { events, refused: unreadable }: ReadBatch,
): Promise<Ingested<BatchResponse>> {
  const { pool, customers } = writer;
  const refused = [...unreadable];
  const { known, unknown } = await findCustomers(pool, customers, events);
  for (const event of unknown)
    refused.push({ place: event.place, error: refusalOf('unknown_customer', event) });
  const { firsts, repeats, differing } = splitRepeats(known);
  refused.push(...differing);
  if (refused.length > 0) {
    // Nothing will be stored. Compare the valid events all the same, to report their faults too.
    const outcomes = await compareBatch(pool, firsts);
    refused.push(...statusesOf(firsts, repeats, outcomes).refused);
    throw refusalOfBatch(refused, deletedOf(firsts, repeats, outcomes));
  }
  const statuses = await storeAll(writer, caller, { firsts, repeats });
  const created = statuses.filter((status) => status === 'created').length;
  return { created, response: { status: 201, body: batchObject(events, statuses, created) } };
}

/**
 * Stores all events, large new batches by COPY (decision 19), and returns their statuses. If one is refused, throws and
 * stores none.
 */
async function storeAll(
  { pool, resend_memory }: BatchWriter,
  { environment_id }: Caller,
  { firsts, repeats }: { firsts: readonly NewEvent[]; repeats: readonly Repeat[] },
): Promise<Stored[]> {
  const settled = (outcomes: readonly (Status | 'absent')[]) => {
    const { statuses, refused } = statusesOf(firsts, repeats, outcomes);
    if (refused.length > 0) throw refusalOfBatch(refused, deletedOf(firsts, repeats, outcomes));
    return statuses;
  };
  if (mayBeCopied(firsts) && !resend_memory.isOverlapLikely(environment_id)) {
    const { attempt } = await onConnection(pool, (db) => storeNewBatch(db, firsts));
    if (attempt === 'stored') return settled(firsts.map(() => 'created'));
    if (attempt === 'known') {
      // Usually the retry of a whole batch, with nothing to store.
      const outcomes = await compareBatch(pool, firsts);
      if (!outcomes.includes('absent')) return settled(outcomes);
    }
    if (attempt !== 'in_future' && attempt !== 'unknown_customer')
      resend_memory.recordOverlap(environment_id);
  }
  return transaction(pool, async (db) => settled(await storeBatch(db, firsts)));
}

/**
 * First validates all events, then converts all: one step a thousand times is a fifth faster than two steps in turn.
 */
function readAll(caller: Caller, bodies: readonly unknown[]): { events: NewEvent[]; refused: Refused[] } {
  const refused: Refused[] = [];
  const valid = applyStep(bodies, readEvent, refused);
  const events = applyStep(valid, (body, place) => newEvent(caller, body, place), refused);
  return { events: events.filter((event) => event !== undefined), refused };
}

/**
 * Applies a step to each item, by place. A refused item becomes undefined, which is never a JSON value, and goes to
 * `refused`.
 */
function applyStep<From, To>(
  items: readonly (From | undefined)[],
  step: (item: From, place: number) => To,
  refused: Refused[],
): (To | undefined)[] {
  return items.map((item, place) => {
    if (item === undefined) return undefined;
    try {
      return step(item, place);
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      refused.push({ place, error });
      return undefined;
    }
  });
}

/**
 * Handles keys that occur twice in a batch: an equal event is a repeat of the first, a differing one is refused. Needs
 * sorted events.
 */
function splitRepeats(events: readonly NewEvent[]): {
  firsts: NewEvent[];
  repeats: Repeat[];
  differing: Refused[];
} {
  const firsts: NewEvent[] = [];
  const repeats: Repeat[] = [];
  const differing: Refused[] = [];
  for (const event of events) {
    const first = firsts.at(-1);
    if (first === undefined || first.key_hash !== event.key_hash) {
      firsts.push(event);
    } else if (isResend(first, event)) {
      repeats.push({ event, of: firsts.length - 1 });
    } else {
      const message = `idempotency_key is already used by events[${first.place}], which is a different event`;
      differing.push({
        place: event.place,
        error: conflict('idempotency_key', 'idempotency_mismatch', message),
      });
    }
  }
  return { firsts, repeats, differing };
}

/**
 * The status of each stored event by place, and the refused events. A repeat has the outcome of its first, or is its
 * duplicate.
 */
function statusesOf(
  firsts: readonly NewEvent[],
  repeats: readonly Repeat[],
  outcomes: readonly (Status | 'absent')[],
): { statuses: Stored[]; refused: Refused[] } {
  const statuses: Stored[] = [];
  const refused: Refused[] = [];
  function put(event: NewEvent, status: Status | 'absent'): void {
    if (status === 'conflict' || status === 'in_future' || status === 'unknown_customer')
      refused.push({ place: event.place, error: refusalOf(status, event) });
    else statuses[event.place] = status === 'duplicate' ? 'duplicate' : 'created';
  }
  firsts.forEach((event, at) => put(event, outcomes[at]!));
  for (const { event, of } of repeats) {
    const status = outcomes[of]!;
    put(event, status === 'created' || status === 'absent' ? 'duplicate' : status);
  }
  return { statuses, refused };
}

/** Events whose customer was deleted since it was looked up. */
function deletedOf(
  firsts: readonly NewEvent[],
  repeats: readonly Repeat[],
  outcomes: readonly (Status | 'absent')[],
): NewEvent[] {
  const isDeleted = (at: number) => outcomes[at] === 'unknown_customer';
  return [
    ...firsts.filter((_, at) => isDeleted(at)),
    ...repeats.flatMap(({ event, of }) => (isDeleted(of) ? [event] : [])),
  ];
}

function refusalOfBatch(refused: readonly Refused[], deleted: readonly NewEvent[]): BillingError {
  const error = batchError(refused);
  return deleted.length === 0 ? error : new DeletedCustomers(deleted, error);
}

function batchObject(stored: readonly NewEvent[], statuses: readonly Stored[], created: number): EventBatch {
  const events = stored.map(({ place, key_hash, idempotency_key }) => ({
    id: eventId(key_hash),
    idempotency_key,
    status: statuses[place]!,
  }));
  return { object: 'event_batch', created, duplicates: statuses.length - created, events };
}

function batchError(refused: readonly Refused[]): BillingError {
  const sorted = refused.toSorted(
    (a, b) => KINDS.indexOf(a.error.code) - KINDS.indexOf(b.error.code) || a.place - b.place,
  );
  const every = sorted.flatMap(({ place, error }) => error.details.map((detail) => placed(place, detail)));
  const details =
    every.length <= DETAILS_MAX ? every : sorted.map(({ place, error }) => placed(place, error.details[0]!));
  return new BillingError(sorted[0]!.error.code, details);
}

/**
 * Prefixes the param and message of a fault with `events[place]`. A message begins with its param, or with "the body".
 */
function placed(place: number, { param, reason, message }: ErrorDetail): ErrorDetail {
  const event = `events[${place}]`;
  if (param === null) return { param: event, reason, message: message.replace(/^the body/, event) };
  return { param: `${event}.${param}`, reason, message: `${event}.${message}` };
}
