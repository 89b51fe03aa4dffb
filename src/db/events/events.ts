import pg from 'pg';
import {
  bigintArray,
  integerArray,
  jsonbArray,
  textArray,
  timestamptzArray,
  uuidArray,
} from './binary-array.ts';
import type { CustomerKey } from './customer-keys.ts';
import { EQUALS_STORED, insertKeysOf } from './event-keys.ts';
import type { Db } from '../connection/pool.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';

/**
 * An event to store, possibly a resend. One object from the request to the statement; ingest sets `place` and
 * `customer`.
 */
export type NewEvent = {
  /** Result of keyHash. */
  readonly key_hash: string;
  readonly environment_id: number;
  readonly livemode: boolean;
  /** The customer's external id or `cus_` id, as sent. */
  readonly customer_id: string;
  readonly event_name: string;
  readonly idempotency_key: string;
  /** Timestamp in parseInstant's format; null if none was sent. */
  readonly timestamp: string | null;
  /** JSON text. */
  readonly properties: string;
  /** Index in its batch or group, from 0 on; gives the order of storing. */
  place: number;
  /** Null before it is looked up, and if `customer_id` names no customer. */
  customer: CustomerKey | null;
};

/**
 * Key of the event's customer. Throws an Error if the event has none: only an event with its customer can be stored.
 */
export function customerKeyOf({ customer }: NewEvent): bigint {
  if (customer === null) throw new Error('the event has no customer');
  return customer.customer_key;
}

/**
 * Result for one event. `duplicate`: an equal event is stored, and the instants are from it; `conflict`: a different
 * event is stored under the key; `in_future`: the timestamp is more than 24 hours ahead; `unknown_customer`: the
 * customer was deleted since it was looked up.
 */
export type Outcome =
  | { status: 'created'; timestamp: string; created_at: string }
  | { status: 'duplicate'; timestamp: string; created_at: string }
  | { status: 'conflict' }
  | { status: 'in_future' }
  | { status: 'unknown_customer' };

export type Status = Outcome['status'];

/**
 * Stores events, each independently, in one statement; outcomes in the order of the events. Events must be sorted by
 * key_hash and unique, so that two writers with the same keys wait for each other and never deadlock. Skips reading
 * rows back if all events were stored on the database's clock. To make it all or nothing, throw in the surrounding
 * transaction.
 */
export async function storeEvents(db: Db, events: readonly NewEvent[]): Promise<Outcome[]> {
  if (events.length === 0) return [];
  const parameters = parametersOf(events);
  const { all_on_time, now, keys } = await insert(db, events, parameters);
  if (!all_on_time) return outcomesOf(db, parameters, keys);
  return events.map(({ timestamp }) => ({
    status: 'created',
    timestamp: timestamp ?? now,
    created_at: now,
  }));
}

/** Compares events of which this transaction has added those with the keys `added`; outcomes in their order. */
export async function compareAdded(
  db: Db,
  events: readonly NewEvent[],
  added: readonly string[],
): Promise<Outcome[]> {
  return outcomesOf(db, parametersOf(events), added);
}

async function outcomesOf(
  db: Db,
  parameters: readonly Buffer[],
  keys: readonly string[],
): Promise<Outcome[]> {
  const { rows } = await db.query<Outcome>({ ...COMPARE, values: [...parameters, keys] });
  return rows;
}

/**
 * Stores events as storeEvents does, without the instants: reading a thousand rows takes Node longer than storing them.
 */
export async function storeBatch(db: Db, events: readonly NewEvent[]): Promise<Status[]> {
  if (events.length === 0) return [];
  const parameters = parametersOf(events);
  const { all_on_time, keys } = await insert(db, events, parameters);
  return all_on_time ? events.map(() => 'created') : statusesOf<Status>(db, parameters, keys);
}

/** Dry run of storeBatch; `absent` events would be created. */
export async function compareBatch(db: Db, events: readonly NewEvent[]): Promise<(Status | 'absent')[]> {
  return statusesOf<Status | 'absent'>(db, parametersOf(events), null);
}

