import assert from 'node:assert/strict';
import { aggregateUsage, applyCredits } from '../../src/billing/draft.ts';
import { nextStep } from '../../src/billing/next-step.ts';
import { transaction, type Pool } from '../../src/db/pool.ts';
import * as given from '../support/billing.ts';

const LONG_GRACE = { grace_period_ms: 50 * 365 * 86_400_000, late_usage_days: 35 };

describe('what a subscription does next', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  it('a draft that was left between its steps shows its credit before it is held', async () => {
    const customer = await given.aCustomer(pool);
    const plan = await given.aPlan(pool, [{ pricing: { pricing_model: 'per_unit', unit_amount: '1' } }]);
    const subscription_id = await given.aSubscription(pool, customer, plan);
    await given.aGrant(pool, customer, 2);
    await given.post(pool, customer, given.january(3));
    const step = given.stepOf(subscription_id);
    const next = () => {
      const key = { environment_id: given.LIVE, subscription_id, woken: false };
      return transaction(pool, (db) => nextStep(db, key, LONG_GRACE));
    };
    await transaction(pool, (db) => aggregateUsage(db, step, LONG_GRACE));
    const { action } = await next();
    const period_end = '2026-02-01T00:00:00.000Z';
    const { period_start, revision } = step;
    assert.deepEqual(action, { kind: 'bill', period_start, period_end, revision, issue: false });
    await transaction(pool, (db) => aggregateUsage(db, step, LONG_GRACE));
    await transaction(pool, (db) => applyCredits(db, step, given.NO_GRACE));
    assert.equal((await given.invoiceOf(pool, step)).credits_applied, '2');
    // February has ended too.
    assert.equal((await next()).period_end, '2026-03-01T00:00:00.000Z');
  });
});
