import assert from 'node:assert/strict';
import { keepNumbersCompared } from '../../worker/numbering.ts';
import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/ledger/billing.ts';
import { createDatabase } from '../support/servers/cluster.ts';
import { eventually } from '../support/servers/eventually.ts';

/** operations.md: an asynchronous standby takes over, and Temporal has not recorded the last minute. */
describe('a running worker during a failover', () => {
  let pool: Pool;
  let own: Pool;
  const stopping = new AbortController();
  const told: string[] = [];
  let kept: Promise<void>;
  before(async () => {
    const url = await createDatabase();
    pool = await given.aLedger(url);
    own = createPool(url, 2);
    const temporal = { rememberedNumbers: () => Promise.resolve([]) };
    kept = keepNumbersCompared({ pool: own, temporal }, stopping.signal, (message) => told.push(message));
  });
  after(async () => {
    stopping.abort();
    await kept;
    await own.end();
    await pool.end();
  });

  /** Waits until the worker has read the counters again, twice to be sure. */
  async function aWhile(): Promise<void> {
    let reads = 0;
    const count = () => void reads++;
    own.on('acquire', count);
    await eventually(
      () => Promise.resolve(reads),
      () => reads >= 5,
    );
    own.off('acquire', count);
  }

  it('remembers the numbers that it has read, even if another worker compared first', async () => {
    const customer = await given.aCustomer(pool);
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const subscription = await given.aSubscription(pool, customer, plan);
    await given.bill(pool, given.stepOf(subscription));
    await aWhile();
    // The state of a standby that missed the last transaction; a new worker has already compared and found nothing wrong.
    await pool.query('update environments set last_invoice_number = 0 where livemode');
    const read = async () => {
      const { rows } = await pool.query<{ halt: string | null }>(
        'select numbering_halt as halt from environments where livemode',
      );
      return rows[0]!.halt;
    };
    assert.match(
      (await eventually(read, (halt) => halt !== null))!,
      /the last number here is 0, but 1 was issued/,
    );
    assert.deepEqual(told, ['live invoices are not issued']);
  });
});
