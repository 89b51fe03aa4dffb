import type { CustomerKeys } from '../../src/db/events/customer-keys.ts';
import { eventId } from '../../src/db/events/event-id.ts';
import { compareBatch, storeBatch, type Status } from '../../src/db/events/events.ts';
import { mayBeCopied, storeNewBatch } from '../../src/db/events/new-batch.ts';
import { onConnection, transaction, type Pool } from '../../src/db/pool.ts';
import { BillingError, conflict, type ErrorCode, type ErrorDetail } from '../../src/domain/errors.ts';
import { BatchEnvelope } from './event-schemas.ts';
import type { ResendMemory } from './resend-memory.ts';
import type { Caller } from '../http/deps.ts';
import {
  entriesOf,
  isResend,
  readEvent,
  refusalOf,
  submissionOf,
  type Entry,
  type Ingested,
  type Placed,
} from './submission.ts';
import { parserOf } from '../schema/validation.ts';

/** One detail for each event of the largest batch. */
const DETAILS_MAX = 1000;
/** Codes by precedence: the first one that occurs sets the status of the response. */
const KINDS: readonly ErrorCode[] = ['invalid_request', 'not_found', 'conflict'];

type Refused = { place: number; error: BillingError };
/** An entry whose key occurs earlier in the batch; `of` is the index of that one in `firsts`. */
type Repeat = { entry: Entry; of: number };
type Stored = 'created' | 'duplicate';

/** Dependencies for storing batches. */
export type BatchWriter = { pool: Pool; customers: CustomerKeys; resend_memory: ResendMemory };

const parseEnvelope = parserOf(BatchEnvelope);

/** The events in the body of POST /v1/events/batch, 1 to 1,000, not yet validated. Throws invalid_request. */
export function batchOf(body: unknown): readonly unknown[] {
  return parseEnvelope(body).events;
}

/**
 * POST /v1/events/batch: stores all events or none. If an event cannot be stored, throws one error that names every bad event, whatever
 * its fault, so that the client needs to correct and resend only once (contract.md 2).
 */
export async function postBatch(
  writer: BatchWriter,
  caller: Caller,
  events: readonly unknown[],
): Promise<Ingested> {
  const { pool, customers } = writer;
  const { submissions, refused } = readAll(caller, events);
  const { entries, unknown } = await entriesOf(pool, customers, submissions);
  for (const { place, submission } of unknown)
    refused.push({ place, error: refusalOf('unknown_customer', submission) });
  const { firsts, repeats, differing } = splitRepeats(entries);
  refused.push(...differing);
  if (refused.length > 0) {
    // Nothing will be stored. Compare the valid events all the same, to report their faults too.
    refused.push(...statusesOf(firsts, repeats, await compareBatch(pool, firsts)).refused);
    throw batchError(refused);
  }
  const statuses = await storeAll(writer, caller, firsts, repeats);
  const created = statuses.filter((status) => status === 'created').length;
  return { created, response: { status: 201, body: batchObject(submissions, statuses, created) } };
}

/** Stores all events, large new batches by COPY (decision 19), and returns their statuses. If one is refused, throws and stores none. */
async function storeAll(
  { pool, resend_memory }: BatchWriter,
  { environment_id }: Caller,
  firsts: readonly Entry[],
  repeats: readonly Repeat[],
): Promise<Stored[]> {
  const settled = (outcomes: readonly (Status | 'absent')[]) => {
    const { statuses, refused } = statusesOf(firsts, repeats, outcomes);
    if (refused.length > 0) throw batchError(refused);
    return statuses;
  };
  if (mayBeCopied(firsts) && !resend_memory.isOverlapLikely(environment_id)) {
    const attempt = await onConnection(pool, (db) => storeNewBatch(db, firsts));
    if (attempt === 'stored') return settled(firsts.map(() => 'created'));
    if (attempt === 'known') {
      // Usually the retry of a whole batch, with nothing to store.
      const outcomes = await compareBatch(pool, firsts);
      if (!outcomes.includes('absent')) return settled(outcomes);
    }
    if (attempt !== 'in_future') resend_memory.recordOverlap(environment_id);
  }
  return transaction(pool, async (db) => settled(await storeBatch(db, firsts)));
}

/** First validates all events, then converts all: one step a thousand times is a fifth faster than two steps in turn. */
function readAll(caller: Caller, events: readonly unknown[]): { submissions: Placed[]; refused: Refused[] } {
  const refused: Refused[] = [];
  const bodies = applyStep(events, readEvent, refused);
  const read = applyStep(bodies, (body) => submissionOf(caller, body), refused);
  const submissions: Placed[] = [];
  read.forEach((submission, place) => {
    if (submission !== undefined) submissions.push({ place, submission });
  });
  return { submissions, refused };
}

/** Applies a step to each item, by place. A refused item becomes undefined, which is never a JSON value, and goes to `refused`. */
function applyStep<From, To>(
  items: readonly (From | undefined)[],
  step: (item: From) => To,
  refused: Refused[],
): (To | undefined)[] {
  return items.map((item, place) => {
    if (item === undefined) return undefined;
    try {
      return step(item);
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      refused.push({ place, error });
      return undefined;
    }
  });
}

/** Handles keys that occur twice in a batch: an equal event is a repeat of the first, a differing one is refused. Needs sorted entries. */
function splitRepeats(entries: readonly Entry[]): {
  firsts: Entry[];
  repeats: Repeat[];
  differing: Refused[];
} {
  const firsts: Entry[] = [];
  const repeats: Repeat[] = [];
  const differing: Refused[] = [];
  for (const entry of entries) {
    const first = firsts.at(-1);
    if (first === undefined || first.submission.key_hash !== entry.submission.key_hash) {
      firsts.push(entry);
    } else if (isResend(first, entry)) {
      repeats.push({ entry, of: firsts.length - 1 });
    } else {
      const message = `idempotency_key is that of events[${first.place}], which is a different event`;
      differing.push({
        place: entry.place,
        error: conflict('idempotency_key', 'idempotency_mismatch', message),
      });
    }
  }
  return { firsts, repeats, differing };
}

/** The status of each stored event by place, and the refused events. A repeat has the outcome of its first, or is its duplicate. */
function statusesOf(
  firsts: readonly Entry[],
  repeats: readonly Repeat[],
  outcomes: readonly (Status | 'absent')[],
): { statuses: Stored[]; refused: Refused[] } {
  const statuses: Stored[] = [];
  const refused: Refused[] = [];
  function put({ place, submission }: Placed, status: Status | 'absent'): void {
    if (status === 'conflict' || status === 'in_future')
      refused.push({ place, error: refusalOf(status, submission) });
    else statuses[place] = status === 'duplicate' ? 'duplicate' : 'created';
  }
  firsts.forEach((entry, at) => put(entry, outcomes[at]!));
  for (const { entry, of } of repeats) {
    const status = outcomes[of]!;
    put(entry, status === 'created' || status === 'absent' ? 'duplicate' : status);
  }
  return { statuses, refused };
}

function batchObject(submissions: readonly Placed[], statuses: readonly Stored[], created: number): object {
  const events = submissions.map(({ place, submission: { key_hash, idempotency_key } }) => ({
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

/** Prefixes the param and message of a fault with `events[place]`. A message begins with its param, or with "the body". */
function placed(place: number, { param, reason, message }: ErrorDetail): ErrorDetail {
  const event = `events[${place}]`;
  if (param === null) return { param: event, reason, message: message.replace(/^the body/, event) };
  return { param: `${event}.${param}`, reason, message: `${event}.${message}` };
}
