import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { TaxId } from '../../src/domain/people/party.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/billing.ts';

const MIGRATION = new URL('../../migrations/0039_tax_ids.sql', import.meta.url);

const STORED: TaxId[] = [
  { type: 'other', value: 'nif12-3/x' },
  { type: 'us_ein', value: '91-1144442' },
  { type: 'ch_uid', value: 'CHE-107787577MWST' },
  { type: 'eu_vat', value: 'PL526\u2010025\u201302-74' },
  { type: 'eu_vat', value: 'DE136695976' },
];
const REWRITTEN: TaxId[] = [
  STORED[0]!,
  { type: 'us_ein', value: '911144442' },
  { type: 'ch_uid', value: 'CHE107787577MWST' },
  { type: 'eu_vat', value: 'PL5260250274' },
  STORED[4]!,
];

describe('the migration of tax ids', () => {
  let pool: Pool;
  before(async () => (pool = await given.aLedger()));
  after(() => pool.end());

  it('takes separators from those of customers and of the account, but not of the type other, nor from copies', async () => {
    const customer = await given.aCustomer(pool);
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const subscription = await given.aSubscription(pool, customer, plan);
    await pool.query('update customers set tax_ids = $1 where id = $2', [
      JSON.stringify(STORED),
      customer.id,
    ]);
    await pool.query('update environments set tax_ids = $1 where livemode', [JSON.stringify(STORED)]);
    await given.post(pool, customer, given.january(2));
    const { id } = await given.bill(pool, given.stepOf(subscription));
    await pool.query(readFileSync(MIGRATION, 'utf8'));
    const { rows } = await pool.query(
      `select c.tax_ids, n.tax_ids as sellers, i.customer -> 'tax_ids' as copied, i.seller -> 'tax_ids' as sellers_copied
       from invoices i join customers c on c.id = i.customer_id join environments n on n.id = i.environment_id
       where i.id = $1`,
      [id],
    );
    assert.deepEqual(rows, [
      { tax_ids: REWRITTEN, sellers: REWRITTEN, copied: STORED, sellers_copied: STORED },
    ]);
  });
});
