import assert from 'node:assert/strict';
import type { Pool } from '../../src/db/connection/pool.ts';
import { selectSince } from '../../src/db/invariants/since.ts';
import * as given from '../support/ledger/billing.ts';

const HOUR_MS = 3_600_000;

describe('the units of a check of the last hour', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  const selected = async () =>
    Object.fromEntries(
      (await selectSince(pool, HOUR_MS)).map(({ kind, units }) => [kind, units.map(({ id }) => id)]),
    );

  it('are those of the events and changes since, and the database', async () => {
    const customer = await given.aCustomer(pool);
    const day = '2026-01-02T00:00:00.000Z';
    await given.post(pool, customer, given.january(2));
    const { customer: changed, ...first } = await selected();
    assert.ok(changed!.includes(customer.id));
    assert.deepEqual(first, { database: [''], event_day: [day], usage_day: [`${customer.key} ${day}`] });

    await pool.query(`update events set created_at = created_at - interval '2 hours'`);
    await pool.query(`update row_changes set noted_at = noted_at - interval '2 hours'`);
    assert.deepEqual(await selected(), { database: [''] });

    const other = await given.aCustomer(pool);
    await pool.query(`update row_changes set noted_at = noted_at - interval '2 hours'`);
    await given.post(pool, other, given.january(1));
    assert.deepEqual(await selected(), {
      database: [''],
      event_day: [day],
      usage_day: [`${other.key} ${day}`],
    });
  });
});
