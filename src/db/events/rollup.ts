import { readOnly, transaction, type Db, type Pool } from '../pool.ts';
import { takeAllBack } from '../set-aside.ts';
import type { Step } from './rollup-days.ts';
import { addStep } from './rollup-set-aside.ts';
import { takeTurn, waitForTurn } from './rollup-turn.ts';

/** Events of one step, more where one transaction stored more: a step takes seconds at most. */
const STEP_EVENTS = 1_000_000;
/** Events that are not rolled up and worth looking through for those of one customer or name; where there are more, nothing is known. */
export const UNROLLED_READ_MAX = 20_000;

/**
 * Adds the next events to the days of usage_days and event_days, in the order of storing, in one transaction; returns false where
 * there are none, or another process is at it. Nothing but the speed of billing depends on how often it runs: what is not
 * rolled up is read from the events.
 */
export async function rollUp(pool: Pool, step_events = STEP_EVENTS): Promise<boolean> {
  return transaction(pool, async (db) => {
    if (!(await takeTurn(db))) return false;
    const step = await nextStep(db, step_events);
    if (step === null) return false;
    await addStep(db, step);
    await db.query('update epochs set rolled_up_to = $2 where epoch = $1', [step.epoch, step.to_xid]);
    return true;
  });
}

/** Forgets what was rolled up, so that all of it is rolled up again. Until then billing reads the events. */
export async function forgetRollup(pool: Pool): Promise<void> {
  await transaction(pool, async (db) => {
    await waitForTurn(db);
    await db.query(`update epochs set rolled_up_to = '0'`);
    await db.query('delete from usage_days');
    await db.query('delete from event_days');
    await takeAllBack(db, 'rollup');
  });
}

/** How many events are not rolled up yet, counted up to `limit`. */
export async function countUnrolled(pool: Pool, limit: number): Promise<number> {
  const { rows } = await readOnly(pool, (db) =>
    db.query<{ count: number }>(`select count(*)::integer as count from ${unrolled('$1')} as e`, [limit]),
  );
  return rows[0]!.count;
}

/**
 * The events `e` that are not rolled up, of each epoch the first so many. Ordered and cut, so that no planner reads anything
 * but events_stored, whatever it believes of the table.
 */
export function unrolled(limit: string): string {
  return `(
    select recent.* from epochs cross join lateral (
      select e.environment_id, e.customer_key, e.event_name, e.timestamp from events e
      where e.epoch = epochs.epoch and e.created_xid >= epochs.rolled_up_to
      order by e.created_xid limit ${limit}) as recent)`;
}

/**
 * The oldest epoch that has more. Of the last one what is below the oldest transaction that still runs: all of it is committed or
 * gone, and nothing can come below any more. Of the epochs before it everything.
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
