import type { Db } from '../connection/pool.ts';

/**
 * The readers of the log: the check of the invariants, the counts by cause that reports read, the feed, emails, and
 * collections.
 */
export type ConsumerName = 'check' | 'reports' | 'feed' | 'emails' | 'collections';

/**
 * A reader of the log, and the most rows of a batch. `work` does what the batch asks for (rowsOfBatch), in the
 * transaction that moves the place. With `in_order_of`, batches have the rows of these tables alone, in the order of
 * commits (rowsByCommit).
 */
export type Consumer = {
  name: ConsumerName;
  rows_max: number;
  in_order_of?: readonly string[];
  work: (db: Db) => Promise<void>;
};

const HELD = 'event_in_cut_off(r.epoch, r.created_xid, c.epoch, c.snapshot)';
const HELD_NEXT = 'event_in_cut_off(r.epoch, r.created_xid, c.next_epoch, c.next_snapshot)';
const AFTER_LAST = '(r.epoch, r.created_xid, r.id) > (c.last_epoch, c.last_xid, c.last_id)';

/**
 * SQL: the first rows of the log, in the order of its key, that the place of a consumer does not hold. A transaction
 * that commits late is held by no earlier place, and so comes next. Order and limit force the planner to use the key,
 * whatever it assumes about the table.
 */
function rowsOf(name: ConsumerName, condition: string, limit: string): string {
  return `(
    select r.* from consumers c cross join lateral (
      select * from row_changes r where ${condition} and not ${HELD}
      order by r.epoch, r.created_xid, r.id limit ${limit}) as r
    where c.name = '${name}')`;
}

/** SQL: the first rows that a consumer has not read, as a relation. */
export function unread(name: ConsumerName, limit: number | string): string {
  const condition = `(r.epoch, r.created_xid) >= (c.epoch, pg_snapshot_xmin(c.snapshot))
      and (c.last_id is null or ${AFTER_LAST} or not ${HELD_NEXT})`;
  return rowsOf(name, condition, `${limit}`);
}

/** SQL: the rows of the batch that is next, as a relation. */
export function rowsOfBatch(name: ConsumerName, rows_max: number): string {
  return rowsOf(name, `${AFTER_LAST} and ${HELD_NEXT}`, `${rows_max}`);
}

/**
 * SQL: the rows of the batch that is next, of these tables, as a relation: transactions in the order of their last row,
 * `last_row`, then rows. One that changes a row after another has committed writes its row to the log after it. All
 * that is left up to the next place is read for each batch, because a transaction with a small number may be the last.
 */
export function rowsByCommit(name: ConsumerName, rows_max: number, tables: readonly string[]): string {
  const of_tables = `r.table_name in (${tables.map((table) => `'${table}'`).join(', ')})`;
  return `(
    with place as (select * from consumers where name = '${name}'),
    left_over as (
      select r.*, max(r.id) over (partition by r.epoch, r.created_xid) as last_row
      from place c join row_changes r on (r.epoch, r.created_xid) >= (c.epoch, pg_snapshot_xmin(c.snapshot))
        and ${HELD_NEXT} and not ${HELD} and ${of_tables}),
    last as (
      select c.last_epoch, c.last_id, max(o.id) as last_row
      from place c left join left_over o on o.epoch = c.last_epoch and o.created_xid = c.last_xid
      group by c.last_epoch, c.last_id)
    select r.* from left_over r cross join last
    where last.last_id = 0 or (r.epoch, r.last_row, r.id) > (last.last_epoch, last.last_row, last.last_id)
    order by r.epoch, r.last_row, r.id limit ${rows_max})`;
}

/** The number of rows that a consumer has not read, counted up to `limit`. */
export async function countUnread(db: Db, name: ConsumerName, limit: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from ${unread(name, '$1')} as r`,
    [limit],
  );
  return rows[0]!.count;
}

/** An age of unread rows above which a person should know: the feed is at most a second late unless no worker runs. */
export const LATE_SECONDS = 10;

/** The age, in seconds, of the first row that a consumer has not read; 0 if it has read all. */
export async function unreadSeconds(db: Db, name: ConsumerName): Promise<number> {
  const { rows } = await db.query<{ seconds: number | null }>(
    `select extract(epoch from now() - r.noted_at)::float8 as seconds from ${unread(name, 1)} as r`,
  );
  return Math.max(rows[0]?.seconds ?? 0, 0);
}

/** True if a consumer has nothing to read, and no batches to go on with. */
export async function isIdle(db: Db, name: ConsumerName): Promise<boolean> {
  const { rows } = await db.query<{ is_idle: boolean }>(
    `select c.last_id is null and (select r.id from ${unread(name, 1)} as r) is null as is_idle
     from consumers c where c.name = $1`,
    [name],
  );
  return rows[0]!.is_idle;
}

/** Locks a consumer for this transaction; false if another process works for it. */
export async function lockConsumer(db: Db, name: ConsumerName): Promise<boolean> {
  const { rowCount } = await db.query('select from consumers where name = $1 for update skip locked', [name]);
  return rowCount === 1;
}

/**
 * Lets the batches of a consumer that the caller has locked go up to all that is visible now. False if earlier ones are
 * under way.
 */
export async function beginBatches(db: Db, name: ConsumerName): Promise<boolean> {
  const { rowCount } = await db.query(
    `update consumers set next_epoch = (select max(epoch) from epochs), next_snapshot = pg_current_snapshot(),
       last_epoch = epoch, last_xid = pg_snapshot_xmin(snapshot), last_id = 0
     where name = $1 and last_id is null`,
    [name],
  );
  return rowCount === 1;
}

/** The last row of a batch, and whether the batch has as many as it may. */
export type LastRow = { epoch: number; created_xid: string; id: string; is_full: boolean };

/** The end of the batch that is next; null if it is empty. */
export async function endOfBatch(db: Db, { name, rows_max, in_order_of }: Consumer): Promise<LastRow | null> {
  const [batch, order] =
    in_order_of === undefined
      ? [rowsOfBatch(name, rows_max), 'r.created_xid']
      : [rowsByCommit(name, rows_max, in_order_of), 'r.last_row'];
  const { rows } = await db.query<LastRow>(
    `select r.epoch, r.created_xid::text, r.id::text, count(*) over () = $1 as is_full
     from ${batch} as r order by r.epoch desc, ${order} desc, r.id desc limit 1`,
    [rows_max],
  );
  return rows[0] ?? null;
}

/** Moves a consumer behind a full batch; behind another, its place is what was visible when the batches began. */
export async function moveOn(db: Db, name: ConsumerName, last: LastRow | null): Promise<void> {
  if (last?.is_full === true)
    await db.query('update consumers set last_epoch = $2, last_xid = $3, last_id = $4 where name = $1', [
      name,
      last.epoch,
      last.created_xid,
      last.id,
    ]);
  else
    await db.query(
      `update consumers set epoch = next_epoch, snapshot = next_snapshot, next_epoch = null, next_snapshot = null,
         last_epoch = null, last_xid = null, last_id = null where name = $1`,
      [name],
    );
}
