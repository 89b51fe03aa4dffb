import { addStep } from './rollup-set-aside.ts';
import { tryRollupLock, waitForRollupLock } from '../events/rollup-turn.ts';
import { nextStep } from '../events/rollup.ts';
import { transaction, type Pool } from '../connection/pool.ts';
import { endAllSetAside } from '../customers/set-aside.ts';
import { foldStep } from './fold.ts';

/** Events per step, more if one transaction stored more; a step takes a few seconds at most. */
const STEP_EVENTS = 1_000_000;

/**
 * Rolls up the next events, in the order of storing, into usage_days, usage_cells, event_days and billing_days; one
 * transaction. Returns null if there is nothing to roll up, or if another process is rolling up, else whether the step
 * was full. Only the speed of billing and reports depends on the rollup: both read events that are not rolled up.
 */
export async function rollUp(pool: Pool, step_events = STEP_EVENTS): Promise<{ is_full: boolean } | null> {
  return transaction(pool, async (db) => {
    if (!(await tryRollupLock(db))) return null;
    const step = await nextStep(db, step_events);
    if (step === null) return null;
    await addStep(db, step);
    await foldStep(db, step);
    await db.query('update epochs set rolled_up_to = $2 where epoch = $1', [step.epoch, step.to_xid]);
    return { is_full: step.is_full };
  });
}

/**
 * Deletes the rollup, so that everything is rolled up again. Until then billing reads the events. Returns false, and
 * deletes nothing, if events are archived: their days could not be counted again.
 */
export async function forgetRollup(pool: Pool): Promise<boolean> {
  return transaction(pool, async (db) => {
    await waitForRollupLock(db);
    const { rows } = await db.query('select from customers where archived_to is not null limit 1');
    if (rows.length > 0) return false;
    await db.query(`update epochs set rolled_up_to = '0'`);
    for (const table of ['usage_days', 'usage_cells', 'event_days', 'billing_days', 'report_days'])
      await db.query(`delete from ${table}`);
    await endAllSetAside(db, 'rollup');
    await endAllSetAside(db, 'usage_report');
    return true;
  });
}
