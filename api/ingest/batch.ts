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

/** One for each event of the largest batch. */
const DETAILS_MAX = 1000;
/** The kind that gives the answer its status is the first of these that occurs. */
const KINDS: readonly ErrorCode[] = ['invalid_request', 'not_found', 'conflict'];

type Refused = { place: number; error: BillingError };
/** Of the entry at `of`. */
type Repeat = { entry: Entry; of: number };
type Stored = 'created' | 'duplicate';

/** What batches are stored by. */
export type BatchWriter = { pool: Pool; customers: CustomerKeys; resend_memory: ResendMemory };

const parseEnvelope = parserOf(BatchEnvelope);

/** The events of POST /v1/events/batch, 1 to 1,000 of them, unread. Throws invalid_request. */
export function batchOf(body: unknown): readonly unknown[] {
  return parseEnvelope(body).events;
}

/**
 * POST /v1/events/batch: stores all of the events or, where one cannot be stored, none. Then it throws with every bad one named,
 * whatever is wrong with it, so that one mending and one resend suffice (contract.md 2).
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
  const { firsts, repeats, differing } = distinct(entries);
  refused.push(...differing);
  if (refused.length > 0) {
    // Nothing will be stored; what stands in the way of the others is said all the same.
    refused.push(...settle(firsts, repeats, await compareBatch(pool, firsts)).refused);
    throw batchError(refused);
  }
  const statuses = await storeAll(writer, caller, firsts, repeats);
  const created = statuses.filter((status) => status === 'created').length;
  return { created, response: { status: 201, body: batchObject(submissions, statuses, created) } };
}

/** Throws what stands in the way of some, and then none is stored. */
async function storeAll(
  { pool, resend_memory }: BatchWriter,
  { environment_id }: Caller,
  firsts: readonly Entry[],
  repeats: readonly Repeat[],
): Promise<Stored[]> {
  const settled = (outcomes: readonly (Status | 'absent')[]) => {
    const { statuses, refused } = settle(firsts, repeats, outcomes);
    if (refused.length > 0) throw batchError(refused);
    return statuses;
  };
  if (mayBeCopied(firsts) && !resend_memory.areLikely(environment_id)) {
    const attempt = await onConnection(pool, (db) => storeNewBatch(db, firsts));
    if (attempt === 'stored') return settled(firsts.map(() => 'created'));
    if (attempt === 'known') {
      // Mostly a batch that was sent before, whole: then there is nothing to store.
      const outcomes = await compareBatch(pool, firsts);
      if (!outcomes.includes('absent')) return settled(outcomes);
    }
    if (attempt !== 'in_future') resend_memory.met(environment_id);
  }
  return transaction(pool, async (db) => settled(await storeBatch(db, firsts)));
}

/** Forms first, then the rest: one thing a thousand times goes a fifth faster than two things in turn. */
function readAll(caller: Caller, events: readonly unknown[]): { submissions: Placed[]; refused: Refused[] } {
  const refused: Refused[] = [];
  const bodies = passing(events, readEvent, refused);
  const read = passing(bodies, (body) => submissionOf(caller, body), refused);
  const submissions: Placed[] = [];
  read.forEach((submission, place) => {
    if (submission !== undefined) submissions.push({ place, submission });
  });
  return { submissions, refused };
}

/** What a step makes of each, by place; undefined, which nothing in JSON is, stands for what is refused. */
function passing<From, To>(
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

/** One key twice in a batch: an equal event is a repeat of the first, a differing one is refused. */
function distinct(entries: readonly Entry[]): { firsts: Entry[]; repeats: Repeat[]; differing: Refused[] } {
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

/** What became of each event by its place, and why some cannot be stored. A repeat shares the outcome of its first. */
function settle(
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

/** A fault of one event, said of an event of the batch. Messages begin with what they speak of. */
function placed(place: number, { param, reason, message }: ErrorDetail): ErrorDetail {
  const event = `events[${place}]`;
  if (param === null) return { param: event, reason, message: message.replace(/^the body/, event) };
  return { param: `${event}.${param}`, reason, message: `${event}.${message}` };
}
