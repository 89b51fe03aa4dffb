import assert from 'node:assert/strict';
import { readOnly, type Pool } from '../../src/db/pool.ts';
import { countSetAside } from '../../src/db/set-aside.ts';
import { foldChanges, retryFold } from '../../src/db/usage/fold.ts';
import { rollUp } from '../../src/db/usage/roll-up.ts';
import { readUsageReport } from '../../src/db/usage/usage-report.ts';
import * as given from '../support/billing.ts';

const JANUARY = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' };

describe('the counts by cause of a customer for whom they fail', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  /** Raises an error for every count of a customer, as a row that a constraint refuses would. */
  async function refuse(customer: given.TestCustomer): Promise<void> {
    await pool.query(
      `create function refused() returns trigger language plpgsql as $$
       begin
         if new.customer_key = ${customer.key} then raise exception 'no such count' using errcode = '22000'; end if;
         return new;
       end $$`,
    );
    await pool.query(
      'create trigger refused before insert or update on billing_days for each row execute function refused()',
    );
  }

  async function stored(customer: given.TestCustomer): Promise<string[]> {
    const { rows } = await pool.query(
      `select cause || ' ' || events as text from billing_days where customer_key = $1 order by 1`,
      [customer.key],
    );
    return rows.map(({ text }) => text);
  }

  function report() {
    const query = { environment_id: given.LIVE, customer_key: null, event_name: null, ...JANUARY };
    return readOnly(pool, (db) =>
      readUsageReport(db, { ...query, group_by: 'customer', after: null, limit: 50 }),
    );
  }

  it('leave the others alone, say as of when the report is exact, and are counted once they can be', async () => {
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const [bad, good] = [await given.aCustomer(pool), await given.aCustomer(pool)];
    for (const customer of [bad, good]) {
      await given.aSubscription(pool, customer, plan);
      await given.post(pool, customer, given.january(3));
    }
    await refuse(bad);
    while (await rollUp(pool));
    while (await foldChanges(pool));
    assert.deepEqual([await stored(bad), await stored(good)], [[], ['pending 3']]);
    assert.deepEqual(await countSetAside(pool), [{ job: 'usage_report', environment: 'live', count: 1 }]);
    const { rows } = await pool.query('select min(changed_at) as oldest from billing_changes');
    assert.equal((await report()).as_of, rows[0].oldest);
    await retryFold(pool, 0);
    assert.deepEqual(await stored(bad), []);
    await pool.query('drop function refused cascade');
    await retryFold(pool, 0);
    assert.deepEqual(await stored(bad), ['pending 3']);
    assert.deepEqual(await countSetAside(pool), []);
    const { rows: left } = await pool.query('select from billing_changes');
    assert.equal(left.length, 0);
    assert.ok((await report()).as_of > rows[0].oldest);
  });

  it('change with an invoice, in one row of changes for each transaction', async () => {
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const customer = await given.aCustomer(pool);
    const step = given.stepOf(await given.aSubscription(pool, customer, plan));
    await given.post(pool, customer, given.january(3));
    while (await rollUp(pool));
    while (await foldChanges(pool));
    await given.bill(pool, step);
    const { rows } = await pool.query(
      'select days_from, days_to from billing_changes where customer_key = $1 order by changed_in',
      [customer.key],
    );
    const month = { days_from: JANUARY.from, days_to: JANUARY.to };
    assert.deepEqual(rows, [month, month]);
    assert.deepEqual(await stored(customer), ['pending 3']);
    while (await foldChanges(pool));
    assert.deepEqual(await stored(customer), ['billed 3']);
  });
});
