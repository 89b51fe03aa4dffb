import { addStep } from '../../src/db/reports/rollup-set-aside.ts';
import { nextStep } from '../../src/db/events/rollup.ts';
import { tryRollupLock } from '../../src/db/events/rollup-turn.ts';
import { transaction, type Pool } from '../../src/db/connection/pool.ts';
import { consumeAll } from '../../src/db/changes/consume.ts';
import { REPORTS } from '../../src/db/reports/fold.ts';
import { forgetRollup, rollUp } from '../../src/db/reports/roll-up.ts';
import { seedPlan, seedSubscription } from '../../dev/seed-plan.ts';
import { addDays } from '../../src/domain/time/period.ts';
import type { Place } from '../servers.ts';
import { DAYS, DAYS_END, liveEnvironment, openTable, withPool, type TableSize } from './tables.ts';

const STEP_EVENTS = 1_000_000;

/** A table of which every customer is subscribed, with all changes folded. */
export async function openReported(place: Place, size: TableSize): Promise<Place> {
  const table = await openTable(place, size);
  await withPool(table.database_url, async (pool) => {
    const customers = await unsubscribed(pool);
    if (customers.length === 0) return;
    const environment_id = await liveEnvironment(table.database_url);
    const plan = await seedPlan(pool, environment_id, DAYS);
    for (const customer_id of customers)
      await seedSubscription(pool, plan, { customer_id, start_date: addDays(DAYS_END, -DAYS) });
    const started_at = performance.now();
    await consumeAll(pool, REPORTS);
    const took_ms = performance.now() - started_at;
    place.say(`  ${customers.length} new subscriptions folded in ${(took_ms / 1000).toFixed(1)} s`);
    await pool.query('vacuum (analyze) billing_days, report_days, subscriptions, periods');
  });
  return table;
}

async function unsubscribed(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select c.id from customers c join environments n on n.id = c.environment_id and n.livemode
     where not exists (select from subscriptions s where s.environment_id = c.environment_id and s.customer_id = c.id)
     order by c.key`,
  );
  return rows.map(({ id }) => id);
}

/** Events per second at which a table is rolled up anew, with the counts by cause or without. */
export function rollUpAnew(database_url: string, with_causes: boolean): Promise<number> {
  return withPool(database_url, async (pool) => {
    await forgetRollup(pool);
    await pool.query('vacuum usage_days, event_days, billing_days, report_days');
    const { rows } = await pool.query<{ events: string }>('select count(*) as events from events');
    const started_at = performance.now();
    while (await (with_causes ? rollUp(pool) : rollUpAlone(pool)));
    return (Number(rows[0]!.events) * 1000) / (performance.now() - started_at);
  });
}

/** The step of the rollup without the counts by cause. */
function rollUpAlone(pool: Pool): Promise<boolean> {
  return transaction(pool, async (db) => {
    await tryRollupLock(db);
    const step = await nextStep(db, STEP_EVENTS);
    if (step === null) return false;
    await addStep(db, step);
    await db.query('update epochs set rolled_up_to = $2 where epoch = $1', [step.epoch, step.to_xid]);
    return true;
  });
}
