import type { Pool } from '../../../src/db/connection/pool.ts';
import * as given from '../../support/ledger/billing.ts';
import type { BilledCustomer } from './billed-customer.ts';
import { startBillingProcess, type BillingProcess, type Job } from './billing-process.ts';
import { instant, killAtEach, setClock, stepOf, workIn } from './kill-at-each.ts';

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

  const step = (one: BilledCustomer): Job => stepOf(pool)(one);
  const changeTo =
    (plan_id: string) =>
    ({ subscription_id }: BilledCustomer): Job => ({ ...workIn(pool), subscription_id, plan_id });
  const serveAll = (customers: readonly BilledCustomer[], jobOf: (one: BilledCustomer) => Job) =>
    survivor.serve(customers.map(jobOf));

  /** Subscribers of the first plan in January, whose first period has begun. */
  async function subscribers(count: number): Promise<BilledCustomer[]> {
    const made: BilledCustomer[] = [];
    for (let at = 0; at < count; at++) {
      const customer = await given.aCustomer(pool, { tax_rate: '20' });
      await setClock(pool, [{ customer, subscription_id: '' }], instant(0, 1));
      made.push({ customer, subscription_id: await given.aSubscription(pool, customer, plans[0]!) });
    }
    await pool.query('update periods set opened_at = null where subscription_id = any($1)', [
      made.map(({ subscription_id }) => subscription_id),
    ]);
    await serveAll(made, step);
    return made;
  }

  const changed = (round: number) => changeTo(plans[(round + 1) % 2]!);

  it('of a change of plan: it takes effect completely or not at all', async () => {
    await killAtEach(
      { pool, survivor, subscribers },
      {
        jobIn: changed,
        beginRound: async (customers, round) => void (await setClock(pool, customers, instant(round, 16))),
        endRound: async (customers, round) => {
          await serveAll(customers, step);
          await setClock(pool, customers, instant(round + 1, 2));
          await serveAll(customers, step);
        },
      },
    );
  });

  it('of a part that ends, and of the period that begins: invoices, note and grant are there once, or not yet', async () => {
    await killAtEach(
      { pool, survivor, subscribers },
      {
        jobIn: () => step,
        beginRound: async (customers, round) => {
          await setClock(pool, customers, instant(round, 16));
          await serveAll(customers, changed(round));
        },
        endRound: async (customers, round) => {
          await setClock(pool, customers, instant(round + 1, 2));
          await serveAll(customers, step);
        },
      },
    );
  });
});
