import { readOnly, type Db, type Pool } from '../connection/pool.ts';
import type { Step } from './rollup-days.ts';

/**
 * Limit of events, not yet rolled up, that a query scans for one customer or name. If there are more, the query gives
 * up.
 */
export const UNROLLED_READ_MAX = 20_000;

/** Number of events that are not rolled up, counted up to `limit`. */
export async function countUnrolled(pool: Pool, limit: number): Promise<number> {
  const { rows } = await readOnly(pool, (db) =>
    db.query<{ count: number }>(`select count(*)::integer as count from ${unrolled('$1')} as e`, [limit]),
  );
  return rows[0]!.count;
}

/**
 * SQL: for each epoch the first `limit` events `e` that are not rolled up. Order and limit force the planner to use the
 * index events_stored, whatever it assumes about the table.
 */
export function unrolled(limit: string): string {
  return `(
    select recent.* from epochs cross join lateral (
      select e.environment_id, e.customer_key, e.event_name, e.timestamp from events e
      where e.epoch = epochs.epoch and e.created_xid >= epochs.rolled_up_to
      order by e.created_xid limit ${limit}) as recent)`;
}

/**
 * The next step of the oldest epoch with events left. In the current epoch, only transactions older than the oldest
 * running one: each has committed or aborted, and no lower id can appear. In earlier epochs, all transactions.
 * `is_full` if it has `step_events` events or more, so that others may follow.
 */
export async function nextStep(db: Db, step_events: number): Promise<(Step & { is_full: boolean }) | null> {
  const { rows } = await db.query<Step & { is_full: boolean }>(
    `with finished as (
       select epoch, rolled_up_to, case when epoch = max(epoch) over () then pg_snapshot_xmin(pg_current_snapshot())
         else '18446744073709551615' end as up_to
       from epochs
     )
     select f.epoch, f.rolled_up_to::text as from_xid, (last.xid::text::numeric + 1)::text as to_xid, last.is_full
     from finished f cross join lateral (
       select max(created_xid) as xid, count(*) >= $1 as is_full from (
         select e.created_xid from events e
         where e.epoch = f.epoch and e.created_xid >= f.rolled_up_to and e.created_xid < f.up_to
         order by e.created_xid limit $1) as taken
     ) as last
     where last.xid is not null
     order by f.epoch limit 1`,
    [step_events],
  );
  return rows[0] ?? null;
}
