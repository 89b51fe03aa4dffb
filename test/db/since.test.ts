import assert from 'node:assert/strict';
import { selectSince } from '../../src/db/invariants/since.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/ledger/billing.ts';

const MINUTE_MS = 60_000;

describe('the units of what is new', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  it('are those of events stored since then, whatever their timestamps, and those of changes', async () => {
    const customer = await given.aCustomer(pool);
    const old = { timestamp: '2026-01-05T08:00:00.000Z', created_at: '2026-01-05T08:00:00.000Z' };
    await given.post(pool, customer, [old]);
    await given.post(pool, customer, [{ timestamp: '2026-01-02T08:00:00.000Z' }]);
    const daysSince = async (since_ms: number) => {
      const selections = await selectSince(pool, since_ms);
      assert.ok(selections.some(({ kind, units }) => kind === 'customer' && units[0]!.id === customer.id));
      const { units = [] } = selections.find(({ kind }) => kind === 'usage_day') ?? {};
      return units.map(({ id }) => id).sort();
    };
    const [second, fifth] = ['2026-01-02', '2026-01-05'].map((day) => `${customer.key} ${day}T00:00:00.000Z`);
    assert.deepEqual(await daysSince(MINUTE_MS), [second]);
    const since_always = Date.now() - Date.parse(old.created_at) + MINUTE_MS;
    assert.deepEqual(await daysSince(since_always), [second, fifth]);
  });
});
