import {
  changesOf,
  deleteChanges,
  noteAllDays,
  oldestChanges,
  readLateUsageDays,
  type CustomerChanges,
} from './billing-changes.ts';
import type { Step } from '../events/rollup-days.ts';
import { queryWithHashes, tryRollupLock } from '../events/rollup-turn.ts';
import { bisect } from '../connection/bisect.ts';
import { createParameters } from '../connection/parameters.ts';
import { attempt, transaction, type Db, type Pool } from '../connection/pool.ts';
import { endSetAside, nextSetAside, REST_MS, setAside } from '../customers/set-aside.ts';
import { addCounts, countDifference } from './billing-days.ts';
import { countCauses, countedDay, countedDays, type CountedRow } from './counted-causes.ts';
import { eventsOfStep } from './event-sources.ts';

/** Days of customers that are judged at once: their memory, and a second of work. */
const DAYS_AT_ONCE = 30_000;
/** Customers whose changes one transaction folds, which the next step of the rollup waits for. */
const CUSTOMERS_AT_ONCE = 200;
/** Limit of divisions of a part that fails; beyond it the part is set aside as a whole, and its customers are tried one by one. */
const DIVISIONS_MAX = 64;

/**
 * Adds the events of a step of the rollup to billing_days, by cause. In the transaction of the step, so that both hold the same events. A
 * customer for which it fails is set aside, and counted again later.
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

/** Opens a cursor over the days of a step, so that its memory does not grow with the step. Leaves out customers that are set aside. */
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
  const customers = [...new Set(rows.map(({ customer_key }) => customer_key))];
  await bisect(customers, {
    divisions_max: DIVISIONS_MAX,
    tryPart: (keys) =>
      attempt(db, async () => {
        const part = new Set(keys);
        const days = rows.filter(({ customer_key }) => part.has(customer_key)).map((row) => countedDay(row));
        const query = { environment_id, late_usage_days, days, source: eventsOfStep(step) };
        await addCounts(db, environment_id, await countCauses(db, query));
      }),
    giveUp: async (keys, failure) => leaveOut(db, await idsOf(db, keys), failure),
  });
}

type CustomerId = { environment_id: number; customer_id: string };

async function leaveOut(db: Db, customers: readonly CustomerId[], failure: Error): Promise<void> {
  await setAside(db, 'usage_report', customers, failure.message);
  await noteAllDays(db, customers);
}

async function idsOf(db: Db, customer_keys: readonly string[]): Promise<CustomerId[]> {
  const { rows } = await db.query<CustomerId>(
    'select environment_id, id as customer_id from customers where key = any($1)',
    [customer_keys],
  );
  return rows;
}

/**
 * Counts the customers again whose changes are oldest: an issue, a void, a subscription and whatever else changes a cause. Returns false if
 * there are no changes, or if another process is rolling up.
 */
export async function foldChanges(pool: Pool): Promise<boolean> {
  return transaction(pool, async (db) => {
    if (!(await tryRollupLock(db))) return false;
    const late_usage_days = await readLateUsageDays(db);
    const changes = await oldestChanges(db, CUSTOMERS_AT_ONCE);
    for (const environment_id of new Set(changes.map((change) => change.environment_id)))
      await bisect(
        changes.filter((change) => change.environment_id === environment_id),
        {
          divisions_max: DIVISIONS_MAX,
          tryPart: (part) => attempt(db, () => fold(db, part, late_usage_days)),
          giveUp: (part, failure) => leaveOut(db, known(part), failure),
        },
      );
    return changes.length > 0;
  });
}

function known(changes: readonly CustomerChanges[]): CustomerId[] {
  return changes.flatMap(({ environment_id, customer_id }) =>
    customer_id === null ? [] : [{ environment_id, customer_id }],
  );
}

/** Folds changes of one environment. A change that commits meanwhile is not deleted, and is folded next time. */
async function fold(db: Db, changed: readonly CustomerChanges[], late_usage_days: number): Promise<void> {
  const { environment_id } = changed[0]!;
  await addCounts(
    db,
    environment_id,
    await countDifference(db, { environment_id, late_usage_days, changed }),
  );
  await deleteChanges(db, changed);
}

/** Counts a customer again that was set aside at least `rest_ms` ago. Returns false if there is none. */
export async function retryFold(pool: Pool, rest_ms = REST_MS): Promise<boolean> {
  return transaction(pool, async (db) => {
    if (!(await tryRollupLock(db))) return false;
    const customer = await nextSetAside(db, 'usage_report', rest_ms);
    if (customer === null) return false;
    const failure = await attempt(db, async () => {
      const changes = await changesOf(db, customer.customer_key);
      if (changes !== null) await fold(db, [changes], await readLateUsageDays(db));
    });
    if (failure === null) await endSetAside(db, 'usage_report', customer);
    else await setAside(db, 'usage_report', [customer], failure.message);
    return true;
  });
}
