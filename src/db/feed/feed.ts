import { newId } from '../../keys/ids.ts';
import type { FeedChange } from '../../objects/change.ts';
import type { Db } from '../connection/pool.ts';
import { createParameters } from '../connection/parameters.ts';

/** Bytes of `data` of a page. */
const PAGE_BYTES = 8 * 1024 * 1024;
/** Numbers that a page reads at most, where no index finds what its filter asks for. */
const SCANNED_MAX = 20_000;

/** A change with its number, to be stored. `data` is the text of its JSON. */
export type NumberedChange = Pick<
  FeedChange,
  'id' | 'created_at' | 'type' | 'object_id' | 'customer_id' | 'actor'
> & { customer_key: string | null; data: string | null };

/**
 * Gives the next `count` numbers of an environment; returns the first. The row is locked until the end of the
 * transaction.
 */
export async function takeNumbers(db: Db, environment_id: number, count: number): Promise<number> {
  const { rows } = await db.query<{ first: number }>(
    `insert into feeds as f (environment_id, last_sequence) values ($1, $2)
     on conflict (environment_id) do update set last_sequence = f.last_sequence + excluded.last_sequence
     returning (last_sequence - $2 + 1)::float8 as first`,
    [environment_id, count],
  );
  return rows[0]!.first;
}

/**
 * Lets the feed of an environment go on at a number, with a change that says so: after a restore. `last_sequence` of
 * that change is the last number that the restored database has.
 */
export async function resumeFeed(db: Db, environment_id: number, at: string): Promise<void> {
  const { rows } = await db.query<{ before: string; created_at: string }>(
    `insert into feeds as f (environment_id, last_sequence) values ($1, $2)
     on conflict (environment_id) do update set last_sequence = excluded.last_sequence
       where f.last_sequence < excluded.last_sequence
     returning coalesce((select last_sequence from feeds where environment_id = $1), 0)::text as before,
       date_trunc('milliseconds', now()) as created_at`,
    [environment_id, at],
  );
  const [resumed] = rows;
  if (resumed === undefined) return;
  const data = JSON.stringify({ object: 'feed_restoration', last_sequence: Number(resumed.before) });
  const change = { id: newId('chn'), type: 'feed.restored', object_id: 'feed', data };
  const nobody = { actor: null, customer_key: null, customer_id: null };
  const { created_at } = resumed;
  await insertChanges(db, environment_id, Number(at), [{ ...change, ...nobody, created_at }]);
}

/** Stores changes of an environment under consecutive numbers from `first` on. */
export async function insertChanges(
  db: Db,
  environment_id: number,
  first: number,
  changes: readonly NumberedChange[],
): Promise<void> {
  await db.query(
    `insert into feed (environment_id, sequence, id, created_at, numbered_at, type, object_id, customer_key,
       customer_id, actor, data)
     select $1, $2::bigint + position - 1, id, created_at, date_trunc('milliseconds', now()), type, object_id,
       customer_key, customer_id, actor, data::json
     from unnest($3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
       with ordinality as c(id, created_at, type, object_id, customer_key, customer_id, actor, data, position)`,
    [
      environment_id,
      first,
      ...(
        ['id', 'created_at', 'type', 'object_id', 'customer_key', 'customer_id', 'actor', 'data'] as const
      ).map((name) => changes.map((change) => change[name])),
    ],
  );
}

/**
 * The bounds of an environment's feed: the oldest number that is kept, one above the newest if none is, and the newest,
 * 0 before the first.
 */
export type FeedBounds = { oldest_sequence: number; newest_sequence: number };

/** Reads the bounds before the rows: what is numbered meanwhile is beyond them. */
export async function readBounds(db: Db, environment_id: number): Promise<FeedBounds> {
  const { rows } = await db.query<FeedBounds>(
    `select coalesce((
         select sequence from feed where environment_id = $1 order by sequence limit 1), newest + 1)::float8
         as oldest_sequence, newest::float8 as newest_sequence
     from (select coalesce((select last_sequence from feeds where environment_id = $1), 0) as newest) as f`,
    [environment_id],
  );
  return rows[0]!;
}

/** The newest number of each environment that has one. */
export async function readNewest(db: Db): Promise<Map<number, number>> {
  const { rows } = await db.query<{ environment_id: number; newest: number }>(
    'select environment_id, last_sequence::float8 as newest from feeds',
  );
  return new Map(rows.map(({ environment_id, newest }) => [environment_id, newest]));
}

/** `types` are whole names; `customer_key` is our `cus_` id. Null is no filter. */
export type FeedFilter = {
  types: readonly string[] | null;
  object_id: string | null;
  customer_key: string | null;
};

/** SQL: a change of `f`, a row of the feed, with `n`, its environment. */
const CHANGE = `
  f.id, 'change' as object, n.livemode, f.created_at, f.sequence::float8 as sequence, f.type,
  split_part(f.type, '.', 1) as object_type, f.object_id, f.customer_id, f.actor, f.data`;

/** A change by its number; null if it is not there, or no longer. */
export async function findChange(
  db: Db,
  environment_id: number,
  sequence: number,
): Promise<FeedChange | null> {
  const { rows } = await db.query<FeedChange>(
    `select ${CHANGE} from feed f join environments n on n.id = f.environment_id
     where f.environment_id = $1 and f.sequence = $2`,
    [environment_id, sequence],
  );
  return rows[0] ?? null;
}

/** A page of the feed: `read_to` is the number up to which it is complete. */
export type FeedSlice = { changes: FeedChange[]; read_to: number };

/** Reads changes after a number and up to `newest`, oldest first, at most `limit` and 8 MiB. */
export async function readFeed(
  db: Db,
  environment_id: number,
  { after, newest, limit, ...filter }: FeedFilter & { after: number; newest: number; limit: number },
): Promise<FeedSlice> {
  const { types, object_id, customer_key } = filter;
  const scans = types !== null && object_id === null && customer_key === null;
  const up_to = scans ? Math.min(newest, after + SCANNED_MAX) : newest;
  const { values, parameter } = createParameters();
  const conditions = [
    `environment_id = ${parameter(environment_id)}`,
    `sequence > ${parameter(after)} and sequence <= ${parameter(up_to)}`,
    ...(object_id === null ? [] : [`object_id = ${parameter(object_id)}`]),
    ...(customer_key === null ? [] : [`customer_key = ${parameter(customer_key)}`]),
    ...(types === null ? [] : [`type = any(${parameter(types)})`]),
  ];
  const { rows } = await db.query<FeedChange & { found: number }>(
    `select ${CHANGE}, f.found from (
       select *, count(*) over ()::integer as found,
         sum(octet_length(coalesce(data::text, ''))) over (order by sequence) as bytes
       from (
         select * from feed where ${conditions.join(' and ')} order by sequence limit ${parameter(limit)}) as first
     ) as f join environments n on n.id = f.environment_id
     where f.bytes <= ${PAGE_BYTES} order by f.sequence`,
    values,
  );
  const found_count = rows[0]?.found ?? 0;
  const changes = rows.map(({ found: _, ...change }) => change);
  const is_complete = found_count < limit && changes.length === found_count;
  return { changes, read_to: is_complete ? up_to : changes.at(-1)!.sequence };
}