type Inserted = { stored: number; on_time: boolean | null; now: string; keys: string[] | null };

/** `all_on_time`: all events were stored, with `created_at` equal to `now`. `keys`: those that it added. */
async function insert(
  db: Db,
  events: readonly NewEvent[],
  parameters: readonly Buffer[],
): Promise<{ all_on_time: boolean; now: string; keys: readonly string[] }> {
  const livemode = events.every((event) => event.livemode);
  const { rows } = await db.query<Inserted>({
    ...(livemode ? INSERT_LIVE : INSERT_TEST),
    values: [...parameters, integerArray(events, ({ place }) => place)],
  });
  const { stored, on_time, now, keys } = rows[0]!;
  return { all_on_time: stored === events.length && on_time !== false, now, keys: keys ?? [] };
}

/**
 * True if a single event may have caused this error of storeEvents, so that the other events could be stored without
 * it.
 */
export function mayBeCausedByOneEvent(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(22|23|40|54)/.test(error.code ?? '');
}

async function statusesOf<Compared>(
  db: Db,
  parameters: readonly Buffer[],
  keys: readonly string[] | null,
): Promise<Compared[]> {
  const { rows } = await db.query<{ statuses: Compared[] }>({
    ...COMPARE_BATCH,
    values: [...parameters, keys],
  });
  return rows[0]!.statuses;
}

/** Columns and types of the arrays of parametersOf, in order. */
const ARRAYS = [
  ['key_hash', 'uuid'],
  ['environment_id', 'integer'],
  ['customer_key', 'bigint'],
  ['event_name', 'text'],
  ['idempotency_key', 'text'],
  ['timestamp', 'timestamptz'],
  ['properties', 'jsonb'],
] as const;
const COLUMNS = ARRAYS.map(([column]) => column).join(', ');
const ROWS = `unnest(${ARRAYS.map(([, type], at) => `$${at + 1}::${type}[]`).join(', ')})`;
/** Rows from the select list, because Postgres first materializes an array that is unnested in FROM. */
const PLACED_ROWS = `(select ${[...ARRAYS, ['place', 'integer']]
  .map(([column, type], at) => `unnest($${at + 1}::${type}[]) as ${column}`)
  .join(', ')})`;

function parametersOf(events: readonly NewEvent[]): Buffer[] {
  return [
    uuidArray(events, ({ key_hash }) => key_hash),
    integerArray(events, ({ environment_id }) => environment_id),
    bigintArray(events, customerKeyOf),
    textArray(events, ({ event_name }) => event_name),
    textArray(events, ({ idempotency_key }) => idempotency_key),
    timestamptzArray(events, ({ timestamp }) => timestamp),
    jsonbArray(events, ({ properties }) => properties),
  ];
}

/** A scalar subquery, so that it is evaluated once and not per row. */
const DATABASE_NOW = `(select date_trunc('milliseconds', now()))`;
/**
 * The clock of the event's customer. A scalar subquery, so that it uses an index whatever size the planner assumes for
 * the table.
 */
const CLOCK_OF_CUSTOMER = `(select ${CUSTOMER_NOW} from customers c where c.key = e.customer_key)`;

/**
 * SQL: keys among $3, those of the events, whose customers were deleted. Reading it `for key share` orders the
 * statement against a deletion (src/db/customers/customer-deletion.ts): it begins before and the deletion waits for it,
 * or its snapshot shows the deletion. An array, so that an event costs no look-up of its own.
 */
const DELETED = `array(select d.key from deleted_customers d where d.key = any($3::bigint[]) for key share)`;

/**
 * The keys first, in unnest's order, which is key order; any join but a lateral one could change it. Then the events
 * whose keys are new. Ids, which order events of equal timestamps, follow the order in which the events were sent. Each
 * value of the sequence reserves a thousand ids. `bucket` is SQL of the partition (src/db/events/partitions.ts).
 */
