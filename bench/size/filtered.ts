import { fillDimensions } from '../../src/db/events/rollup-cells.ts';
import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import { seedPlan, seedSubscription } from '../../dev/seed-plan.ts';
import { addDays } from '../../src/domain/time/period.ts';
import type { Measure } from '../figure.ts';
import type { Place } from '../servers.ts';
import { numbersBelow } from '../waiting.ts';
import { medianClose } from './closing.ts';
import { DAYS, DAYS_END, LARGE, liveEnvironment, openTable } from './tables.ts';

/** Number of charges, equal to the number of endpoints of the seeded events of a name. */
const CHARGES = 100;
const EVENT_NAME = 'api_call_0';
const START = addDays(DAYS_END, -DAYS);

/** Closing the month of a customer with a tenth of all events: on a charge for each endpoint of a name, and on one charge for the name. */
export async function openFiltered(place: Place): Promise<{ ours: Measure; theirs: Measure }> {
  const { database_url } = await openTable(place, 'large');
  const pool = createPool(database_url, 1, { is_prepared: true, statement_ms: 600_000 });
  place.stops.add(() => pool.end());
  const environment_id = await liveEnvironment(database_url);
  const counting = { event_name: EVENT_NAME, aggregation: { type: 'count' } } as const;
  const filtered = numbersBelow(CHARGES).map((number) => ({
    ...counting,
    filters: { endpoint: [`/v1/e${`${number}`.padStart(5, '0')}`] },
  }));
  const plan_of_one = await seedPlan(pool, environment_id, DAYS, [counting]);
  const hundred = await seedPlan(pool, environment_id, DAYS, filtered);
  const month = { customer_id: LARGE.external_id, start_date: START };
  await seedSubscription(pool, hundred, month);
  const started_at = performance.now();
  while (await fillDimensions(pool));
  place.say(`  totals by endpoint filled in ${((performance.now() - started_at) / 1000).toFixed(1)} s`);
  await pool.query('vacuum (analyze) usage_cells');
  const ours = () => medianClose(pool, { plan: hundred, ...month });
  const theirs = () => medianClose(pool, { plan: plan_of_one, ...month });
  await ours();
  await theirs();
  await check(pool, hundred.id);
  // As autovacuum would minutes later.
  await pool.query('analyze');
  return { ours, theirs };
}

/** Throws unless the charges together billed every event of the name once, on each invoice of the plan. */
async function check(pool: Pool, plan_id: string): Promise<void> {
  const { rows } = await pool.query<{ billed: string; held: string }>(
    `select i.id, sum(l.quantity)::text as billed, (
         select count(*) from events e join customers c on c.key = e.customer_key
         where c.id = i.customer_id and e.event_name = $2 and e.timestamp >= i.period_start
           and e.timestamp < i.period_end)::text as held
     from invoices i join line_items l on l.environment_id = i.environment_id and l.invoice_id = i.id
     where i.plan_id = $1 and i.number is not null group by i.id, i.customer_id, i.period_start, i.period_end`,
    [plan_id, EVENT_NAME],
  );
  const wrong = rows.filter(({ billed, held }) => Number(billed) !== Number(held));
  if (rows.length === 0 || wrong.length > 0) throw new Error(`billed wrongly: ${JSON.stringify(wrong)}`);
}
