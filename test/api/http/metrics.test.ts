import assert from 'node:assert/strict';
import { createMetrics } from '../../../api/http/metrics.ts';
import { seedAccount } from '../../../src/db/account/accounts.ts';
import { createPool, type Pool } from '../../../src/db/connection/pool.ts';
import { createDatabase } from '../../support/servers/cluster.ts';

/** Values of a scrape by series. */
async function scrape(pool: Pool): Promise<Map<string, number>> {
  const text = await createMetrics(pool).registry.metrics();
  return new Map(
    text
      .split('\n')
      .filter((line) => /^\w/.test(line))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

describe('the metrics that are read from the database', () => {
  let pool: Pool;
  before(async () => {
    const url = await createDatabase();
    await seedAccount(url, null);
    pool = createPool(url, 2);
    await pool.query('update environments set numbering_run = server_run()');
  });
  after(() => pool.end());

  it('show what is stored', async () => {
    const found = await scrape(pool);
    assert.equal(found.get('tidemark_events_not_rolled_up'), 0);
    assert.equal(found.get('tidemark_subscriptions_needing_attention{environment="live"}'), 0);
  });

  it('count the invoice numbers that were given', async () => {
    await pool.query('update environments set last_invoice_number = 188 where livemode');
    const found = await scrape(pool);
    assert.equal(found.get('tidemark_invoice_numbers_total{environment="live"}'), 188);
    assert.equal(found.get('tidemark_invoice_numbers_total{environment="test"}'), 0);
  });

  it('count the accounts whose live invoices get no number', async () => {
    assert.equal((await scrape(pool)).get('tidemark_accounts_without_numbering'), 0);
    await pool.query(`update environments set numbering_halt = 'The database was restored' where livemode`);
    assert.equal((await scrape(pool)).get('tidemark_accounts_without_numbering'), 1);
    await pool.query(
      `update environments set numbering_halt = null, numbering_run = 'another' where livemode`,
    );
    assert.equal((await scrape(pool)).get('tidemark_accounts_without_numbering'), 1);
    await pool.query('update environments set numbering_run = server_run()');
  });

  it('of the last check are absent before there is one', async () =>
    assert.deepEqual(
      [...(await scrape(pool)).keys()].filter((name) => name.startsWith('tidemark_invariant')),
      [],
    ));

  it('are absent while the database does not respond, and none of them is 0', async () => {
    const ended = createPool('postgres://nobody@127.0.0.1:1/nothing', 1);
    const left = [...(await scrape(ended)).keys()].filter(
      (name) => !name.startsWith('tidemark_pool_connections'),
    );
    await ended.end();
    assert.deepEqual(left, []);
  });
});
