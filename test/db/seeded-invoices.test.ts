import assert from 'node:assert/strict';
import { seedInvoices } from '../../bench/size/invoices.ts';
import { findEnvironments, seedAccount } from '../../src/db/account/accounts.ts';
import { createPool, readOnly, type Pool } from '../../src/db/connection/pool.ts';
import { sumInvoices } from '../../src/db/invoicing/invoice-sums.ts';
import { assertBooks } from '../support/ledger/books.ts';
import { breachesOf } from '../support/ledger/sound.ts';
import { createDatabase } from '../support/servers/cluster.ts';

/** Invoices of a hundred customers: each fate of an invoice is there twelve times. */
const INVOICES = 2400;
/** The seeded documents have no real hash. */
const OF_HASHES = ['I14', 'I41'];

const ALL = { customer_id: null, subscription_id: null, status: null, from: null, to: null };

describe('the invoices of the benchmark', function () {
  let pool: Pool;
  let environment_id: number;

  before(async () => {
    const url = await createDatabase();
    await seedAccount(url, null);
    pool = createPool(url, 1);
    environment_id = (await findEnvironments(pool))!.live;
    await seedInvoices(pool, environment_id, { invoices: INVOICES, say: () => undefined });
  });
  after(() => pool.end());

  it('are as many as asked for, open, paid and void, in two currencies', async () => {
    const sums = await sumInvoices(pool, environment_id, { ...ALL, period_in: null, issued_in: null });
    assert.deepEqual(
      sums.map(({ status, currency }) => `${status} ${currency}`),
      ['open EUR', 'open USD', 'paid EUR', 'paid USD', 'void EUR', 'void USD'],
    );
    assert.equal(
      sums.reduce((total, { count }) => total + count, 0),
      INVOICES,
    );
  });

  it('breach no invariant but those of hashes, and the books agree with them', async () => {
    const breaches = await readOnly(pool, (db) => breachesOf(db));
    assert.deepEqual(
      breaches.filter(({ invariant }) => !OF_HASHES.includes(invariant)),
      [],
    );
    await assertBooks(pool);
  });

  it('are logged again when they change', async () => {
    await pool.query(`update invoices set overdue_at = now() where id = (select min(id) from invoices)`);
    const { rows } = await pool.query(`select from row_changes where table_name = 'invoices'`);
    assert.equal(rows.length, 1);
  });
});
