import assert from 'node:assert/strict';
import type { Pool } from '../../../src/db/connection/pool.ts';
import { LIVE } from '../../support/ledger/billing.ts';
import { brokenLaws, pictureOf, type BilledCustomer } from './billed-customer.ts';
import { startBillingProcess, type BillingProcess, type Job } from './billing-process.ts';
import { isCommitted, nameOf, placesOf, statementsOf, stopAt } from './places.ts';

type Round = (customers: readonly BilledCustomer[], round: number) => Promise<void>;

/** A job of a round, and what is done in the round before it and after it. */
type Rounds = {
  jobIn: (round: number) => (one: BilledCustomer) => Job;
  beginRound: Round;
  endRound: Round;
};

/** Customers with the same history, month by month, and the process that does their jobs. */
type Months = {
  pool: Pool;
  survivor: BillingProcess;
  /** Customers at the beginning of a first month. */
  subscribers: (count: number) => Promise<BilledCustomer[]>;
};

/** An instant of 2026; months are counted from 0. */
export const instant = (month: number, day: number) => new Date(Date.UTC(2026, month, day)).toISOString();

export const setClock = (pool: Pool, customers: readonly BilledCustomer[], now: string) =>
  pool.query('update customers set test_clock = $2 where id = any($1)', [
    customers.map(({ customer }) => customer.id),
    now,
  ]);

export const workIn = (pool: Pool) => ({
  database_url: pool.options.connectionString!,
  environment_id: LIVE,
});

/** The next step of a subscription. */
export const stepOf =
  (pool: Pool) =>
  ({ subscription_id }: BilledCustomer): Job => ({ ...workIn(pool), subscription_ids: [subscription_id] });

/**
 * Kills a process at each place of a job, a round for each list of places, and compares with a customer whom nothing
 * disturbs.
 */
export async function killAtEach(
  { pool, survivor, subscribers }: Months,
  { jobIn, beginRound, endRound }: Rounds,
): Promise<void> {
  const serveAll = (customers: readonly BilledCustomer[], round: number) =>
    survivor.serve(customers.map(jobIn(round)));
  // A first month without a kill: from the second one on, all months are alike.
  const begin = async (customers: readonly BilledCustomer[]) => {
    await beginRound(customers, 0);
    await serveAll(customers, 0);
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
  let next = startBillingProcess();
  for (const [list, places] of lists.entries()) {
    const round = list + 1;
    const victim = next;
    // The process of the next round starts during this round.
    next = startBillingProcess();
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
    await serveAll(others.slice(places.length), round);
    assert.deepEqual(await brokenLaws(pool), [], 'after the second try');
    await endRound(customers, round);
  }
  await next.kill();
  console.log(`      killed at ${statements.length + 1} places of ${statements.length} statements`);
}
