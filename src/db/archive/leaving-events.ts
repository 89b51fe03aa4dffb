import { STORED_CONTENT } from '../events/event-keys.ts';
import { createParameters, type Parameter } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';

/**
 * A position in the order of storing: the events of earlier epochs, and those of this one with a lower transaction id.
 */
export type StoredTo = { epoch: number; up_to_xid: string };

/**
 * The events of an environment and month, `from` to `to`, that leave: before archived_to of their customers, stored up
 * to a position.
 */
export type Leaving = StoredTo & { environment_id: number; from: string; to: string };

/** An event as a file has it: every column as text. */
export type ArchivedEvent = {
  id: string;
  key_hash: string;
  customer_id: string;
  event_name: string;
  idempotency_key: string;
  timestamp: string;
  timestamp_given: string;
  created_at: string;
  created_xid: string;
  epoch: string;
  properties: string;
};

/** The columns of a file, in order. */
export const ARCHIVED_COLUMNS = [
  'id',
  'key_hash',
  'customer_id',
  'event_name',
  'idempotency_key',
  'timestamp',
  'timestamp_given',
  'created_at',
  'created_xid',
  'epoch',
  'properties',
] as const satisfies readonly (keyof ArchivedEvent)[];

/** SQL: the event `e` leaves; `c` is its customer. */
function leaves({ environment_id, from, to, epoch, up_to_xid }: Leaving, parameter: Parameter): string {
  const last_epoch = parameter(epoch);
  return `e.environment_id = ${parameter(environment_id)} and e.timestamp >= ${parameter(from)}
    and e.timestamp < ${parameter(to)}
    and e.timestamp < c.archived_to
    and (e.epoch < ${last_epoch} or e.epoch = ${last_epoch} and e.created_xid < ${parameter(up_to_xid)})`;
}

/** The position up to which all events are rolled up. Null while an earlier epoch is not, or nothing is stored. */
export async function rolledUpTo(db: Db): Promise<StoredTo | null> {
  const { rows } = await db.query<StoredTo>(
    'select epoch, rolled_up_to::text as up_to_xid from epochs order by epoch desc',
  );
  const [newest, ...earlier] = rows;
  for (const { epoch, up_to_xid } of earlier) if (await hasEventsFrom(db, epoch, up_to_xid)) return null;
  return newest ?? null;
}

async function hasEventsFrom(db: Db, epoch: number, xid: string): Promise<boolean> {
  const { rows } = await db.query(
    'select 1 from events e where e.epoch = $1 and e.created_xid >= $2 order by e.created_xid limit 1',
    [epoch, xid],
  );
  return rows.length > 0;
}

/** The months (UTC, `2024-12`) before an instant in which an environment has events, the oldest first. */
export async function monthsWithEvents(db: Db, environment_id: number, before: string): Promise<string[]> {
  const { rows } = await db.query<{ month: string }>(
    `select distinct to_char(day at time zone 'UTC', 'YYYY-MM') as month from event_days
     where environment_id = $1 and day < $2 order by 1`,
    [environment_id, before],
  );
  return rows.map(({ month }) => month);
}

/** How many events a customer has before an instant, by month. */
export async function monthsBefore(
  db: Db,
  { environment_id, customer_key }: { environment_id: number; customer_key: string },
  before: string,
): Promise<{ month: string; events: number }[]> {
  const { rows } = await db.query<{ month: string; events: number }>(
    `select to_char(timestamp at time zone 'UTC', 'YYYY-MM') as month, count(*)::float8 as events from events
     where environment_id = $1 and customer_key = $2 and timestamp < $3 group by 1`,
    [environment_id, customer_key, before],
  );
  return rows;
}

/** The next events that leave, by timestamp and id; `after` is the last one of the page before. */
export async function pageOfLeaving(
  db: Db,
  leaving: Leaving,
  { after, limit }: { after: Pick<ArchivedEvent, 'timestamp' | 'id'> | null; limit: number },
): Promise<ArchivedEvent[]> {
  const { values, parameter } = createParameters();
  const { rows } = await db.query<ArchivedEvent>(
    `select e.id::text, e.key_hash::text, c.id as customer_id, e.event_name, e.idempotency_key,
       instant_text(e.timestamp) as timestamp, e.timestamp_given::text, instant_text(e.created_at) as created_at,
       e.created_xid::text, e.epoch::text, e.properties::text
     from events e join customers c on c.key = e.customer_key
     where ${leaves(leaving, parameter)} and (e.timestamp, e.id) >
       (${parameter(after?.timestamp ?? leaving.from)}::timestamptz, ${parameter(after?.id ?? '0')}::bigint)
     order by e.timestamp, e.id limit ${parameter(limit)}`,
    values,
  );
  return rows;
}

