import assert from 'node:assert/strict';
import { join } from 'node:path';
import { prepareDatabase } from '../../../src/db/connection/prepare.ts';
import type { Pool } from '../../../src/db/connection/pool.ts';
import { startPostgres, type Postgres } from '../../../dev/postgres.ts';
import { atEnd } from '../../support/servers/at-end.ts';
import * as given from '../../support/ledger/billing.ts';
import { aFolder } from '../../support/servers/folder.ts';
import {
  aBilledCustomer,
  aBilledPlan,
  brokenLaws,
  pictureOf,
  type BilledCustomer,
} from './billed-customer.ts';
import { startBillingProcess, type BillingProcess, type Job } from './billing-process.ts';
import { isCommitted, nameOf, placesOf, statementsOf, stopAt, type Place } from './places.ts';

const MEMBERS = 3;
/** `aBilledCustomer` has invoices of January and February. */
const MARCH = 2;

/** Customers with the same history, whose subscriptions are billed in one group. */
type Group = readonly BilledCustomer[];

const instant = (month: number, day: number) => new Date(Date.UTC(2026, month, day)).toISOString();

/** Ends a month, counted from 0: with usage, late usage of the month before, and credit for part of both. */
async function endMonth(pool: Pool, { customer }: BilledCustomer, month: number): Promise<void> {
  const used = (of: number, count: number) =>
    Array.from({ length: count }, () => ({
      ...{ timestamp: instant(of, 5), properties: { seconds: 2 } },
      created_at: instant(month, 10),
    }));
  await given.post(pool, customer, [...used(month, 30), ...used(month - 1, 4)]);
  await given.aGrant(pool, customer, 20, { created_at: instant(month, 1) });
  await pool.query('update customers set test_clock = $2 where id = $1', [
    customer.id,
    instant(month + 1, 2),
  ]);
}

/** Groups of customers in a database, and what is asserted of them. */
async function groupsIn(pool: Pool, count: number) {
  const plan = await aBilledPlan(pool);
  const groups: Group[] = [];
  for (let at = 0; at < count; at++)
    groups.push(await Promise.all(Array.from({ length: MEMBERS }, () => aBilledCustomer(pool, plan))));
  const jobOf = (group: Group): Job => ({
    ...{ database_url: pool.options.connectionString!, environment_id: given.LIVE },
    subscription_ids: group.map(({ subscription_id }) => subscription_id),
  });
  return {
    jobOf,
    groups,
    endMonth: async (month: number) => {
      for (const member of groups.flat()) await endMonth(pool, member, month);
    },
    /** Asserts that each member of a group has these rows. */
    assertRows: async (group: Group, rows: object, name?: string) => {
      for (const member of group) assert.deepEqual(await pictureOf(pool, member), rows, name);
    },
  };
}

type Groups = Awaited<ReturnType<typeof groupsIn>>;

/** The statements of the group that is billed first; the others are left. */
async function statementsOfFirst({ groups, jobOf }: Groups, process: BillingProcess): Promise<string[]> {
  return statementsOf(process, jobOf(groups[0]!));
}

describe('the worker is killed at every statement of a group of closes', function () {
  this.timeout(400_000);
  let pool: Pool;
  let survivor: BillingProcess;
  before(async () => {
    pool = await given.aLedger();
    survivor = startBillingProcess();
  });
  after(async () => {
    await survivor.kill();
    await pool.end();
  });

  it('all its members are billed or none, and the next try bills each once', async () => {
    const probe = await groupsIn(pool, 1);
    await probe.endMonth(MARCH);
    const statements = await statementsOfFirst(probe, survivor);
    assert.match(statements[0]!, /^begin/);
    assert.equal(statements.at(-1), 'commit');
    const lists = placesOf(statements);
    const made = await groupsIn(pool, Math.max(...lists.map(({ length }) => length)) + 1);
    const [undisturbed, ...groups] = made.groups as [Group, ...Group[]];
    const picture = () => pictureOf(pool, undisturbed[0]!);
    let killed = 0;
    let next = startBillingProcess();
    for (const [round, places] of lists.entries()) {
      const victim = next;
      // The process of the next round starts during this round.
      next = startBillingProcess();
      await made.endMonth(MARCH + round);
      const old = await picture();
      const { serving, wires } = await stopAt(places, groups.map(made.jobOf), victim);
      await victim.kill();
      await assert.rejects(serving, /ended with SIGKILL/);
      for (const wire of wires) wire.cut();
      await survivor.serve([made.jobOf(undisturbed)]);
      const billed = await picture();
      assert.notDeepEqual(billed, old);
      assert.deepEqual(await brokenLaws(pool), [], 'between the kill and the second try');
      for (const [at, place] of places.entries()) {
        const expected = isCommitted(place, statements) ? billed : old;
        await made.assertRows(groups[at]!, expected, nameOf(place, statements));
      }
      await survivor.serve(groups.map(made.jobOf));
      assert.deepEqual(await brokenLaws(pool), [], 'after the second try');
      for (const group of [undisturbed, ...groups]) await made.assertRows(group, billed);
      killed += places.length;
    }
    await next.kill();
    assert.equal(killed, statements.length + 1);
  });
});

describe('PostgreSQL is killed in the middle of a group of closes', function () {
  this.timeout(400_000);

  it('all its members are billed or none, and the next try bills each once', async () => {
    const data_dir = join(await aFolder(), 'postgres');
    const options = { data_dir, durable: true, say: () => undefined };
    let postgres: Postgres = await startPostgres(options);
    atEnd(() => postgres.stop());
    const { url, port } = postgres;
    await prepareDatabase(url);
    const pool = await given.aLedger(url);
    // Sessions that end with the server.
    pool.on('error', () => undefined);
    const process_of_groups = startBillingProcess();
    const probe = await groupsIn(pool, 1);
    await probe.endMonth(MARCH);
    const statements = await statementsOfFirst(probe, process_of_groups);
    const numbering = statements.findIndex((text) => text.includes('last_invoice_number'));
    const last = statements.length - 1;
    const places: Place[] = [
      { statement: numbering, side: 'before' },
      { statement: numbering, side: 'after' },
      { statement: last, side: 'before' },
      { statement: last, side: 'after' },
    ];
    const made = await groupsIn(pool, 2);
    const [undisturbed, group] = made.groups as [Group, Group];
    for (const [round, place] of places.entries()) {
      await made.endMonth(MARCH + round);
      const old = await pictureOf(pool, group[0]!);
      const victim = startBillingProcess();
      const { wires } = await stopAt([place], [made.jobOf(group)], victim);
      process.kill(postgres.pid, 'SIGKILL');
      await postgres.exited;
      await victim.kill();
      for (const wire of wires) wire.cut();
      postgres = await startPostgres({ ...options, port });
      assert.deepEqual(await brokenLaws(pool), [], nameOf(place, statements));
      await process_of_groups.serve([made.jobOf(undisturbed)]);
      const billed = await pictureOf(pool, undisturbed[0]!);
      await made.assertRows(group, isCommitted(place, statements) ? billed : old, nameOf(place, statements));
      await process_of_groups.serve([made.jobOf(group)]);
      assert.deepEqual(await brokenLaws(pool), []);
      await made.assertRows(group, billed);
    }
    await process_of_groups.kill();
    await pool.end();
  });
});
