import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { contentHash } from '../../src/db/invoicing/content-hash.ts';
import { findInvoice } from '../../src/db/invoicing/invoices.ts';
import { wholeAddress } from '../../src/domain/people/party.ts';
import { readOnly, type Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/billing.ts';
import { createDatabase } from '../support/cluster.ts';
import { breachesOf } from '../support/sound.ts';

const MIGRATIONS = ['0013_issued_invoices.sql', '0017_parties.sql'].map(
  (file) => new URL(`../../migrations/${file}`, import.meta.url),
);

/** Reverts the migrations. */
const BEFORE = `
  drop trigger logged on customers;
  drop trigger audited on customers;
  drop trigger logged on environments;
  drop trigger audited on environments;
  alter table invoices drop column full_number, drop column tax_treatment, drop column tax_note, drop column timezone,
    drop column hide_zero_lines, drop column due_date, drop column due_at;
  alter table subscriptions drop column timezone;
  alter table customers drop column address, drop column tax_ids, drop column tax_treatment, drop column buyer_reference,
    drop column timezone, drop column net_days;
  alter table environments drop column name, drop column currency, drop column tax_rate, drop column address, drop column tax_ids,
    drop column invoice_footer, drop column timezone, drop column net_days, drop column invoice_prefix, drop column hide_zero_lines;
  update accounts set name = 'Account', currency = 'USD';
  alter table invoices drop column seller, drop column content_hash_version;
  alter table environments drop column numbering_run, drop column numbering_epoch, drop column numbering_timeline,
    drop column numbering_halt, drop column numbering_given;
  drop table invoice_number_gaps;
  drop function server_run;`;

/** contract.md 4: an invoice that was issued before invoices kept a copy of the seller. */
describe('an invoice of a version that stored no seller', () => {
  let pool: Pool;
  let id: string;
  before(async () => {
    const database_url = await createDatabase();
    pool = await given.aLedger(database_url);
    const customer = await given.aCustomer(pool);
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const subscription = await given.aSubscription(pool, customer, plan);
    await given.post(pool, customer, given.january(2));
    const invoice = await given.bill(pool, given.stepOf(subscription));
    id = invoice.id;
    await pool.query(BEFORE);
    await pool.query('update invoices set content_hash = $2 where id = $1', [id, contentHash(invoice, 1)]);
    await pool.query(
      `update accounts set name = 'At the upgrade', address = 'Old Street 1', invoice_footer = 'Thanks.'`,
    );
    for (const migration of MIGRATIONS) await pool.query(readFileSync(migration, 'utf8'));
  });
  after(() => pool.end());

  /** Breaches of I14 only: other invariants report that the later months of this customer are not billed. */
  const changed = async () => {
    const found = await readOnly(pool, (db) => breachesOf(db));
    return found.filter(({ invariant }) => invariant === 'I14').map(({ row }) => row);
  };

  it('keeps the account as it was at the upgrade, and its content hash', async () => {
    await pool.query(`update environments set name = 'After the upgrade', invoice_footer = null`);
    const { seller, number, due_date } = (await findInvoice(pool, given.LIVE, id))!;
    const address = wholeAddress({ line1: 'Old Street 1' });
    assert.deepEqual(seller, { name: 'At the upgrade', address, tax_ids: [], footer: 'Thanks.' });
    assert.deepEqual([number, due_date === null], ['INV-000001', false]);
    assert.deepEqual(await changed(), []);
  });

  it('is reported by I14 if it was edited', async () => {
    await pool.query(`update line_items set description = 'Cheaper' where invoice_id = $1`, [id]);
    assert.deepEqual(await changed(), [`invoice ${id}, INV-000001`]);
  });
});
