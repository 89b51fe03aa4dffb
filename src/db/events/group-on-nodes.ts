import { uuidOfHash } from './event-id.ts';
import { compareAdded, customerKeyOf, type NewEvent, type Outcome } from './events.ts';
import { mayBeCopied, storeNewBatch } from './new-batch.ts';
import { hasNodes } from './settle.ts';
import { createParameters, type Parameter } from '../connection/parameters.ts';
import { onConnection, transaction, type Db, type Pool } from '../connection/pool.ts';

/** Storing works by either way: a cluster that is made, or left, meanwhile may be noticed this much later. */
const KNOWN_FOR_MS = 60_000;

/** Smallest group for COPY: of 30 events it takes a coordinator 4.1 ms, inserts 3.6; of 50 they take 3.9 and 4.9. */
const COPIED_MIN = 50;

const known = new WeakMap<Pool, { has_nodes: boolean; read_at: number }>();

/** Whether events may lie on other machines, as it was within the last minute. */
export async function mayHaveNodes(pool: Pool): Promise<boolean> {
  const last = known.get(pool);
  if (last !== undefined && performance.now() - last.read_at < KNOWN_FOR_MS) return last.has_nodes;
  const has_nodes = await hasNodes(pool);
  known.set(pool, { has_nodes, read_at: performance.now() });
  return has_nodes;
}

/**
 * Stores live events as storeEvents does, in the way that costs a coordinator least (decision 59): many by COPY, a few
 * by two inserts of values, since the one statement of storeEvents becomes a plan of six there. The events are sorted
 * by key_hash and unique.
 */
export async function storeOnNodes(pool: Pool, events: readonly NewEvent[]): Promise<Outcome[]> {
  if (mayBeCopied(events, COPIED_MIN)) {
    const { attempt, now } = await onConnection(pool, (db) => storeNewBatch(db, events));
    if (attempt === 'stored') return events.map((event) => createdOf(event, now));
  }
  return transaction(pool, (db) => storeGroup(db, events));
}

type Storing = { first_id: string; now: string; latest: string; bucket: number; deleted: string[] };

/** Reading the deleted customers `for key share` orders the transaction against a deletion. */
const GROUP = {
  name: 'group-on-nodes',
  text: `select nextval('events_id_seq') as first_id, date_trunc('milliseconds', now()) as now,
      date_trunc('milliseconds', now()) + interval '24 hours' as latest, event_bucket() as bucket,
      array(select d.key::text from deleted_customers d where d.key = any($1::bigint[]) for key share) as deleted`,
};

async function storeGroup(db: Db, events: readonly NewEvent[]): Promise<Outcome[]> {
  const customer_keys = [...new Set(events.map(customerKeyOf))].map(String);
  const { rows } = await db.query<Storing>({ ...GROUP, values: [customer_keys] });
  const storing = rows[0]!;
  const deleted = new Set(storing.deleted);
  const sent = events.filter(
    (event) =>
      !deleted.has(`${customerKeyOf(event)}`) &&
      (event.timestamp === null || event.timestamp <= storing.latest),
  );
  const added = sent.length === 0 ? new Set<string>() : await addKeys(db, sent, storing);
  const new_events = sent.filter(({ key_hash }) => added.has(uuidOfHash(key_hash)));
  if (new_events.length > 0) await addEvents(db, new_events, storing);
  if (new_events.length === events.length) return events.map((event) => createdOf(event, storing.now));
  return compareAdded(db, events, [...added]);
}

function createdOf({ timestamp }: NewEvent, now: string): Outcome {
  return { status: 'created', timestamp: timestamp ?? now, created_at: now };
}

/** Adds the keys that are new, and returns them as uuidOfHash writes them. */
async function addKeys(
  db: Db,
  events: readonly NewEvent[],
  { first_id, now }: Storing,
): Promise<Set<string>> {
  const { values, parameter } = createParameters();
  const created_at = parameter(now);
  const rows = events.map(
    (event) =>
      `(${parameter(uuidOfHash(event.key_hash))}::uuid, ${parameter(idOf(event, first_id))}::bigint,
        ${event.timestamp === null ? created_at : parameter(event.timestamp)}::timestamptz,
        ${created_at}::timestamptz)`,
  );
  const { rows: added } = await db.query<{ key_hash: string }>(
    `insert into event_keys (key_hash, event_id, timestamp, created_at) values ${rows.join(', ')}
     on conflict (key_hash) do nothing returning key_hash`,
    values,
  );
  return new Set(added.map(({ key_hash }) => key_hash.replaceAll('-', '')));
}

async function addEvents(db: Db, events: readonly NewEvent[], storing: Storing): Promise<void> {
  const { values, parameter } = createParameters();
  const common = { now: parameter(storing.now), bucket: parameter(storing.bucket) };
  const rows = events.map((event) => rowOf(event, { ...common, first_id: storing.first_id, parameter }));
  await db.query(
    `insert into events (id, key_hash, environment_id, bucket, customer_key, event_name, idempotency_key, properties,
       timestamp, timestamp_given, created_at) values ${rows.join(', ')}`,
    values,
  );
}

type Common = { now: string; bucket: string; first_id: string; parameter: Parameter };

function rowOf(event: NewEvent, { now, bucket, first_id, parameter }: Common): string {
  const { key_hash, environment_id, event_name, idempotency_key, properties, timestamp } = event;
  return `(${parameter(idOf(event, first_id))}::bigint, ${parameter(uuidOfHash(key_hash))}::uuid,
    ${parameter(environment_id)}::integer, ${bucket}::integer, ${parameter(`${customerKeyOf(event)}`)}::bigint,
    ${parameter(event_name)}, ${parameter(idempotency_key)}, ${parameter(properties)}::jsonb,
    ${timestamp === null ? now : parameter(timestamp)}::timestamptz, ${timestamp !== null}, ${now}::timestamptz)`;
}

/** Ids, which order events of equal timestamps, follow the order in which the events were sent. */
function idOf({ place }: NewEvent, first_id: string): string {
  return `${BigInt(first_id) + BigInt(place)}`;
}