/** How many events leave. */
export async function countLeaving(db: Db, leaving: Leaving): Promise<number> {
  const { values, parameter } = createParameters();
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from events e join customers c on c.key = e.customer_key
     where ${leaves(leaving, parameter)}`,
    values,
  );
  return rows[0]!.count;
}

/**
 * SQL: a common table of the rows of a file in $2, a JSON array of ArchivedEvent of the environment $1, with the
 * columns of the table events.
 */
const FILE = `
  file as materialized (
    select f.id, f.key_hash, c.key as customer_key, f.event_name, f.idempotency_key, f.timestamp, f.timestamp_given,
      f.created_at, f.created_xid::xid8 as created_xid, f.epoch, f.properties::jsonb as properties
    from jsonb_to_recordset($2::jsonb) as f(id bigint, key_hash uuid, customer_id text, event_name text,
      idempotency_key text, timestamp timestamptz, timestamp_given boolean, created_at timestamptz,
      created_xid text, epoch integer, properties text)
    join customers c on c.environment_id = $1 and c.id = f.customer_id
  )`;

/**
 * How many of these rows of a file are stored, equal in each column, and have their keys. Each of these keys has the
 * hash of what was sent from then on: the event may leave (decision 56).
 */
export async function sealEqual(
  db: Db,
  environment_id: number,
  rows: readonly ArchivedEvent[],
): Promise<number> {
  const { rows: counted } = await db.query<{ count: number }>(
    `with ${FILE}, equal as materialized (
       select e.key_hash, ${STORED_CONTENT} as content_hash
       from file f join events e on e.environment_id = $1 and e.timestamp = f.timestamp and e.id = f.id
         and (e.key_hash, e.customer_key, e.event_name, e.idempotency_key, e.timestamp_given, e.created_at,
           e.created_xid, e.epoch, e.properties) = (f.key_hash, f.customer_key, f.event_name, f.idempotency_key,
           f.timestamp_given, f.created_at, f.created_xid, f.epoch, f.properties)
     ), hashed as (
       update event_keys k set content_hash = e.content_hash
       from equal e where k.key_hash = e.key_hash and k.content_hash is null
     )
     select count(*)::integer as count from equal e join event_keys k on k.key_hash = e.key_hash`,
    [environment_id, JSON.stringify(rows)],
  );
  return counted[0]!.count;
}

/** SQL: takes what `gone` counts off event_days, and removes the days that have no events left. */
const SHRINK_DAYS = `less as (
    select environment_id, event_name, date_trunc('day', timestamp, 'UTC') as day, count(*) as events from gone
    group by 1, 2, 3
  ), shrunk as (
    update event_days d set events = d.events - less.events from less
    where d.environment_id = less.environment_id and d.event_name = less.event_name and d.day = less.day
      and d.events > less.events
  ), emptied as (
    delete from event_days d using less
    where d.environment_id = less.environment_id and d.event_name = less.event_name and d.day = less.day
      and d.events <= less.events
  )`;

/** Removes the next events that leave, with what event_days counts of them; returns how many. */
export async function removeLeaving(db: Db, leaving: Leaving, limit: number): Promise<number> {
  const { values, parameter } = createParameters();
  const { rows } = await db.query<{ count: number }>(
    `with gone as (
       delete from events d using (
         select e.timestamp, e.id from events e join customers c on c.key = e.customer_key
         where ${leaves(leaving, parameter)} order by e.timestamp, e.id limit ${parameter(limit)}
       ) as e
       where d.environment_id = ${parameter(leaving.environment_id)} and d.timestamp = e.timestamp and d.id = e.id
       returning d.environment_id, d.event_name, d.timestamp
     ), ${SHRINK_DAYS}
     select count(*)::integer as count from gone`,
    values,
  );
  return rows[0]!.count;
}

/** SQL: the properties of the file's row `f` without those that were redacted since it was stored. */
const KEPT = `f.properties - coalesce((
  select array_agg(distinct name) from redactions r cross join lateral unnest(r.properties) as name
  where r.customer_key = f.customer_key
    and (f.epoch < r.epoch or f.epoch = r.epoch and f.created_xid < r.xid)), '{}')`;

/**
 * Brings rows of a file back, into bucket 0, with what event_days counts of them, and without properties that were
 * redacted while they were away. Their keys never left, and have hashes.
 */
export async function restoreEvents(
  db: Db,
  environment_id: number,
  rows: readonly ArchivedEvent[],
): Promise<void> {
  await db.query(
    `with ${FILE}, kept as materialized (select f.*, ${KEPT} as kept from file f),
     back as (
       insert into events (id, key_hash, environment_id, bucket, customer_key, event_name, idempotency_key, timestamp,
         timestamp_given, created_at, created_xid, epoch, properties)
       select f.id, f.key_hash, $1, 0, f.customer_key, f.event_name, f.idempotency_key, f.timestamp, f.timestamp_given,
         f.created_at, f.created_xid, f.epoch, f.kept
       from kept f
       returning *
     ), redacted as (
       update event_keys k set redacted_hash = ${STORED_CONTENT}
       from back as e
       where k.key_hash = e.key_hash
         and coalesce(k.redacted_hash, k.content_hash) <> ${STORED_CONTENT}
     )
     insert into event_days as d (environment_id, event_name, day, events)
     select environment_id, event_name, date_trunc('day', timestamp, 'UTC'), count(*) from back group by 1, 2, 3
     on conflict (environment_id, event_name, day) do update set events = d.events + excluded.events`,
    [environment_id, JSON.stringify(rows)],
  );
}
