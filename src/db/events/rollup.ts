import { readOnly, transaction, type Db, type Pool } from '../pool.ts';
import { endAllSetAside } from '../set-aside.ts';
import type { Step } from './rollup-days.ts';
import { addStep } from './rollup-set-aside.ts';
import { tryRollupLock, waitForRollupLock } from './rollup-turn.ts';

/** Events per step, more if one transaction stored more; a step takes a few seconds at most. */
const STEP_EVENTS = 1_000_000;
/** Limit of events, not yet rolled up, that a query scans for one customer or name. If there are more, the query gives up. */
export const UNROLLED_READ_MAX = 20_000;

/**
 * Rolls up the next events, in the order of storing, into usage_days, usage_cells and event_days; one transaction. Returns false if there is nothing to
 * roll up, or if another process is rolling up. Only the speed of billing depends on the rollup: bills read events that are not rolled up.
 */
export async function rollUp(pool: Pool, step_events = STEP_EVENTS): Promise<boolean> {
  return transaction(pool, async (db) => {
    if (!(await tryRollupLock(db))) return false;
    const step = await nextStep(db, step_events);
    if (step === null) return false;
    await addStep(db, step);
    await db.query('update epochs set rolled_up_to = $2 where epoch = $1', [step.epoch, step.to_xid]);
    return true;
  });
}

/** Deletes the rollup, so that everything is rolled up again. Until then billing reads the events. */
export async function forgetRollup(pool: Pool): Promise<void> {
  await transaction(pool, async (db) => {
    await waitForRollupLock(db);
    await db.query(`update epochs set rolled_up_to = '0'`);
    await db.query('delete from usage_days');
    await db.query('delete from usage_cells');
    await db.query('delete from event_days');
    await endAllSetAside(db, 'rollup');
  });
}

/** Number of events that are not rolled up, counted up to `limit`. */
export async function countUnrolled(pool: Pool, limit: number): Promise<number> {
  const { rows } = await readOnly(pool, (db) =>
    db.query<{ count: number }>(`select count(*)::integer as count from ${unrolled('$1')} as e`, [limit]),
  );
  return rows[0]!.count;
}

/**
 * SQL: for each epoch the first `limit` events `e` that are not rolled up. Order and limit force the planner to use the index
 * events_stored, whatever it assumes about the table.
 */
export function unrolled(limit: string): string {
  return `(
    select recent.* from epochs cross join lateral (
      select e.environment_id, e.customer_key, e.event_name, e.timestamp from events e
      where e.epoch = epochs.epoch and e.created_xid >= epochs.rolled_up_to
      order by e.created_xid limit ${limit}) as recent)`;
}

/**
 * The next step of the oldest epoch with events left. In the current epoch, only transactions older than the oldest running one: each has
 * committed or aborted, and no lower id can appear. In earlier epochs, all transactions.
 */
async function nextStep(db: Db, step_events: number): Promise<Step | null> {
  const { rows } = await db.query<Step>(
    `with finished as (
       select epoch, rolled_up_to, case when epoch = max(epoch) over () then pg_snapshot_xmin(pg_current_snapshot())
         else '18446744073709551615' end as up_to
       from epochs
     )
     select f.epoch, f.rolled_up_to::text as from_xid, (last.xid::text::numeric + 1)::text as to_xid
     from finished f cross join lateral (
       select max(created_xid) as xid from (
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
