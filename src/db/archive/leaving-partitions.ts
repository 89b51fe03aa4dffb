import pg from 'pg';
import { bucketOf } from '../events/partitions.ts';
import type { Db } from '../connection/pool.ts';
import type { StoredTo } from './leaving-events.ts';

/** The longest time for which a statement that stores or reads events waits for the removal of a partition. */
const LOCK_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/** The partitions of months before an instant, which nothing is stored in any more, by their buckets. */
export async function pastBuckets(db: Db, before: string): Promise<number[]> {
  const { rows } = await db.query<{ bucket: number }>(
    `select bucket from (
       select (regexp_match(inhrelid::regclass::text, '^events_(\\d{6})$'))[1]::integer as bucket from pg_inherits
       where inhparent = 'events'::regclass) as partition
     where bucket < $1 and bucket < to_char((now() - interval '1 day') at time zone 'UTC', 'YYYYMM')::integer
     order by bucket`,
    [bucketOf(before)],
  );
  return rows.map(({ bucket }) => bucket);
}

/**
 * Whether all events of a partition leave: they are before archived_to of their customers, and stored up to a position.
 */
export async function leavesAsAWhole(
  db: Db,
  bucket: number,
  { epoch, up_to_xid }: StoredTo,
): Promise<boolean> {
  const { rows } = await db.query(
    `select from events e left join customers c on c.key = e.customer_key
     where e.bucket = $1 and not coalesce(e.timestamp < c.archived_to
       and (e.epoch < $2 or e.epoch = $2 and e.created_xid < $3), false)
     limit 1`,
    [bucket, epoch, up_to_xid],
  );
  return rows.length === 0;
}

/**
 * Drops a partition, with what event_days counts of its events, in the caller's transaction. Returns false, and leaves
 * the transaction failed, if others use the table at the moment.
 */
export async function dropPartition(db: Db, bucket: number): Promise<boolean> {
  await db.query(
    `with less as materialized (
       select environment_id, event_name, date_trunc('day', timestamp, 'UTC') as day, count(*) as events
       from events where bucket = $1 group by 1, 2, 3
     ), emptied as (
       delete from event_days d using less
       where d.environment_id = less.environment_id and d.event_name = less.event_name and d.day = less.day
         and d.events <= less.events
     )
     update event_days d set events = d.events - less.events from less
     where d.environment_id = less.environment_id and d.event_name = less.event_name and d.day = less.day
       and d.events > less.events`,
    [bucket],
  );
  await db.query(`set local lock_timeout = ${LOCK_MS}`);
  try {
    await db.query(`alter table events detach partition events_${bucket}`);
    await db.query(`drop table events_${bucket}`);
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}
