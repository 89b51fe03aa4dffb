import type { Db } from '../connection/pool.ts';

/** The two tables whose rows lie on the nodes, in the order in which they go there. */
export const TABLES = ['event_keys', 'events'] as const;
export type EventTable = (typeof TABLES)[number];

/** How many shards each table has, so that up to as many nodes have the same part. */
const SHARDS = 12;

/** The tables that are distributed. The database has Citus. */
export async function distributedTables(db: Db): Promise<Set<EventTable>> {
  const { rows } = await db.query<{ name: EventTable }>(
    `select logicalrelid::text as name from pg_dist_partition
     where partmethod = 'h' and logicalrelid = any($1::regclass[])`,
    [TABLES],
  );
  return new Set(rows.map(({ name }) => name));
}

/**
 * Sends a table to the nodes, by the hash of the key, while events are stored; the keys first, whose shards the events
 * get. Outside a transaction, as a superuser; interrupted, the next call does it again.
 */
export async function distribute(db: Db, table: EventTable): Promise<void> {
  const [where, value] = table === 'event_keys' ? ['none', SHARDS] : ['event_keys', null];
  await db.query(
    `select create_distributed_table_concurrently($1::regclass, 'key_hash', colocate_with => $2, shard_count => $3)`,
    [table, where, value],
  );
}

/** Brings a table back to the coordinator; nothing reads or writes it meanwhile. As a superuser. */
export async function undistribute(db: Db, table: EventTable): Promise<void> {
  await db.query('select undistribute_table($1::regclass)', [table]);
}

/** The bytes of both tables on this server, without indexes. */
export async function bytesHere(db: Db): Promise<number> {
  const { rows } = await db.query<{ bytes: string }>(
    `select coalesce(sum(pg_table_size(part)), 0)::text as bytes from (
       select inhrelid as part from pg_inherits where inhparent = 'events'::regclass
       union all select 'event_keys'::regclass) as part`,
  );
  return Number(rows[0]!.bytes);
}

/** Renews the planner's statistics of both tables, wherever they lie. */
export async function analyzeTables(db: Db): Promise<void> {
  for (const table of TABLES) await db.query(`analyze ${table}`);
}
