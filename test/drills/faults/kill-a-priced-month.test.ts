import assert from 'node:assert/strict';
import { readOnly, type Pool } from '../../../src/db/connection/pool.ts';
import * as given from '../../support/ledger/billing.ts';
import { breachesOf } from '../../support/ledger/sound.ts';
import type { BilledCustomer } from './billed-customer.ts';
import { startBillingProcess, type BillingProcess, type Job } from './billing-process.ts';
import { instant, killAtEach, setClock, stepOf, workIn } from './kill-at-each.ts';
import { aBasePlan, aPricedCustomer, putQuantities, useUnits } from './priced-customer.ts';

type Customers = readonly BilledCustomer[];
/** Requests and usage of a month up to an instant, and the job of a worker then. */
type Part = { prepare: (customers: Customers, month: number) => Promise<unknown>; jobOf: JobOf };
type JobOf = (one: BilledCustomer) => Job;

/**
 * A month of subscriptions that have a custom plan with a minimum, discounts of a percent and of an amount, quantities
 * in arrears and in advance that change inside the month, and `bill_at` (billing.md 11 to 15).
 */
describe('a process is killed at every statement of a month of one customer’s prices', function () {
  this.timeout(1_500_000);
  let pool: Pool;
  let survivor: BillingProcess;
  let base: string;
  before(async () => {
    pool = await given.aLedger();
    survivor = startBillingProcess();
    base = await aBasePlan(pool);
  });
  after(async () => {
    await survivor.kill();
    await pool.end();
  });

  const step: JobOf = (one) => stepOf(pool)(one);
  const look: JobOf = ({ customer }) => ({ ...workIn(pool), at_clock_of: customer.id });
  const serveAll = (customers: Customers, jobOf: JobOf) => survivor.serve(customers.map(jobOf));
  const forAll = (customers: Customers, act: (one: BilledCustomer) => Promise<void>) =>
    Promise.all(customers.map(act));

  async function subscribers(count: number): Promise<BilledCustomer[]> {
    const made: BilledCustomer[] = [];
    for (let at = 0; at < count; at++) made.push(await aPricedCustomer(pool, base));
    await serveAll(made, step);
    return made;
  }

  const PARTS: Part[] = [
    {
      prepare: async (customers, month) => {
        const at = instant(month, 16);
        await forAll(customers, (one) => putQuantities(pool, one, at, { seat: '15', desk: '8', room: '2' }));
        await setClock(pool, customers, at);
      },
      jobOf: step,
    },
    {
      prepare: async (customers, month) => {
        const at = instant(month, 21);
        await forAll(customers, (one) => putQuantities(pool, one, at, { seat: '10', desk: '5', room: '3' }));
        await setClock(pool, customers, at);
      },
      jobOf: step,
    },
    {
      prepare: async (customers, month) => {
        const at = [instant(month, 20), instant(month, 25)] as const;
        await forAll(customers, (one) => useUnits(pool, one, 1000, at));
        await setClock(pool, customers, instant(month, 25));
      },
      jobOf: look,
    },
    {
      prepare: async (customers, month) => {
        const stored_at = instant(month, 27);
        await forAll(customers, async (one) => {
          await useUnits(pool, one, 100, [instant(month, 26), stored_at]);
          if (month > 0) await useUnits(pool, one, -900, [instant(month - 1, 20), stored_at]);
        });
        await setClock(pool, customers, instant(month + 1, 2));
      },
      jobOf: step,
    },
  ];

  /** Kills the job of a part in each month; all other parts are undisturbed. */
  async function killPart(killed: number): Promise<void> {
    const run = async (parts: readonly Part[], customers: Customers, month: number) => {
      for (const { prepare, jobOf } of parts) {
        await prepare(customers, month);
        await serveAll(customers, jobOf);
      }
    };
    const { prepare, jobOf } = PARTS[killed]!;
    await killAtEach(
      { pool, survivor, subscribers },
      {
        jobIn: () => jobOf,
        beginRound: async (customers, month) => {
          await run(PARTS.slice(0, killed), customers, month);
          await prepare(customers, month);
        },
        endRound: (customers, month) => run(PARTS.slice(killed + 1), customers, month),
      },
    );
    const breaches = await readOnly(pool, (db) => breachesOf(db));
    // Customers follow one another, each from January on, so that numbers are not in the order of issue (I13).
    assert.deepEqual(
      breaches.filter(({ invariant }) => invariant !== 'I13'),
      [],
    );
  }

  /** Two months of a customer whom nothing disturbs: kind, cause, lines with their number of stretches, notes. */
  async function documents(): Promise<string[]> {
    const [one] = await subscribers(1);
    for (const month of [0, 1])
      for (const { prepare, jobOf } of PARTS) {
        await prepare([one!], month);
        await serveAll([one!], jobOf);
      }
    const { rows } = await pool.query<{ said: string }>(
      `select concat_ws(' ', i.kind, i.cause) || ': ' || string_agg(concat_ws(' ', l.type, l.amount,
         '(' || jsonb_array_length(l.stretches) || ')'), ', ' order by l.position) || coalesce((
           select '; notes ' || string_agg(k.subtotal::text, ', ' order by k.id) from credit_notes k
           where k.environment_id = i.environment_id and k.invoice_id = i.id), '') as said
       from invoices i join line_items l on l.environment_id = i.environment_id and l.invoice_id = i.id
       where i.subscription_id = $1 group by i.environment_id, i.id order by i.id`,
      [one!.subscription_id],
    );
    return rows.map(({ said }) => said);
  }

  it('the month under test has parts, stretches, openings, period lines and notes', async () => {
    assert.deepEqual(await documents(), [
      // Desks 5 x 20.00 and rooms 3 x 50.00 of January, at 10 percent off.
      'opening: flat 90.00 (1), flat 135.00 (1), discount -15.00; notes 23.23',
      // From the 16th 8 desks and 2 rooms, from the 21st 5 and 3 again.
      'opening: flat 27.87 (2); notes 19.16',
      'opening: flat 15.97 (3)',
      // 1,000 x 0.80 at 10 percent off; February takes 900 of them back: 648.00, of which 576.00 are of this part.
      'period threshold: flat 61.55 (3), usage 720.00; notes 576.00',
      'period: flat 16.26 (3), usage 72.00, flat 90.00 (1), flat 135.00 (1), discount -15.00; notes 20.89, 72.00',
      'opening: flat 25.07 (2); notes 15.43',
      'opening: flat 12.85 (3)',
      'period threshold: flat 68.14 (3), usage 720.00',
      // January comes to 448.26 after its notes, and lacks 66.74 of 500.00 once 15.00 are off.
      'period: flat 10.29 (3), usage 72.00, flat 90.00 (1), flat 135.00 (1), discount -15.00, minimum 66.74, late_usage 0.00',
    ]);
  });

  it('of a quantity that comes: its note and its opening are there once, or not yet', () => killPart(0));

  it('of a look at its clock: the part is billed once, or not yet', () => killPart(2));

  it('of a close: invoice, period lines and notes are there once, or not yet', () => killPart(3));
});
