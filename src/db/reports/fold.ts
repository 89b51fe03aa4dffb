import { rowsOfBatch, type Consumer } from '../changes/consumers.ts';
import type { Step } from '../events/rollup.ts';
import { queryWithHashes, tryRollupLock, waitForRollupLock } from '../events/rollup-turn.ts';
import { createParameters } from '../connection/parameters.ts';
import { attempt, transaction, type Db, type Pool } from '../connection/pool.ts';
import {
  endSetAside,
  nextSetAside,
  orSetAside,
  REST_MS,
  setAside,
  type Customer,
} from '../customers/set-aside.ts';
import { addCounts, countDifference, type ChangedDays, type ChangesQuery } from './billing-days.ts';
import { countCauses, countedDay, countedDays, type CountedRow } from './counted-causes.ts';
import { daysOf } from './days-of.ts';
import { eventsOfStep } from './event-sources.ts';
import { noteUsage } from './usage-notices.ts';
import { readLateUsageDays } from './report-settings.ts';

/** Days of customers that are judged at once: their memory, and a second of work. */
const DAYS_AT_ONCE = 30_000;
/** Rows of the log that one transaction counts, for which the next step of the rollup waits: some hundred bills. */
const ROWS_MAX = 1000;
/** Customers whose changed days are counted at once. */
const CUSTOMERS_AT_ONCE = 200;
const ALL_DAYS = { from: '1970-01-01T00:00:00.000Z', to: '9999-12-31T00:00:00.000Z' };

/**
 * Adds the events of a step of the rollup to billing_days, by cause. In the transaction of the step, so that both hold
 * the same events. A customer for which it fails is set aside, and counted again later.
 */
export async function foldStep(db: Db, step: Step): Promise<void> {
  const late_usage_days = await readLateUsageDays(db);
  await declareDays(db, step);
  for (;;) {
    // Not described by the database before the cursor exists, so its type is not checked (test/db/statements.test.ts).
    const { rows }: { rows: CountedRow[] } = await db.query(`fetch ${DAYS_AT_ONCE} from folded_days`);
    for (const environment_id of new Set(rows.map((row) => row.environment_id)))
      await addPart(db, {
        step,
        environment_id,
        late_usage_days,
        rows: rows.filter((row) => row.environment_id === environment_id),
      });
    if (rows.length < DAYS_AT_ONCE) break;
  }
  await db.query('close folded_days');
}

/**
 * Opens a cursor over the days of a step, so that its memory does not grow with the step. Leaves out customers that are
 * set aside.
 */
async function declareDays(db: Db, step: Step): Promise<void> {
  const { values, parameter } = createParameters();
  await queryWithHashes(
    db,
    `declare folded_days cursor for
     with day as materialized (${countedDays(eventsOfStep(step)(parameter))})
     select * from day
     where not exists (
       select from set_aside s join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
       where s.job = 'usage_report' and c.key = day.customer_key)
     order by environment_id, customer_key`,
    values,
  );
}

type Part = { step: Step; environment_id: number; late_usage_days: number; rows: readonly CountedRow[] };

async function addPart(db: Db, { step, environment_id, late_usage_days, rows }: Part): Promise<void> {
  const customers = await customersOf(db, rows);
  await orSetAside(db, 'usage_report', customers, async (some) => {
    const part = new Set(some.map(({ customer_key }) => customer_key));
    const days = rows.filter(({ customer_key }) => part.has(customer_key)).map((row) => countedDay(row));
    const query = { environment_id, late_usage_days, days, source: eventsOfStep(step) };
    const counts = await countCauses(db, query);
    await addCounts(db, environment_id, counts);
    await noteUsage(db, environment_id, counts);
  });
}

/** The customers of events, with the instant of the oldest of these. */
async function customersOf(
  db: Db,
  days: readonly CountedRow[],
): Promise<(Customer & { customer_key: string })[]> {
  const { rows } = await db.query<Customer & { customer_key: string }>(
    `select c.environment_id, c.id as customer_id, c.key as customer_key, min(d.stored_at) as noted_at
     from unnest($1::bigint[], $2::timestamptz[]) as d(customer_key, stored_at)
     join customers c on c.key = d.customer_key group by c.environment_id, c.id, c.key`,
    [days.map(({ customer_key }) => customer_key), days.map(({ first_stored_at }) => first_stored_at)],
  );
  return rows;
}

/**
 * Days of a customer whose causes may have changed, and whether its daily totals, which the counts follow, are set
 * aside.
 */
type Changed = Customer & ChangedDays & { has_no_totals: boolean };

/**
 * The consumer of the log that counts days again: an issue, a void, a subscription and whatever else changes a cause. A
 * change that commits meanwhile is read next time.
 */
export const REPORTS: Consumer = {
  name: 'reports',
  rows_max: ROWS_MAX,
  work: async (db) => {
    await waitForRollupLock(db);
    const late_usage_days = await readLateUsageDays(db);
    const changed = await changedBy(db);
    const waiting = changed.filter(({ has_no_totals }) => has_no_totals);
    await setAside(db, 'usage_report', waiting, 'its daily totals, which the counts follow, are set aside');
    const ready = changed.filter(({ has_no_totals }) => !has_no_totals);
    for (const environment_id of new Set(ready.map((customer) => customer.environment_id))) {
      const customers = ready.filter((customer) => customer.environment_id === environment_id);
      for (let first = 0; first < customers.length; first += CUSTOMERS_AT_ONCE)
        await orSetAside(db, 'usage_report', customers.slice(first, first + CUSTOMERS_AT_ONCE), (part) =>
          fold(db, { environment_id, late_usage_days, changed: part }),
        );
    }
  },
};

async function changedBy(db: Db): Promise<Changed[]> {
  const { rows } = await db.query<Changed>(
    `select d.environment_id, d.customer_key, d.customer_id, d.days_from as from, d.days_to as to, d.noted_at,
       exists (select from set_aside s where s.environment_id = d.environment_id and s.customer_id = d.customer_id
         and s.job = 'rollup') as has_no_totals
     from ${daysOf(rowsOfBatch('reports', ROWS_MAX))} as d order by d.environment_id, d.customer_key`,
  );
  return rows;
}

async function fold(db: Db, query: ChangesQuery): Promise<void> {
  await addCounts(db, query.environment_id, await countDifference(db, query));
}

/** Counts a customer again, all its days, that was set aside at least `rest_ms` ago. Returns false if there is none. */
export async function retryFold(pool: Pool, rest_ms = REST_MS): Promise<boolean> {
  return transaction(pool, async (db) => {
    if (!(await tryRollupLock(db))) return false;
    const customer = await nextSetAside(db, 'usage_report', rest_ms, 'rollup');
    if (customer === null) return false;
    const { environment_id, customer_key } = customer;
    const late_usage_days = await readLateUsageDays(db);
    const changed = [{ customer_key, ...ALL_DAYS }];
    const failure = await attempt(db, () => fold(db, { environment_id, late_usage_days, changed }));
    if (failure === null) await endSetAside(db, 'usage_report', customer);
    else await setAside(db, 'usage_report', [customer], failure.message);
    return true;
  });
}
