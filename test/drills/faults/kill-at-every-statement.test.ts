import assert from 'node:assert/strict';
import type { Pool } from '../../../src/db/connection/pool.ts';
import { aLedger } from '../../support/ledger/billing.ts';
import {
  aBilledCustomer,
  aBilledPlan,
  askToRegenerate,
  billedTo,
  brokenLaws,
  pictureOf,
  type BilledCustomer,
} from './billed-customer.ts';
import { startBillingProcess, type BillingProcess, type Job } from './billing-process.ts';
import { isCommitted, nameOf, placesOf, statementsOf, stopAt, type Place } from './places.ts';

/**
 * Kills a process that regenerates, before and after every statement. Several customers have the same history: in each round all
 * request a regeneration, some are killed during theirs and one is not, which gives the expected result.
 */
describe('a regeneration is killed at every statement', function () {
  this.timeout(300_000);
  let pool: Pool;
  let database_url: string;
  let survivor: BillingProcess;
  /** A customer regenerated once before the tests, to count the statements. */
  let probe: BilledCustomer;
  let statements: string[];
  let undisturbed: BilledCustomer;
  let customers: BilledCustomer[];

  before(async () => {
    pool = await aLedger();
    database_url = pool.options.connectionString!;
    survivor = startBillingProcess();
    const plan = await aBilledPlan(pool);
    probe = await aBilledCustomer(pool, plan);
    statements = await statementsOf(survivor, await jobOf(probe));
    undisturbed = await aBilledCustomer(pool, plan);
    const count = Math.max(...placesOf(statements).map((places) => places.length));
    customers = await Promise.all(Array.from({ length: count }, () => aBilledCustomer(pool, plan)));
  });
  after(async () => {
    await survivor.kill();
    await pool.end();
  });

  const jobOf = async (customer: BilledCustomer): Promise<Job> => ({
    ...(await askToRegenerate(pool, customer)),
    database_url,
  });

  /** Regenerates every customer once, with a kill while the first of them are at these places. */
  async function round(places: readonly Place[], victim: BillingProcess): Promise<void> {
    const [untouched, ...jobs] = await Promise.all([undisturbed, ...customers].map(jobOf));
    const old = await pictureOf(pool, undisturbed);
    const { serving, wires } = await stopAt(places, jobs, victim);
    await victim.kill();
    await assert.rejects(serving, /ended with SIGKILL/);
    for (const wire of wires) wire.cut();
    await survivor.serve([untouched!]);
    const regenerated = await pictureOf(pool, undisturbed);
    assert.notDeepEqual(regenerated, old);

    assert.deepEqual(await brokenLaws(pool), [], 'between the kill and the second try');
    for (const [index, place] of places.entries()) {
      const expected = isCommitted(place, statements) ? regenerated : old;
      assert.deepEqual(await pictureOf(pool, customers[index]!), expected, nameOf(place, statements));
    }

    await survivor.serve(jobs);
    assert.deepEqual(await brokenLaws(pool), [], 'after the second try');
    for (const [index, customer] of customers.entries()) {
      const place = places[index];
      assert.deepEqual(await pictureOf(pool, customer), regenerated, place && nameOf(place, statements));
    }
  }

  it('the invoice under test has three charges, credit, tax and a late line beside it', async () => {
    assert.deepEqual(await billedTo(pool, probe), [
      // Credit covers 37 of 90 units: all 30 events, and 7 of 60 seconds. 40 x 0.1 + 5 + 13 x 0.05 = 9.65.
      ['void', '37', '4.11', 'flat 1 49.00', 'usage 30 0.00', 'usage 60 9.65'],
      [
        'open',
        '0',
        '3.64',
        'flat 1 49.00',
        'usage 0 0.00',
        'usage 0 0.00',
        'late_usage 5 2.50',
        'late_usage 10 0.50',
      ],
      // Credit covers 33 of 38 events and 4 of 76 seconds: 40 x 0.1 + 5 + 32 x 0.05 = 10.60, less 0.50 of the late line.
      ['open', '37', '4.14', 'flat 1 49.00', 'usage 33 0.00', 'usage 66 10.10'],
    ]);
  });

  it('it takes effect completely or not at all, and no reader sees a part of it', async () => {
    assert.deepEqual([statements.at(0), statements.at(-1)], ['begin', 'commit']);
    const covered = new Set<string>();
    let next = startBillingProcess();
    for (const places of placesOf(statements)) {
      const victim = next;
      // The process of the next round starts during this round.
      next = startBillingProcess();
      await round(places, victim);
      for (const { statement, side } of places) covered.add(`${side} ${statement}`);
    }
    await next.kill();
    console.log(`      killed at ${covered.size} places of ${statements.length} statements`);
    assert.equal(covered.size, statements.length + 1);
  });
});
