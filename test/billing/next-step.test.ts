import assert from 'node:assert/strict';
import { aggregateUsage, applyCredits, issueInvoice } from '../../src/billing/close/draft.ts';
import { billNext } from '../../src/billing/close/bill-next.ts';
import { nextStep } from '../../src/billing/close/next-step.ts';
import { parkSubscription } from '../../src/billing/close/park.ts';
import { transaction, type Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/ledger/billing.ts';

const LONG_GRACE = { grace_period_ms: 50 * 365 * 86_400_000, late_usage_days: 35 };

describe('the next step of a subscription', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  it('a draft left between its steps gets its credit before it is held', async () => {
    const customer = await given.aCustomer(pool);
    const plan = await given.aPlan(pool, [{ pricing: { pricing_model: 'per_unit', unit_amount: '1' } }]);
    const subscription_id = await given.aSubscription(pool, customer, plan);
    await given.aGrant(pool, customer, 2);
    await given.post(pool, customer, given.january(3));
    const step = given.stepOf(subscription_id);
    const next = () => {
      const key = { environment_id: given.LIVE, subscription_id, retries_now: false };
      return transaction(pool, (db) => nextStep(db, key, LONG_GRACE));
    };
    await transaction(pool, (db) => aggregateUsage(db, step, LONG_GRACE));
    const { action } = await next();
    const period_end = '2026-02-01T00:00:00.000Z';
    const { period_start, revision } = step;
    assert.deepEqual(action, {
      kind: 'bill',
      period_start,
      period_end,
      revision,
      issue: false,
    });
    await transaction(pool, (db) => aggregateUsage(db, step, LONG_GRACE));
    await transaction(pool, (db) => applyCredits(db, step, given.NO_GRACE));
    assert.equal((await given.invoiceOf(pool, step)).credits_applied, '2');
    // February has ended as well, so it is the next step.
    assert.equal((await next()).period_end, '2026-03-01T00:00:00.000Z');
  });

  describe('beside another subscription of the customer whose period ended earlier', () => {
    async function subscribe(customer: given.TestCustomer, event_name: string, start_date: string) {
      const pricing = { pricing_model: 'per_unit', unit_amount: '1' } as const;
      const plan_id = await given.aPlan(pool, [{ event_name, pricing }]);
      return given.aSubscription(pool, customer, plan_id, start_date);
    }

    /** Two subscriptions of one customer, from 2 January and from 1 January; no period is billed yet. */
    async function aPair(): Promise<{ later: string; earlier: string; customer: given.TestCustomer }> {
      const customer = await given.aCustomer(pool);
      return {
        later: await subscribe(customer, 'a', '2026-01-02T00:00:00.000Z'),
        earlier: await subscribe(customer, 'b', '2026-01-01T00:00:00.000Z'),
        customer,
      };
    }

    const nextOf = (subscription_id: string, settings = given.NO_GRACE) => {
      const key = { environment_id: given.LIVE, subscription_id, retries_now: false };
      return transaction(pool, (db) => nextStep(db, key, settings));
    };

    it('waits for its turn, and names the other subscription', async () => {
      const { later, earlier } = await aPair();
      const step = await nextOf(later);
      assert.equal(step.state, 'billing');
      assert.deepEqual({ ...step.action, until: null }, { kind: 'wait', wait_ms: 30_000, until: null });
      assert.match(
        step.details,
        new RegExp(`Waiting for another subscription.*${earlier}.*2026-02-01T00:00:00.000Z`),
      );
      assert.equal((await nextOf(earlier)).action.kind, 'bill');
    });

    it('goes on once the other is billed, whose issue names it as next', async () => {
      const { later, earlier } = await aPair();
      await given.bill(pool, given.stepOf(earlier));
      assert.equal((await nextOf(later)).action.kind, 'bill');
      const again = await transaction(pool, (db) => issueInvoice(db, given.stepOf(earlier), given.NO_GRACE));
      assert.deepEqual(again, [{ environment_id: given.LIVE, subscription_id: later }]);
    });

    it('bills nothing before its turn, and the bill of the other names it', async () => {
      const { later, earlier } = await aPair();
      const bill = (subscription_id: string) =>
        transaction(pool, async (db) => {
          const question = { environment_id: given.LIVE, subscription_id };
          const how = { settings: given.NO_GRACE, waits: true };
          const [outcome] = await billNext(db, given.LIVE, [question], how);
          assert.equal(outcome?.kind, 'answered');
          return outcome.kind === 'answered' ? outcome.answer : assert.fail();
        });
      const before = await bill(later);
      assert.deepEqual([before.billed, before.step.action.kind], [null, 'wait']);
      const { billed, turns } = await bill(earlier);
      assert.equal(billed?.issueInvoice?.status, 'paid');
      assert.deepEqual(turns, [{ environment_id: given.LIVE, subscription_id: later }]);
      assert.equal((await bill(later)).billed?.period_start, '2026-01-02T00:00:00.000Z');
    });

    it('is named as next by the last issue of the earlier ones, which do not name each other', async () => {
      const { later, earlier, customer } = await aPair();
      const as_early = await subscribe(customer, 'c', '2026-01-01T00:00:00.000Z');
      const issue = async (subscription_id: string) => {
        const step = given.stepOf(subscription_id);
        await transaction(pool, (db) => aggregateUsage(db, step, given.NO_GRACE));
        await transaction(pool, (db) => applyCredits(db, step, given.NO_GRACE));
        return transaction(pool, (db) => issueInvoice(db, step, given.NO_GRACE));
      };
      assert.deepEqual(await issue(earlier), []);
      assert.deepEqual(await issue(as_early), [{ environment_id: given.LIVE, subscription_id: later }]);
    });

    it('does not wait for a held draft', async () => {
      const { later, earlier } = await aPair();
      await transaction(pool, (db) => aggregateUsage(db, given.stepOf(earlier), LONG_GRACE));
      await pool.query(
        `update periods set period_end = 'infinity' where subscription_id = $1 and closed_at is null`,
        [earlier],
      );
      assert.equal((await nextOf(later)).action.kind, 'bill');
    });

    it('does not wait for a parked subscription', async () => {
      const { later, earlier } = await aPair();
      const reason = 'its plan cannot be priced';
      const key = { environment_id: given.LIVE, subscription_id: earlier, reason };
      const freed = await transaction(pool, (db) => parkSubscription(db, key, given.NO_GRACE));
      assert.deepEqual(freed, [{ environment_id: given.LIVE, subscription_id: later }]);
      assert.equal((await nextOf(later)).action.kind, 'bill');
    });

    it('creates a draft without waiting if the draft will be held', async () => {
      const { later } = await aPair();
      const { action } = await nextOf(later, LONG_GRACE);
      assert.deepEqual([action.kind, 'issue' in action && action.issue], ['bill', false]);
    });
  });
});
