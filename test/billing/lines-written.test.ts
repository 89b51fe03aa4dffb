import assert from 'node:assert/strict';
import { aggregateUsage, applyCredits, issueInvoice } from '../../src/billing/close/draft.ts';
import { transaction, type Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/ledger/billing.ts';

describe('the lines of a draft', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  it('are written by the steps that change them, and no others are', async () => {
    const customer = await given.aCustomer(pool);
    const charges = ['a', 'b'].map((event_name) => ({ event_name, pricing: given.PER_UNIT }));
    const subscription = await given.aSubscription(pool, customer, await given.aPlan(pool, charges));
    const of = (event_name: string) => given.january(3).map((event) => ({ ...event, event_name }));
    await given.post(pool, customer, [...of('a'), ...of('b')]);
    const step = given.stepOf(subscription);
    const linesOf = async () => {
      const { rows } = await pool.query<{ id: string; version: string; amount: string }>(
        'select id, xmin::text as version, amount::text as amount from line_items where subscription_id = $1 order by position',
        [subscription],
      );
      return rows;
    };
    await transaction(pool, (db) => aggregateUsage(db, step, given.NO_GRACE));
    const [a, b] = await linesOf();
    await given.aGrant(pool, customer, 2);
    await transaction(pool, (db) => applyCredits(db, step, given.NO_GRACE));
    const credited = await linesOf();
    assert.deepEqual(credited, [{ id: a!.id, version: credited[0]!.version, amount: '1.00' }, b]);
    assert.notEqual(credited[0]!.version, a!.version);
    await transaction(pool, (db) => issueInvoice(db, step, given.NO_GRACE));
    assert.deepEqual(await linesOf(), credited);
  });
});
