import assert from 'node:assert/strict';
import type { Charge } from '../../src/domain/pricing/charge.ts';
import { rollUp } from '../../src/db/reports/roll-up.ts';
import { retryRollup } from '../../src/db/reports/rollup-set-aside.ts';
import { readOnly, type Pool } from '../../src/db/connection/pool.ts';
import { countSetAside, listSetAside } from '../../src/db/customers/set-aside.ts';
import { cutOffNow } from '../../src/db/usage/usage.ts';
import * as given from '../support/ledger/billing.ts';
import { breachesOf } from '../support/ledger/sound.ts';
import { dailyUsageOf, quantityOf } from '../support/ledger/usage.ts';

const SUM = { pricing: given.PER_UNIT, aggregation: { type: 'sum', property: 'n' } } as const;
const JANUARY = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' };
const NOW = 0;

/** SQL that makes the database refuse every rollup row of one customer. */
const refuse = (customer: given.TestCustomer) => `
  create function refuse() returns trigger language plpgsql as
    $$ begin raise 'no such day' using errcode = '22003'; end $$;
  create trigger refuse before insert on usage_days for each row when (new.customer_key = ${customer.key})
    execute function refuse()`;
const ALLOW = 'drop function refuse cascade';

describe('a customer whose usage cannot be rolled up', () => {
  let pool: Pool;
  let plan_id: string;
  before(async () => {
    pool = await given.aLedger();
    plan_id = await given.aPlan(pool, [SUM]);
  });
  after(() => pool.end());

  const rollAllUp = async () => {
    while (await rollUp(pool));
  };
  const use = (customer: given.TestCustomer, n: number) =>
    given.post(pool, customer, [{ timestamp: '2026-01-10T12:00:00Z', properties: { n } }]);
  const daysOf = async ({ key }: given.TestCustomer) =>
    (
      await pool.query('select total::text from usage_days where customer_key = $1 and property = $2', [
        key,
        'n',
      ])
    ).rows;
  const assertSound = async () => assert.deepEqual(await readOnly(pool, (db) => breachesOf(db)), []);

  /** The quantity as invoices read it, and whether every event was read. */
  async function usageOf({ key: customer_key }: given.TestCustomer) {
    const { rows: charges } = await pool.query<Charge>('select * from charges where plan_id = $1', [plan_id]);
    const daily = await dailyUsageOf(pool, { customer_key, charges, ...JANUARY });
    const up_to = await cutOffNow(pool);
    const always = { after: null, stored_from: null, stored_to: null };
    const span = { ...always, up_to, timestamp_from: JANUARY.from, timestamp_to: JANUARY.to };
    const [charge] = charges;
    const usage = { environment_id: given.LIVE, customer_key, charge: charge!, spans: [span] };
    const { quantity } = await quantityOf(pool, { ...usage, daily: daily?.get(charge!.id) ?? null });
    return { quantity, reads_every_event: daily === null };
  }

  it('is set aside with the reason; others go on, its invoices are right, and it is retried until it succeeds', async () => {
    const [bad, ...others] = await Promise.all(Array.from({ length: 5 }, () => given.aCustomer(pool)));
    for (const customer of [...others, bad!]) await use(customer, 2);
    await rollAllUp();
    await pool.query(refuse(bad!));
    for (const customer of [bad!, ...others]) await use(customer, 3);
    await rollAllUp();

    for (const customer of others) assert.deepEqual(await daysOf(customer), [{ total: '5' }]);
    const [listed, ...rest] = await listSetAside(pool, 10);
    assert.deepEqual(
      [listed!.job, listed!.environment, listed!.customer_id, listed!.reason, rest],
      ['rollup', 'live', `${bad!.id}-external`, 'no such day', []],
    );
    assert.deepEqual(await countSetAside(pool), [{ job: 'rollup', environment: 'live', count: 1 }]);
    assert.deepEqual(await usageOf(bad!), { quantity: '5', reads_every_event: true });
    assert.deepEqual(await usageOf(others[0]!), { quantity: '5', reads_every_event: false });
    await assertSound();

    // Not retried at once; if the retry fails, the customer stays set aside.
    assert.equal(await retryRollup(pool), false);
    assert.equal(await retryRollup(pool, NOW), true);
    for (const customer of [bad!, others[0]!]) await use(customer, 4);
    await rollAllUp();
    assert.deepEqual(await usageOf(bad!), { quantity: '9', reads_every_event: true });
    assert.deepEqual(await usageOf(others[0]!), { quantity: '9', reads_every_event: false });

    await pool.query(ALLOW);
    assert.equal(await retryRollup(pool, NOW), true);
    assert.equal(await retryRollup(pool, NOW), false);
    assert.deepEqual(await listSetAside(pool, 10), []);
    assert.deepEqual(
      [await daysOf(bad!), await usageOf(bad!)],
      [[{ total: '9' }], { quantity: '9', reads_every_event: false }],
    );
    await assertSound();
  });
});
