import {
  aggregateUsage,
  applyCredits,
  issueInvoice,
  type BillingStep,
} from '../../src/billing/close/draft.ts';
import { createPool, transaction, type Pool } from '../../src/db/connection/pool.ts';
import { finishSubscriptions } from '../../src/db/subscriptions/subscription-context.ts';
import { seedPlan, seedSubscription, type SeededPlan } from '../../dev/seed-plan.ts';
import { addDays } from '../../src/domain/time/period.ts';
import { median } from '../figure.ts';
import type { Place } from '../servers.ts';
import { DAYS, DAYS_END, liveEnvironment, openTable, withPool, type TableSize } from './tables.ts';

const SETTINGS = { grace_period_ms: 0, late_usage_days: 35 };
const CLOSES = { most: 30, least: 3, ms: 3000 };
const HALF_DAY_MS = 43_200_000;

/** A month to close: the plan, the customer and the month's start. */
type Month = { plan: SeededPlan; customer_id: string; start_date: string };

export type Closing = {
  /** Throws unless both kinds of closes bill exactly what the events add up to. */
  check: (customer_id: string) => Promise<void>;
  /** Median time in ms to close a month of a customer that contains all of its events, from midnight to midnight. */
  month: (customer_id: string) => Promise<number>;
  /** Report from noon to noon, half a day shorter at either end, so that two days are partial. */
  noonToNoon: (customer_id: string) => Promise<number>;
};

/** Closes months of live subscriptions to a plan with a count and a sum, by the code of the worker's activities, without Temporal. */
export async function openClosing(place: Place, size: TableSize): Promise<Closing> {
  const { database_url } = await openTable(place, size);
  const pool = createPool(database_url, 1, { is_prepared: true });
  place.stops.add(() => pool.end());
  const environment_id = await liveEnvironment(database_url);
  const whole = { plan: await seedPlan(pool, environment_id, DAYS), start_date: addDays(DAYS_END, -DAYS) };
  const noon = new Date(Date.parse(whole.start_date) + HALF_DAY_MS).toISOString();
  const cut = { plan: await seedPlan(pool, environment_id, DAYS - 1), start_date: noon };
  return {
    async check(customer_id) {
      for (const kind of [whole, cut]) {
        const step = await subscribe(pool, { ...kind, customer_id });
        await close(pool, step);
        await withPool(database_url, (patient) => checkBill(patient, step));
      }
    },
    month: (customer_id) => medianClose(pool, { ...whole, customer_id }),
    noonToNoon: (customer_id) => medianClose(pool, { ...cut, customer_id }),
  };
}

/** Median time in ms of up to 30 closes, or of at least 3 if they are slow; each is of a new subscription without earlier bills. */
export async function medianClose(pool: Pool, month: Month): Promise<number> {
  const times: number[] = [];
  const deadline = performance.now() + CLOSES.ms;
  while (times.length < CLOSES.least || (times.length < CLOSES.most && performance.now() < deadline))
    times.push(await timeClose(pool, month));
  return median(times);
}

async function timeClose(pool: Pool, month: Month): Promise<number> {
  const step = await subscribe(pool, month);
  const started_at = performance.now();
  await close(pool, step);
  const ms = performance.now() - started_at;
  // Or the customer would have one subscription more at each close, and each of them looks at the others.
  await finishSubscriptions(pool, step.environment_id, [step.subscription_id]);
  return ms;
}

async function subscribe(pool: Pool, { plan, customer_id, start_date }: Month): Promise<BillingStep> {
  const key = await seedSubscription(pool, plan, { customer_id, start_date });
  return { ...key, period_start: start_date, revision: 1 };
}

async function close(pool: Pool, step: BillingStep): Promise<void> {
  await transaction(pool, (db) => aggregateUsage(db, step, SETTINGS));
  await transaction(pool, (db) => applyCredits(db, step, SETTINGS));
  await transaction(pool, (db) => issueInvoice(db, step, SETTINGS));
}

/** Compares with the events themselves, without the rollup. */
async function checkBill(pool: Pool, step: BillingStep): Promise<void> {
  const { rows } = await pool.query<{ event_name: string; billed: string; held: string }>(
    `with billed as (
       select p.period_start, p.period_end, l.event_name, l.quantity, l.aggregation ->> 'type' as aggregation,
         c.key as customer_key
       from line_items l
       join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.number is not null
       join periods p on p.environment_id = l.environment_id and p.subscription_id = l.subscription_id
         and p.period_start = $3
       join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
       where l.environment_id = $1 and l.subscription_id = $2
     )
     select b.event_name, min(b.quantity)::text as billed, case min(b.aggregation)
         when 'count' then count(*) else sum((e.properties ->> 'bytes')::numeric) end::text as held
     from billed b
     join events e on e.customer_key = b.customer_key and e.event_name = b.event_name
       and e.timestamp >= b.period_start and e.timestamp < b.period_end
     group by b.event_name`,
    [step.environment_id, step.subscription_id, step.period_start],
  );
  const wrong = rows.filter(({ billed, held }) => billed !== held);
  if (rows.length === 2 && wrong.length === 0) return;
  throw new Error(`${step.subscription_id} was billed ${JSON.stringify(rows)}`);
}
