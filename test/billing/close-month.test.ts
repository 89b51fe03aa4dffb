import assert from 'node:assert/strict';
import { closeMonth, openMonth } from '../../src/billing/owed/close-month.ts';
import { createPool, transaction, type Pool } from '../../src/db/connection/pool.ts';
import { BillingError } from '../../src/domain/money/errors.ts';
import * as given from '../support/ledger/billing.ts';
import { shadowFunction } from '../support/ledger/pretend.ts';
import { aSoundLedger, type SoundLedger } from '../support/ledger/sound-ledger.ts';
import { assertSound } from '../support/ledger/sound.ts';
import { createDatabase } from '../support/servers/cluster.ts';

/** The month of the ledger's invoices, which is over at 2026-03-01T00:00:00Z. */
const MONTH = { month: '2026-02', by: 'key_1' };

/** contract.md 4. The environment is in live mode. */
describe('the close of a month of live data', function () {
  let ledger: SoundLedger;
  let url: string;
  before(async () => {
    url = await createDatabase();
    ledger = await aSoundLedger(url);
  });
  after(() => ledger.pool.end());

  const close = (pool: Pool) => transaction(pool, (db) => closeMonth(db, given.LIVE, MONTH));
  const reasonOf = (error: unknown) =>
    error instanceof BillingError ? error.details[0]!.reason : `${error}`;

  it('succeeds once of several at once, and agrees with the journal', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => close(ledger.pool)));
    const closed = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    assert.deepEqual([closed.length, refused.map(reasonOf)], [1, Array(3).fill('invalid_state')]);
    assert.ok(closed[0]!.entries > 1 && closed[0]!.data.length > 1, JSON.stringify(closed));
    await assertSound(ledger.pool);
    const opening = { month: MONTH.month, reason: 'A wrong price', by: 'key_1' };
    assert.deepEqual(await openMonth(ledger.pool, given.LIVE, opening), closed[0]);
    assert.equal(await openMonth(ledger.pool, given.LIVE, opening), null);
    await assertSound(ledger.pool);
  });

  it('is refused until an hour after its end, to the millisecond', async () => {
    const at = async (instant: string) => {
      await shadowFunction(
        ledger.pool,
        `create or replace function public.now() returns timestamptz language sql stable as $$ select timestamptz '${instant}' $$`,
      );
      const pool = createPool(url, 1);
      try {
        return await close(pool).then(({ month }) => month, reasonOf);
      } finally {
        await pool.end();
      }
    };
    assert.equal(await at('2026-02-28T12:00:00Z'), 'out_of_range');
    assert.equal(await at('2026-03-01T00:59:59.999Z'), 'out_of_range');
    assert.equal(await at('2026-03-01T01:00:00Z'), MONTH.month);
  });
});
