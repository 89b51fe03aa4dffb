import assert from 'node:assert/strict';
import { aggregateUsage, applyCredits } from '../../src/billing/close/draft.ts';
import { nextStep } from '../../src/billing/close/next-step.ts';
import { serveRegeneration } from '../../src/billing/owed/regenerate.ts';
import { voidInvoice } from '../../src/billing/owed/void.ts';
import { requestRegeneration } from '../../src/db/subscriptions/regenerations.ts';
import { transaction, type Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/ledger/billing.ts';

const LONG_GRACE = { grace_period_ms: 30 * 86_400_000, late_usage_days: 35 };

describe('a held draft that was regenerated', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  /** January is issued and used up the credit of 5; February's draft of 3 units is held, and was regenerated. */
  async function aRegeneratedDraft() {
    const customer = await given.aCustomer(pool);
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const subscription_id = await given.aSubscription(pool, customer, plan);
    const setClock = (now: string) =>
      pool.query('update customers set test_clock = $2 where id = $1', [customer.id, now]);
    await given.aGrant(pool, customer, 5);
    await given.post(pool, customer, given.january(5));
    await given.post(pool, customer, Array(3).fill({ timestamp: '2026-02-10T00:00:00Z' }));
    await setClock('2026-02-01T00:00:30Z');
    const january = await given.bill(pool, given.stepOf(subscription_id));
    const step = { ...given.stepOf(subscription_id), period_start: '2026-02-01T00:00:00.000Z' };
    await setClock('2026-03-01T00:00:30Z');
    await transaction(pool, (db) => aggregateUsage(db, step, LONG_GRACE));
    await transaction(pool, (db) => applyCredits(db, step, LONG_GRACE));
    const { id: invoice_id } = await given.invoiceOf(pool, step);
    const request = { invoice_id, subscription_id, reason: null, request_key: null };
    const key = { environment_id: given.LIVE, subscription_id };
    const id = (await requestRegeneration(pool, given.LIVE, request))!;
    await transaction(pool, (db) => serveRegeneration(db, { ...key, id }, LONG_GRACE));
    const draft = await given.invoiceOf(pool, step);
    assert.deepEqual([draft.replaces, draft.status, draft.total], [invoice_id, 'draft', '3.00']);
    return { key, step, january, draft };
  }

  it('has its credit, so that the next step is to hold it', async () => {
    const { key, draft } = await aRegeneratedDraft();
    const { action, details } = await transaction(pool, (db) => nextStep(db, key, LONG_GRACE));
    assert.deepEqual([action.kind, details.includes(draft.id)], ['wait', true]);
  });

  it('stays as it was shown when another invoice is void, also if its step is done again', async () => {
    const { step, january, draft } = await aRegeneratedDraft();
    await transaction(pool, (db) => voidInvoice(db, given.LIVE, january.id, null));
    await transaction(pool, (db) => aggregateUsage(db, step, LONG_GRACE));
    await transaction(pool, (db) => applyCredits(db, step, LONG_GRACE));
    assert.deepEqual(await given.invoiceOf(pool, step), draft);
  });
});
