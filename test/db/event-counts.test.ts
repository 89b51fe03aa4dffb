import assert from 'node:assert/strict';
import { countEvents, countKeys, takeMark } from '../../src/db/cluster/counts.ts';
import * as given from '../support/ledger/billing.ts';

/** On one machine; test/cluster counts the same on nodes. */
describe('the counts of what a mark holds', () => {
  it('leave out what was stored after it', async () => {
    const pool = await given.aLedger();
    const customer = await given.aCustomer(pool);
    await given.post(pool, customer, given.january(2));
    const mark = await takeMark(pool);
    await given.post(pool, customer, given.january(1));
    assert.deepEqual(await countEvents(pool, mark), { 0: 2 });
    assert.equal(await countKeys(pool, mark), 2);
    const later = await takeMark(pool);
    assert.deepEqual(await countEvents(pool, later), { 0: 3 });
    assert.equal(await countKeys(pool, later), 3);
    await pool.end();
  });
});
