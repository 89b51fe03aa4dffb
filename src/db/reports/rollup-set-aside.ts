import { attempt, transaction, type Db, type Pool } from '../connection/pool.ts';
import {
  endSetAside,
  isAnySetAside,
  nextSetAside,
  orSetAside,
  REST_MS,
  setAside,
  type Customer,
} from '../customers/set-aside.ts';
import { addDays, addDaysOf, addEventDays, rebuildDays } from '../events/rollup-days.ts';
import type { Step } from '../events/rollup.ts';
import { tryRollupLock } from '../events/rollup-turn.ts';

type StepCustomer = Customer & { customer_key: string };

/**
 * Adds a step to the rollup. If the rows of some customers make it fail, sets those customers aside and adds the
 * others, so that no single value stops the whole rollup. Bills of customers set aside read the events
 * (src/db/usage/daily-usage.ts).
 */
export async function addStep(db: Db, step: Step): Promise<void> {
  if (!(await isAnySetAside(db, 'rollup')) && (await attempt(db, () => addDays(db, step))) === null) return;
  await addEventDays(db, step);
  await orSetAside(db, 'rollup', await customersOf(db, step), async (customers) => {
    const keys = customers.map(({ customer_key }) => customer_key);
    await addDaysOf(db, step, keys);
  });
}

/** Customers with events in a step, without customers already set aside. */
async function customersOf(db: Db, { epoch, from_xid, to_xid }: Step): Promise<StepCustomer[]> {
  const { rows } = await db.query<StepCustomer>(
    `select c.environment_id, c.id as customer_id, c.key as customer_key
     from (
       select distinct customer_key from events where epoch = $1 and created_xid >= $2 and created_xid < $3
     ) as e
     join customers c on c.key = e.customer_key
     where not exists (
       select from set_aside s where s.environment_id = c.environment_id and s.job = 'rollup' and s.customer_id = c.id
     )
     order by c.key`,
    [epoch, from_xid, to_xid],
  );
  return rows;
}

/**
 * Retries one customer that was set aside at least `rest_ms` ago. Returns false if there is none, or if another process
 * is rolling up.
 */
export async function retryRollup(pool: Pool, rest_ms = REST_MS): Promise<boolean> {
  return transaction(pool, async (db) => {
    if (!(await tryRollupLock(db))) return false;
    const customer = await nextSetAside(db, 'rollup', rest_ms);
    if (customer === null) return false;
    const failure = await attempt(db, () => rebuildDays(db, customer.customer_key));
    if (failure === null) await endSetAside(db, 'rollup', customer);
    else await setAside(db, 'rollup', [customer], failure.message);
    return true;
  });
}
