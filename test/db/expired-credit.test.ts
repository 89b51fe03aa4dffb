import assert from 'node:assert/strict';
import { writeOffExpiredGrants } from '../../activities/expired-credit.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import { listSetAside } from '../../src/db/customers/set-aside.ts';
import * as given from '../support/ledger/billing.ts';

const EXPIRED = { expires_at: '2026-01-02T00:00:00.000Z' };

describe('expired credit that cannot be written off for one customer', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  const remaining = async (id: string) =>
    (await pool.query('select remaining::text from credit_grants where id = $1', [id])).rows[0].remaining;
  const writeOff = async (rest_ms?: number) => {
    let customers = 0;
    await writeOffExpiredGrants(pool, () => customers++, rest_ms);
    return customers;
  };

  it('stays until a retry succeeds, and the expired credit of others is written off', async () => {
    const customers = await Promise.all(Array.from({ length: 3 }, () => given.aCustomer(pool)));
    const [bad, ...others] = await Promise.all(
      customers.map((customer) => given.aGrant(pool, customer, 10, EXPIRED)),
    );
    await pool.query(
      `alter table credit_grants add constraint refused check (id <> '${bad}' or remaining > 0)`,
    );
    assert.equal(await writeOff(), 3);
    assert.deepEqual(await Promise.all([bad!, ...others].map(remaining)), ['10', '0', '0']);
    const [listed, ...rest] = await listSetAside(pool, 10);
    assert.deepEqual(
      [listed!.job, listed!.customer_id, rest],
      ['expired_credit', `${customers[0]!.id}-external`, []],
    );
    assert.match(listed!.reason, /violates check constraint "refused"/);
    // Not retried at once; retried after the delay.
    assert.deepEqual([await writeOff(), await writeOff(0)], [0, 1]);
    await pool.query('alter table credit_grants drop constraint refused');
    assert.equal(await writeOff(0), 1);
    assert.deepEqual([await remaining(bad!), await listSetAside(pool, 10)], ['0', []]);
  });
});
