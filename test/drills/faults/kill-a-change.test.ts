import assert from 'node:assert/strict';
import type { Pool } from '../../../src/db/connection/pool.ts';
import * as given from '../../support/ledger/billing.ts';
import { brokenLaws, pictureOf, type BilledCustomer } from './billed-customer.ts';
import { startBillingProcess, type BillingProcess, type Job } from './billing-process.ts';
import { isCommitted, nameOf, placesOf, statementsOf, stopAt } from './places.ts';

const instant = (month: number, day: number) => new Date(Date.UTC(2026, month, day)).toISOString();
const fee = (flat_amount: string): given.TestCharge[] => [
  { event_name: 'fee', pricing: { pricing_model: 'flat', flat_amount, billed: 'in_advance' } },
  { pricing: given.PER_UNIT },
];
const GRANTS = [{ amount: '10', event_names: null, expires: 'period_end', carry_over_max: '5' }];

/** A change of plan in the middle of a month, and the period that begins there, with a note, a grant and an opening invoice. */
describe('a process is killed at every statement', function () {
  this.timeout(500_000);
  let pool: Pool;
  let survivor: BillingProcess;
  let plans: string[];
  before(async () => {
    pool = await given.aLedger();
    survivor = startBillingProcess();
    plans = await Promise.all(['199', '49'].map((amount) => given.aPlan(pool, fee(amount))));
    await pool.query('update plans set grants = $1, opens_periods = true', [JSON.stringify(GRANTS)]);
  });
  after(async () => {
    await survivor.kill();
    await pool.end();
  });

  const setClock = (customers: readonly BilledCustomer[], now: string) =>
    pool.query('update customers set test_clock = $2 where id = any($1)', [
      customers.map(({ customer }) => customer.id),
      now,
    ]);
  const work = () => ({ database_url: pool.options.connectionString!, environment_id: given.LIVE });
  const stepOf = ({ subscription_id }: BilledCustomer): Job => ({
    ...work(),
    subscription_ids: [subscription_id],
  });
  const changeTo =
    (plan_id: string) =>
    ({ subscription_id }: BilledCustomer): Job => ({ ...work(), subscription_id, plan_id });
  const serveAll = (customers: readonly BilledCustomer[], jobOf: (one: BilledCustomer) => Job) =>
    survivor.serve(customers.map(jobOf));

  /** Subscribers of the first plan in January, whose first period has begun. */
  async function subscribers(count: number): Promise<BilledCustomer[]> {
    const made: BilledCustomer[] = [];
    for (let at = 0; at < count; at++) {
      const customer = await given.aCustomer(pool, { tax_rate: '20' });
      await setClock([{ customer, subscription_id: '' }], instant(0, 1));
      made.push({ customer, subscription_id: await given.aSubscription(pool, customer, plans[0]!) });
    }
    await pool.query('update periods set opened_at = null where subscription_id = any($1)', [
      made.map(({ subscription_id }) => subscription_id),
    ]);
    await serveAll(made, stepOf);
    return made;
  }

  /** Kills a process at each place of a job, a round for each list of places, and compares with a customer whom nothing disturbs. */
  async function killAtEach(
    jobIn: (round: number) => (one: BilledCustomer) => Job,
    { beginRound, endRound }: Record<'beginRound' | 'endRound', Round>,
  ): Promise<void> {
    // A first month without a kill: from the second one on, all months are alike.
    const begin = async (customers: readonly BilledCustomer[]) => {
      await beginRound(customers, 0);
      await serveAll(customers, jobIn(0));
      await endRound(customers, 0);
    };
    const probe = await subscribers(1);
    await begin(probe);
    await beginRound(probe, 1);
    const statements = await statementsOf(survivor, jobIn(1)(probe[0]!));
    assert.match(statements[0]!, /^begin/);
    assert.equal(statements.at(-1), 'commit');
    const lists = placesOf(statements);
    const customers = await subscribers(Math.max(...lists.map(({ length }) => length)) + 1);
    await begin(customers);
    const [undisturbed, ...others] = customers as [BilledCustomer, ...BilledCustomer[]];
    for (const [list, places] of lists.entries()) {
      const round = list + 1;
      const victim = startBillingProcess();
      await beginRound(customers, round);
      const jobOf = jobIn(round);
      const old = await pictureOf(pool, undisturbed);
      const { serving, wires } = await stopAt(places, others.map(jobOf), victim);
      await victim.kill();
      await assert.rejects(serving, /ended with SIGKILL/);
      for (const wire of wires) wire.cut();
      await survivor.serve([jobOf(undisturbed)]);
      const done = await pictureOf(pool, undisturbed);
      assert.notDeepEqual(done, old);
      assert.deepEqual(await brokenLaws(pool), [], 'between the kill and the second try');
      for (const [at, place] of places.entries()) {
        const is_done = isCommitted(place, statements);
        assert.deepEqual(await pictureOf(pool, others[at]!), is_done ? done : old, nameOf(place, statements));
        if (!is_done) await survivor.serve([jobOf(others[at]!)]);
        assert.deepEqual(await pictureOf(pool, others[at]!), done, nameOf(place, statements));
      }
      await serveAll(others.slice(places.length), jobOf);
      assert.deepEqual(await brokenLaws(pool), [], 'after the second try');
      await endRound(customers, round);
    }
    console.log(`      killed at ${2 * statements.length} places of ${statements.length} statements`);
  }

  const changed = (round: number) => changeTo(plans[(round + 1) % 2]!);

  it('of a change of plan: it takes effect completely or not at all', async () => {
    await killAtEach(changed, {
      beginRound: async (customers, round) => void (await setClock(customers, instant(round, 16))),
      endRound: async (customers, round) => {
        await serveAll(customers, stepOf);
        await setClock(customers, instant(round + 1, 2));
        await serveAll(customers, stepOf);
      },
    });
  });

  it('of a part that ends, and of the period that begins: invoices, note and grant are there once, or not yet', async () => {
    await killAtEach(() => stepOf, {
      beginRound: async (customers, round) => {
        await setClock(customers, instant(round, 16));
        await serveAll(customers, changed(round));
      },
      endRound: async (customers, round) => {
        await setClock(customers, instant(round + 1, 2));
        await serveAll(customers, stepOf);
      },
    });
  });
});

type Round = (customers: readonly BilledCustomer[], round: number) => Promise<void>;
