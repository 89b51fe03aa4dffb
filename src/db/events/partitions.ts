import type { Parameter } from '../connection/parameters.ts';
import { PARTITION_LOCK, partitionTurn } from '../connection/partition-turn.ts';
import { transaction, type Db, type Pool } from '../connection/pool.ts';
import { whileLocked } from '../connection/session-lock.ts';

/** Partitions are made for the current month and this many after it. */
const MONTHS_AHEAD = 2;
/** A live event has a timestamp of at most 24 hours after it is stored. */
const AHEAD_MS = 24 * 60 * 60 * 1000;

/**
 * SQL: true for the buckets that may have events `e` with timestamps from `instant` on, so that no statement opens the
 * partitions before it. Bucket 0 may have any event.
 */
export function bucketsFrom(instant: string, parameter: Parameter): string {
  const stored = new Date(Date.parse(instant) - AHEAD_MS).toISOString();
  return `(e.bucket = 0 or e.bucket >= ${parameter(bucketOf(stored))})`;
}

/** The bucket of the month of an instant: 202612 for December 2026. */
export function bucketOf(instant: string): number {
  const month = new Date(instant);
  return month.getUTCFullYear() * 100 + month.getUTCMonth() + 1;
}

/**
 * Makes the partitions of this month and the next ones that are missing; until there is one, live events are stored in
 * bucket 0. Several processes may call it at once. Attaching one locks out neither reads nor writes.
 */
export async function makePartitions(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ bucket: string }>(
    `select bucket from (
       select to_char(date_trunc('month', now() at time zone 'UTC') + n * interval '1 month', 'YYYYMM') as bucket
       from generate_series(0, ${MONTHS_AHEAD}) as n) as month
     where to_regclass('events_' || bucket) is null order by bucket`,
  );
  for (const { bucket } of rows) await transaction(pool, (db) => makePartition(db, bucket));
}

async function makePartition(db: Db, bucket: string): Promise<void> {
  const turn = await partitionTurn(db, { table: 'events', name: `events_${bucket}` });
  if (turn === null || turn.is_there) return;
  await db.query(`create table events_${bucket} (like events including defaults including indexes)`);
  await db.query(`alter table events attach partition events_${bucket} for values in (${bucket})`);
}

/** Runs `work` while no process makes or removes a partition. */
export async function withoutNewPartitions<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  return whileLocked(pool, PARTITION_LOCK, work);
}

/**
 * Renews the planner's statistics of the table as a whole if they are a day old: autovacuum renews those of its
 * partitions only.
 */
export async function analyzeEvents(db: Db): Promise<void> {
  const { rows } = await db.query<{ is_due: boolean }>(
    `select coalesce(max(last_analyze), '-infinity') < now() - interval '1 day' as is_due
     from pg_stat_user_tables where relid = 'events'::regclass`,
  );
  if (rows[0]!.is_due) await db.query('analyze events');
}
