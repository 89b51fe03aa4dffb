import type { Db } from '../connection/pool.ts';

/** A cut-off: what was stored when it was taken. */
export type Mark = { epoch: number; snapshot: string };

/**
 * Events by bucket (202612 for December 2026, 0 for all others), and keys, of those that a mark holds; `keys` is null
 * while one of the two tables is on the nodes alone.
 */
export type Counts = { events: Record<string, number>; keys: number | null };

/** Takes the mark of what is stored now, which nodes show once they have settled. */
export async function takeMark(db: Db): Promise<Mark> {
  const { rows } = await db.query<Mark>(
    `select (select max(epoch) from epochs) as epoch, pg_current_snapshot()::text as snapshot`,
  );
  return rows[0]!;
}

/** Counts the events of a mark by bucket. */
export async function countEvents(db: Db, { epoch, snapshot }: Mark): Promise<Counts['events']> {
  const { rows } = await db.query<{ bucket: number; count: string }>(
    `select e.bucket, count(*) as count from events e
     where event_in_cut_off(e.epoch, e.created_xid, $1, $2::pg_snapshot) group by e.bucket order by e.bucket`,
    [epoch, snapshot],
  );
  return Object.fromEntries(rows.map(({ bucket, count }) => [bucket, Number(count)]));
}

/**
 * Counts the keys of a mark: all but those of later events, those of events that have left too. In one statement, which
 * sees an event and its key together, where both tables lie on the same servers.
 */
export async function countKeys(db: Db, { epoch, snapshot }: Mark): Promise<number> {
  const { rows } = await db.query<{ count: string }>(
    `select count(*) as count from event_keys k where not exists (
       select 1 from events e
       where e.key_hash = k.key_hash and not event_in_cut_off(e.epoch, e.created_xid, $1, $2::pg_snapshot))`,
    [epoch, snapshot],
  );
  return Number(rows[0]!.count);
}
