import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { inheritedEnvironment } from '../../../src/settings/config.ts';
import { rollUp } from '../../../src/db/reports/roll-up.ts';
import type { Pool } from '../../../src/db/connection/pool.ts';
import { dueLooks } from '../../../src/db/subscriptions/threshold-looks.ts';
import * as given from '../../support/ledger/billing.ts';
import { aMember, billsOf, post, type Member } from '../../support/ledger/thresholds.ts';
import { brokenLaws } from './billed-customer.ts';
import { startBillingProcess, type BillingProcess, type Job } from './billing-process.ts';
import { isCommitted, nameOf, placesOf, statementsOf, stopAt } from './places.ts';

const MEMBERS = 2;
/** The whole drill: `CROWD=10000 CROWD_KILLS=5 npm test -- test/drills/faults/kill-a-look.test.ts`. */
const { CROWD = '2000', CROWD_KILLS = '2' } = inheritedEnvironment();
const AT_ONCE = Number(CROWD);
const KILLS = Number(CROWD_KILLS);

/** billing.md 15: a part is billed once, whatever happens to the worker that looks at it. */
describe('the worker is killed at every statement of looks', function () {
  this.timeout(600_000);
  let pool: Pool;
  let plan_id: string;
  let survivor: BillingProcess;
  before(async () => {
    pool = await given.aLedger();
    plan_id = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    survivor = startBillingProcess();
  });
  after(async () => {
    await survivor.kill();
    await pool.end();
  });

  /** Subscriptions that have come to 100.00 of usage, beside 20 units of credit. */
  async function aGroup(): Promise<Member[]> {
    const group = await Promise.all(Array.from({ length: MEMBERS }, () => aMember(pool, plan_id)));
    for (const member of group) {
      await given.aGrant(pool, member.customer, 20);
      await post(pool, member, 120);
    }
    return group;
  }
  const jobOf = (group: readonly Member[]): Job => ({
    ...{ database_url: pool.options.connectionString!, environment_id: given.LIVE },
    looked_at: group.map(({ subscription_id }) => subscription_id),
  });

  /** Bills, open and closed parts, credit left and looks that are due. */
  async function stateOf(member: Member): Promise<object> {
    const { rows } = await pool.query(
      `select (select count(*)::integer from periods where subscription_id = $1) as parts,
         (select count(*)::integer from cut_offs where subscription_id = $1) as cut_offs,
         (select sum(remaining)::float8 from credit_grants where customer_id = $2) as credit,
         (select count(*)::integer from threshold_looks where subscription_id = $1) as looks`,
      [member.subscription_id, member.customer.id],
    );
    return { bills: await billsOf(pool, member), ...rows[0] };
  }
  const OLD = { bills: [], parts: 1, cut_offs: 0, credit: 20, looks: 1 };
  const BILLED = { bills: ['open 100.00 threshold'], parts: 2, cut_offs: 1, credit: 0, looks: 0 };

  it('all its members are billed or none, and the next try bills each once', async () => {
    const probe = await aGroup();
    while (await rollUp(pool));
    const statements = await statementsOf(survivor, jobOf(probe));
    assert.match(statements[0]!, /^begin/);
    assert.equal(statements.at(-1), 'commit');
    let killed = 0;
    for (const places of placesOf(statements)) {
      const victim = startBillingProcess();
      const groups: Member[][] = [];
      for (let at = 0; at < places.length; at++) groups.push(await aGroup());
      while (await rollUp(pool));
      const { serving, wires } = await stopAt(places, groups.map(jobOf), victim);
      await victim.kill();
      await assert.rejects(serving, /ended with SIGKILL/);
      for (const wire of wires) wire.cut();
      for (const [at, place] of places.entries())
        for (const member of groups[at]!)
          assert.deepEqual(
            await stateOf(member),
            isCommitted(place, statements) ? BILLED : OLD,
            nameOf(place, statements),
          );
      assert.deepEqual(await brokenLaws(pool), [], 'between the kill and the second try');
      await survivor.serve(groups.map(jobOf));
      for (const member of groups.flat()) assert.deepEqual(await stateOf(member), BILLED);
      assert.deepEqual(await brokenLaws(pool), [], 'after the second try');
      killed += places.length;
    }
    assert.equal(killed, statements.length + 1);
  });
});

describe(`${AT_ONCE} subscriptions come to bill_at at once`, function () {
  this.timeout(900_000);
  let pool: Pool;
  before(async () => (pool = await given.aLedger()));
  after(() => pool.end());

  /** Customers with 100 units each, in a few statements. */
  async function aCrowd(): Promise<void> {
    const plan_id = await given.aPlan(pool, [
      { pricing: given.PER_UNIT, aggregation: { type: 'sum', property: 'n' } },
    ]);
    const one = await aMember(pool, plan_id);
    await pool.query(
      `insert into customers (environment_id, id, external_id, currency, tax_rate, metadata, created_at)
       select $1, 'cus_' || lpad(n::text, 26, '0'), 'crowd-' || n, 'USD', 0, '{}', now() from generate_series(2, $2) n`,
      [given.LIVE, AT_ONCE],
    );
    await pool.query(
      `insert into subscriptions (environment_id, id, customer_id, plan_id, start_date, created_at, bill_at)
       select $1, replace(c.id, 'cus_', 'sub_'), c.id, $2, s.start_date, s.created_at, 100
       from customers c cross join subscriptions s where c.external_id like 'crowd-%' and s.id = $3`,
      [given.LIVE, plan_id, one.subscription_id],
    );
    await pool.query(
      `insert into periods (environment_id, subscription_id, period_start, period_end, kind, interval_start, interval_end,
         full_period_start, plan_id, opened_at)
       select p.environment_id, s.id, p.period_start, p.period_end, p.kind, p.interval_start, p.interval_end,
         p.full_period_start, p.plan_id, p.opened_at
       from subscriptions s cross join periods p where p.subscription_id = $1 and s.id <> $1`,
      [one.subscription_id],
    );
    const { rows } = await pool.query<given.TestCustomer>('select id, key from customers order by key');
    for (const customer of rows) await post(pool, { customer, subscription_id: '' }, 1, { n: 100 });
  }

  it(`are billed once each, while a worker is killed ${KILLS} times beside another one`, async () => {
    await aCrowd();
    while (await rollUp(pool));
    const job: Job = { database_url: pool.options.connectionString!, looks: true };
    const began_at = performance.now();
    const steady = startBillingProcess();
    const serving = steady.serve([job]);
    for (let kill = 0; kill < KILLS; kill++) {
      const victim = startBillingProcess();
      const killed = victim.serve([job]);
      killed.catch(() => undefined);
      await pause(2000 + Math.random() * 2000);
      await victim.kill();
    }
    await serving;
    await steady.serve([job]);
    const took_s = (performance.now() - began_at) / 1000;
    await steady.kill();
    console.log(`      ${AT_ONCE} bills in ${took_s.toFixed(0)} s`);
    const { rows } = await pool.query(
      `select status, subtotal::text, cause, count(*)::integer as invoices,
         count(distinct subscription_id)::integer as subscriptions from invoices group by 1, 2, 3`,
    );
    const bill = { status: 'open', subtotal: '100.00', cause: 'threshold' };
    assert.deepEqual(rows, [{ ...bill, invoices: AT_ONCE, subscriptions: AT_ONCE }]);
    assert.deepEqual(await dueLooks(pool, 1), []);
    assert.deepEqual(await brokenLaws(pool), []);
  });
});
