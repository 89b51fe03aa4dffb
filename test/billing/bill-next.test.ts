import assert from 'node:assert/strict';
import fc from 'fast-check';
import { billNext, type Outcome } from '../../src/billing/close/bill-next.ts';
import { nextStep, type NextStep } from '../../src/billing/close/next-step.ts';
import { transaction, type Pool } from '../../src/db/connection/pool.ts';
import { eventually } from '../support/servers/eventually.ts';
import * as given from '../support/ledger/billing.ts';
import { PLANS } from '../support/ledger/closes.ts';

const LONG_GRACE = { grace_period_ms: 50 * 365 * 86_400_000, late_usage_days: 35 };
const SETTINGS = [given.NO_GRACE, LONG_GRACE];

const aSubscription = fc.record({
  plan: fc.integer({ min: 0, max: PLANS.length - 1 }),
  months: fc.integer({ min: 1, max: 4 }),
  trial_months: fc.option(fc.integer({ min: 1, max: 2 })),
  cancel: fc.option(fc.integer({ min: 1, max: 3 })),
  is_parked: fc.boolean(),
});

describe('billing what is due', function () {
  this.timeout(300_000);
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  const monthsAgo = (months: number) => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString();
  };

  async function subscribe(
    of: typeof aSubscription extends fc.Arbitrary<infer T> ? T : never,
  ): Promise<string> {
    const customer = await given.aCustomer(pool);
    const plan_id = await given.aPlan(pool, PLANS[of.plan]!);
    const start = monthsAgo(of.months);
    const id = await given.aSubscription(pool, customer, plan_id, start);
    const end = of.cancel === null ? null : monthsAgo(of.months - of.cancel);
    const attention = of.is_parked ? 'by hand' : null;
    await pool.query('update subscriptions set cancel_at = $2, attention = $3 where id = $1', [
      id,
      end,
      attention,
    ]);
    if (of.trial_months !== null) {
      const trial_end_date = monthsAgo(of.months - of.trial_months);
      await pool.query('update subscriptions set trial_end_date = $2 where id = $1', [id, trial_end_date]);
      await pool.query(
        `update periods set kind = 'trial', period_end = $2, interval_end = $2 where subscription_id = $1`,
        [id, trial_end_date],
      );
    }
    await given.post(pool, customer, [{ timestamp: new Date(Date.parse(start) + 1).toISOString() }]);
    return id;
  }

  const questionOf = (subscription_id: string, retries_now = false) => ({
    environment_id: given.LIVE,
    subscription_id,
    retries_now,
  });
  const shown = ({ action, ...step }: NextStep) => ({ ...step, action: { ...action, wait_ms: null } });

  it('answers with the step that the rows have then, until nothing is due', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aSubscription, { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.constantFrom(...SETTINGS)),
        async (members, chosen) => {
          const ids: string[] = [];
          for (const member of members) ids.push(await subscribe(member));
          for (let round = 0, is_due = true; is_due; round++) {
            assert.ok(round < 20);
            const settings = chosen.next().value;
            const questions = ids.map((id) => questionOf(id, round === 1));
            const outcomes = await transaction(pool, (db) =>
              billNext(db, given.LIVE, questions, { settings, waits: false }),
            );
            is_due = false;
            for (const [at, outcome] of outcomes.entries()) {
              const { step, billed } = answerOf(outcome);
              is_due ||= billed !== null || round < 2;
              const read = await transaction(pool, (db) => nextStep(db, questionOf(ids[at]!), settings));
              assert.deepEqual(shown(step), shown(read));
            }
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  const A_SUBSCRIPTION = { plan: 0, months: 1, trial_months: null, cancel: null, is_parked: false };

  it('leaves for later who is locked elsewhere, and another subscription of the same customer', async () => {
    const [free, locked] = [await subscribe(A_SUBSCRIPTION), await subscribe(A_SUBSCRIPTION)];
    const { rows } = await pool.query('select customer_id from subscriptions where id = $1', [free]);
    const twin = { id: rows[0].customer_id, key: '' };
    const sibling = await given.aSubscription(pool, twin, await given.aPlan(pool, PLANS[2]!), monthsAgo(1));
    const lock = await pool.connect();
    await lock.query('begin');
    await lock.query('select from subscriptions where id = $1 for no key update', [locked]);
    const questions = [free, locked, sibling].map((id) => questionOf(id));
    const how = { settings: given.NO_GRACE, waits: false };
    const outcomes = await transaction(pool, (db) => billNext(db, given.LIVE, questions, how));
    const later = { kind: 'later', why: 'locked' };
    assert.deepEqual(outcomes.slice(1), [later, later]);
    assert.equal(answerOf(outcomes[0]!).billed?.issueInvoice?.status, 'open');
    const alone = transaction(pool, (db) =>
      billNext(db, given.LIVE, [questionOf(locked)], { settings: given.NO_GRACE, waits: true }),
    );
    const waiting = `select count(*)::integer as waiting from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database()`;
    await eventually(
      async () => (await pool.query(waiting)).rows[0].waiting,
      (found) => found === 1,
    );
    await lock.query('rollback');
    lock.release();
    assert.equal(answerOf((await alone)[0]!).billed?.issueInvoice?.status, 'open');
  });

  it('fails for the member whose invoice cannot be priced, and bills the others', async () => {
    const [sound, unpriced] = [await subscribe(A_SUBSCRIPTION), await subscribe(A_SUBSCRIPTION)];
    await pool.query(
      `update charges set pricing = pricing - 'flat_amount'
       where plan_id = (select plan_id from subscriptions where id = $1) and position = 0`,
      [unpriced],
    );
    const questions = [unpriced, sound].map((id) => questionOf(id));
    const how = { settings: given.NO_GRACE, waits: false };
    const [failed, billed] = await transaction(pool, (db) => billNext(db, given.LIVE, questions, how));
    assert.equal(failed!.kind, 'failed');
    assert.equal(answerOf(billed!).billed?.issueInvoice?.status, 'open');
    const { rows } = await pool.query('select from invoices where subscription_id = $1', [unpriced]);
    assert.equal(rows.length, 0);
  });

  it('answers that a subscription that does not exist has ended', async () => {
    const how = { settings: given.NO_GRACE, waits: true };
    const [outcome] = await transaction(pool, (db) =>
      billNext(db, given.LIVE, [questionOf('sub_none')], how),
    );
    assert.equal(answerOf(outcome!).step.action.kind, 'end');
  });
});

function answerOf(outcome: Outcome) {
  assert.equal(outcome.kind, 'answered', JSON.stringify(outcome));
  return outcome.kind === 'answered' ? outcome.answer : assert.fail();
}
