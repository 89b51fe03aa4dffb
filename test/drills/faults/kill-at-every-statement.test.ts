import assert from 'node:assert/strict';
import type { Pool } from '../../../src/db/connection/pool.ts';
import { aLedger } from '../../support/billing.ts';
import { eventually } from '../../support/eventually.ts';
import {
  aBilledCustomer,
  aBilledPlan,
  askToRegenerate,
  billedTo,
  brokenLaws,
  pictureOf,
  type BilledCustomer,
} from './billed-customer.ts';
import { startRegenerator, type Job, type Regenerator } from './regenerator.ts';
import { layWire, type Stop, type StopAt } from './wire.ts';

/** Kill point: before or after a statement of a regeneration, counted from 0. */
type Place = { statement: number; side: Stop };

const isPlace =
  ({ statement, side }: Place): StopAt =>
  (transaction) =>
    transaction.length === statement + 1 ? side : null;

/**
 * All kill points, in groups for one kill each. After the statement that takes the invoice's number, a regeneration holds the
 * environment's counter and blocks all others, so a group has only one such point.
 */
function groupsOf(statements: readonly string[]): Place[][] {
  const places = statements.flatMap((_, statement): Place[] => [
    { statement, side: 'before' },
    { statement, side: 'after' },
  ]);
  const numbering = statements.findIndex((text) => text.includes('last_invoice_number'));
  const needsCounter = ({ statement, side }: Place) =>
    statement > numbering || (statement === numbering && side === 'after');
  const others = places.filter((place) => !needsCounter(place));
  const holders = places.filter(needsCounter);
  return holders.map((holder, group) => [
    holder,
    ...others.filter((_, index) => index % holders.length === group),
  ]);
}

/**
 * Kills a process that regenerates, before and after every statement. Several customers have the same history: in each round all
 * request a regeneration, some are killed during theirs and one is not, which gives the expected result.
 */
describe('a regeneration is killed at every statement', function () {
  this.timeout(300_000);
  let pool: Pool;
  let database_url: string;
  let survivor: Regenerator;
  /** A customer regenerated once before the tests, to count the statements. */
  let probe: BilledCustomer;
  let statements: string[];
  let undisturbed: BilledCustomer;
  let customers: BilledCustomer[];

  before(async () => {
    pool = await aLedger();
    database_url = pool.options.connectionString!;
    survivor = startRegenerator();
    const plan = await aBilledPlan(pool);
    probe = await aBilledCustomer(pool, plan);
    statements = await statementsOf(probe);
    undisturbed = await aBilledCustomer(pool, plan);
    const count = Math.max(...groupsOf(statements).map((group) => group.length));
    customers = await Promise.all(Array.from({ length: count }, () => aBilledCustomer(pool, plan)));
  });
  after(async () => {
    await survivor.kill();
    await pool.end();
  });

  /** SQL statements of an undisturbed regeneration, in order. */
  async function statementsOf(customer: BilledCustomer): Promise<string[]> {
    let said: readonly string[] = [];
    const wire = await layWire(database_url, (transaction) => {
      said = transaction;
      return null;
    });
    await survivor.serve([{ ...(await askToRegenerate(pool, customer)), database_url: wire.url }]);
    wire.cut();
    return [...said];
  }

  /** Lets one process serve these jobs, each up to its kill point, and kills it once every job is there. */
  async function killAt(group: readonly Place[], jobs: readonly Job[], victim: Regenerator): Promise<void> {
    const wires = await Promise.all(group.map((place) => layWire(database_url, isPlace(place))));
    const serving = victim.serve(jobs.map((job, index) => ({ ...job, database_url: wires[index]!.url })));
    await eventually(
      async () => wires.map((wire) => wire.stopped()),
      (stopped) => stopped.every((count) => count === 1),
    );
    await victim.kill();
    await assert.rejects(serving, /ended with SIGKILL/);
    for (const wire of wires) wire.cut();
  }

  /** Regenerates every customer once, with a kill during the jobs of the group. */
  async function round(group: readonly Place[], victim: Regenerator): Promise<void> {
    const [untouched, ...jobs] = await Promise.all(
      [undisturbed, ...customers].map(async (customer) => ({
        ...(await askToRegenerate(pool, customer)),
        database_url,
      })),
    );
    const old = await pictureOf(pool, undisturbed);
    await killAt(group, jobs.slice(0, group.length), victim);
    await survivor.serve([untouched!]);
    const regenerated = await pictureOf(pool, undisturbed);
    assert.notDeepEqual(regenerated, old);

    assert.deepEqual(await brokenLaws(pool), [], 'between the kill and the second try');
    for (const [index, place] of group.entries()) {
      const is_committed = place.statement === statements.length - 1 && place.side === 'after';
      const seen = await pictureOf(pool, customers[index]!);
      assert.deepEqual(seen, is_committed ? regenerated : old, said(place));
    }

    await survivor.serve(jobs);
    assert.deepEqual(await brokenLaws(pool), [], 'after the second try');
    for (const [index, customer] of customers.entries()) {
      const place = group[index];
      assert.deepEqual(await pictureOf(pool, customer), regenerated, place && said(place));
    }
  }

  const said = ({ statement, side }: Place) =>
    `killed ${side} statement ${statement + 1} of ${statements.length}: ${statements[statement]}`;

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
    let next = startRegenerator();
    for (const group of groupsOf(statements)) {
      const victim = next;
      // The process of the next round starts during this round.
      next = startRegenerator();
      await round(group, victim);
      for (const { statement, side } of group) covered.add(`${side} ${statement}`);
    }
    await next.kill();
    console.log(`      killed at ${covered.size} places of ${statements.length} statements`);
    assert.equal(covered.size, 2 * statements.length);
  });
});
