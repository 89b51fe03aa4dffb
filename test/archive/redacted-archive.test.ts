import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { archiveEvents } from '../../src/archive/archive.ts';
import { restoreMonth } from '../../src/archive/restore.ts';
import { redactCustomer } from '../../src/billing/customers/redact.ts';
import { transaction, type Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/ledger/billing.ts';
import { aFolder } from '../support/servers/folder.ts';
import { redactAllEvents } from '../support/ledger/redactions.ts';
import { aBilledCustomer, assertSound, BEFORE, ENVIRONMENTS, settle } from './archive-ledger.ts';

describe('the archive of a redacted customer', () => {
  const say = () => undefined;
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  it('writes over no file, waits for a redaction, and brings no property back that was redacted meanwhile', async () => {
    const folder = await aFolder();
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const { customer } = await aBilledCustomer(pool, plan, 4);
    await settle(pool);
    const redact = (...properties: string[]) =>
      transaction(pool, (db) => redactCustomer(db, given.LIVE, { id: customer.id, properties, by: 'key' }));
    const archive = () => archiveEvents(pool, { before: BEFORE, environments: ENVIRONMENTS, folder, say });
    const named = async (property: string) =>
      (await pool.query('select from events where properties ? $1', [property])).rows.length;
    // Of another database.
    writeFileSync(join(folder, 'live-2026-01-001.csv.gz'), 'theirs');
    await redact('model');
    assert.deepEqual(await archive(), { files: 0, events: 0 });
    await redactAllEvents(pool);
    assert.deepEqual(await archive(), { files: 2, events: 14 });
    assert.equal(readFileSync(join(folder, 'live-2026-01-001.csv.gz'), 'utf8'), 'theirs');
    assert.ok(readdirSync(folder).includes('live-2026-01-002.csv.gz'));
    await redact('text');
    await redactAllEvents(pool);
    for (const month of ['2026-02', '2026-01'])
      assert.deepEqual((await restoreMonth(pool, { month, folder, say })).differing_lines, []);
    assert.deepEqual([await named('model'), await named('text')], [0, 0]);
    assert.equal((await pool.query('select from events')).rows.length, 28);
    await assertSound(pool);
  });
});
