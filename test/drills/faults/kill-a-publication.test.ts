import assert from 'node:assert/strict';
import type { Pool } from '../../../src/db/connection/pool.ts';
import * as given from '../../support/ledger/billing.ts';
import { startBillingProcess, type BillingProcess, type Job } from './billing-process.ts';
import { everyPlace, nameOf, statementsOf, stopAt } from './places.ts';

/** decision 44: a number and its change are stored with the place in the log, so that a death leaves no gap. */
describe('the worker is killed at every statement of a publication', function () {
  this.timeout(400_000);
  let pool: Pool;
  let survivor: BillingProcess;
  let grants: string[];
  let draws = 0;
  before(async () => {
    pool = await given.aLedger();
    const customer = await given.aCustomer(pool);
    grants = [await given.aGrant(pool, customer, 1000), await given.aGrant(pool, customer, 1000)];
    survivor = startBillingProcess();
    await survivor.serve([job()]);
  });
  after(async () => {
    await survivor.kill();
    await pool.end();
  });

  const job = (): Job => ({ database_url: pool.options.connectionString!, publishes: true });

  /** Changes two objects, each in a transaction of its own. */
  async function draw(): Promise<void> {
    for (const grant of grants)
      await pool.query('update credit_grants set remaining = remaining - 1 where id = $1', [grant]);
    draws++;
  }

  /** Asserts that the numbers have no gap, and that each draw has one change. */
  async function assertWhole(name: string): Promise<void> {
    const { rows } = await pool.query<{ sequence: number; object_id: string; type: string }>(
      'select sequence::integer as sequence, object_id, type from feed where environment_id = $1 order by 1',
      [given.LIVE],
    );
    assert.deepEqual(
      rows.map(({ sequence }) => sequence),
      rows.map((_, place) => place + 1),
      name,
    );
    for (const grant of grants) {
      const updates = rows.filter(({ type, object_id }) => object_id === grant && type.endsWith('.updated'));
      assert.equal(updates.length, draws, name);
    }
  }

  it('no number is missing, and no change comes twice', async () => {
    await draw();
    const statements = await statementsOf(survivor, job());
    assert.match(statements[0]!, /^begin/);
    assert.equal(statements.at(-1), 'commit');
    assert.ok(statements.some((text) => text.includes('insert into feed ')));
    await assertWhole('undisturbed');
    let next = startBillingProcess();
    const places = everyPlace(statements);
    for (const place of places) {
      const victim = next;
      // The process of the next round starts during this round.
      next = startBillingProcess();
      await draw();
      const { serving, wires } = await stopAt([place], [job()], victim);
      await victim.kill();
      await assert.rejects(serving, /ended with SIGKILL/);
      for (const wire of wires) wire.cut();
      await survivor.serve([job()]);
      await assertWhole(nameOf(place, statements));
    }
    await next.kill();
    console.log(`      killed at ${places.length} places of ${statements.length} statements`);
  });
});