function insertStatement({ now, source, bucket }: { now: string; source: string; bucket: string }): string {
  return `with sent as materialized (
      select (select nextval('events_id_seq')) + e.place as id, e.key_hash, e.environment_id, ${bucket} as bucket,
        e.customer_key, e.event_name, e.idempotency_key, coalesce(e.timestamp, ${now}) as timestamp, e.properties,
        e.timestamp is not null as timestamp_given, ${now} as created_at
      from ${PLACED_ROWS} as e ${source}
      where (e.timestamp is null or e.timestamp <= ${now} + interval '24 hours') and e.customer_key <> all (${DELETED})
    ), added as (${insertKeysOf('sent')} on conflict (key_hash) do nothing returning key_hash, created_at
    ), stored as (
      insert into events (id, bucket, ${COLUMNS}, timestamp_given, created_at)
      select id, bucket, ${COLUMNS}, timestamp_given, created_at from sent
      -- Not a bare \`in\`, which the planner may turn into a join that compares each event with each key.
      where coalesce(key_hash in (select key_hash from added), false))
    select count(*)::integer as stored, bool_and(created_at = ${DATABASE_NOW}) as on_time, ${DATABASE_NOW} as now,
      case when count(*) < cardinality($1::uuid[]) or not bool_and(created_at = ${DATABASE_NOW})
        then array_agg(key_hash) end as keys
    from added`;
}

const INSERT_LIVE = {
  name: 'insert-live-events',
  text: insertStatement({ now: DATABASE_NOW, source: '', bucket: '(select event_bucket())' }),
};

/** Test events have the instants of their customers' clocks, which no month holds. */
const INSERT_TEST = {
  name: 'insert-test-events',
  text: insertStatement({
    now: 'clock.now',
    source: `cross join lateral (select ${CLOCK_OF_CUSTOMER} as now offset 0) as clock`,
    bucket: '0',
  }),
};

/**
 * SQL: compares events with the stored ones of their keys. Equality is over what was submitted (contract.md 2): a
 * missing timestamp equals only a missing one, properties by value. $8 are the keys that this transaction added, or
 * null if it tried to add none.
 */
const COMPARED = `select e.position, stored.timestamp, stored.created_at, case
      when coalesce(e.key_hash in (select unnest($8::uuid[])), false) then 'created'
      when exists (select from deleted_customers d where d.key = e.customer_key) then 'unknown_customer'
      when ${EQUALS_STORED} then 'duplicate'
      when e.timestamp > ${CLOCK_OF_CUSTOMER} + interval '24 hours' then 'in_future'
      -- It was in the future when the insert left it out, and no longer is.
      when stored.key_hash is null and $8::uuid[] is not null then 'in_future'
      when stored.key_hash is null then 'absent'
      else 'conflict' end as status
    from ${ROWS} with ordinality as e(${COLUMNS}, position)
    left join stored on stored.key_hash = e.key_hash`;

/**
 * SQL: the stored keys of the events, with the content of each event whose hash was not made. A scalar subquery has the
 * environments once each, for the index of the events.
 */
const STORED = `with stored as materialized (
  select k.*, s.customer_key, s.event_name, s.idempotency_key, s.properties,
    case when s.timestamp_given then s.timestamp end as given
  from event_keys k
  left join events s on k.content_hash is null and s.key_hash = k.key_hash and s.timestamp = k.timestamp
    and s.id = k.event_id
    and s.environment_id = any((select array_agg(distinct id) from unnest($2::integer[]) as id)::integer[])
  where k.key_hash = any($1::uuid[]))`;

const COMPARE = {
  name: 'compare-events',
  text: `${STORED} select status, timestamp, created_at from (${COMPARED}) as compared order by position`,
};

const COMPARE_BATCH = {
  name: 'compare-batch',
  text: `${STORED}
    select coalesce(json_agg(status order by position), '[]') as statuses from (${COMPARED}) as compared`,
};
