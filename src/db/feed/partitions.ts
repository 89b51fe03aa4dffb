import { partitionTurn } from '../connection/partition-turn.ts';
import { transaction, type Db, type Pool } from '../connection/pool.ts';

/** Partitions are made for the current week and this many after it. */
const WEEKS_AHEAD = 2;
const DELETED_AT_ONCE = 5000;

type Week = { name: string; week_start: string; week_end: string };

/**
 * Makes the partitions of this week and the next ones that are missing; until there is one, changes are stored in
 * `feed_rest`, and a week that has begun there goes on there. Its rows are not moved: a statement that was planned just
 * before would not see them. Drops partitions whose changes were all numbered more than `kept_days` ago. Several
 * processes may call it at once.
 */
export async function keepFeedPartitions(pool: Pool, kept_days: number): Promise<void> {
  const { rows: missing } = await pool.query<Week>(
    `select 'feed_' || to_char(week, 'YYYYMMDD') as name, week::text || '+00' as week_start,
       (week + interval '7 days')::text || '+00' as week_end
     from generate_series(0, ${WEEKS_AHEAD}) as n
     cross join lateral (select date_trunc('week', now() at time zone 'UTC') + n * interval '7 days' as week) as w
     where to_regclass('feed_' || to_char(week, 'YYYYMMDD')) is null and not exists (
       select from feed_rest where numbered_at >= week at time zone 'UTC'
         and numbered_at < (week + interval '7 days') at time zone 'UTC')
     order by week`,
  );
  for (const week of missing) await transaction(pool, (db) => makePartition(db, week));
  const { rows: old } = await pool.query<{ name: string }>(
    `select c.relname as name
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'feed'::regclass and c.relname ~ '^feed_\\d{8}$'
       and to_date(substr(c.relname, 6), 'YYYYMMDD') + 7 < (now() at time zone 'UTC')::date - $1::integer
     order by 1`,
    [kept_days],
  );
  for (const { name } of old) await transaction(pool, (db) => dropPartition(db, name));
  while ((await deleteRest(pool, kept_days)) === DELETED_AT_ONCE);
}

async function deleteRest(db: Db, kept_days: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from feed_rest where ctid = any(array(
       select ctid from feed_rest where numbered_at < now() - $1 * interval '1 day' limit ${DELETED_AT_ONCE}))`,
    [kept_days],
  );
  return rowCount ?? 0;
}

/**
 * Locks out the consumer: Postgres refuses a row whose insert began when the common partition was still that of its
 * week.
 */
async function makePartition(db: Db, { name, week_start, week_end }: Week): Promise<void> {
  const turn = await partitionTurn(db, { table: 'feed', name });
  if (turn === null || turn.is_there) return;
  await db.query(`select from consumers where name = 'feed' for update`);
  const { rowCount } = await db.query(
    'select from feed_rest where numbered_at >= $1 and numbered_at < $2 limit 1',
    [week_start, week_end],
  );
  if (rowCount !== 0) return;
  await db.query(`create table ${name} (like feed including defaults including indexes)`);
  await db.query(
    `alter table feed attach partition ${name} for values from ('${week_start}') to ('${week_end}')`,
  );
}

async function dropPartition(db: Db, name: string): Promise<void> {
  const turn = await partitionTurn(db, { table: 'feed', name });
  if (turn?.is_there === true) await db.query(`drop table ${name}`);
}
