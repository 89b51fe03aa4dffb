import assert from 'node:assert/strict';
import { createFind } from '../../../api/access/credentials.ts';
import { hashOfKey } from '../../../src/keys/api-key.ts';
import { createPool, type Pool } from '../../../src/db/connection/pool.ts';
import { seedAccount } from '../../../src/db/account/accounts.ts';
import { makeKey } from '../../support/servers/api.ts';
import { createDatabase } from '../../support/servers/cluster.ts';

const hashed = (key: string) => hashOfKey(key).toString('hex');

describe('the keys that a process caches', () => {
  let pool: Pool;
  before(async () => {
    const url = await createDatabase();
    await seedAccount(url, null);
    pool = createPool(url, 2);
  });
  after(() => pool.end());

  const warn = (error: unknown) => assert.fail(String(error));

  it('are all keys in force, so that it is certain that any other key is invalid', async () => {
    const find = createFind(pool, { cached_max: 100, warn });
    const key = await makeKey(pool, 1);
    const { cached, is_fresh } = await find(hashed(key));
    assert.deepEqual([cached?.key?.kind, cached?.key?.livemode, is_fresh], ['full', false, true]);
    assert.deepEqual(await find('0'.repeat(64)), { cached: null, is_fresh: true });
  });

  it('are the most recently used if there are too many, and it is not certain about any other key', async () => {
    const used = await makeKey(pool, 1);
    await pool.query('update api_keys set last_used_at = now() where secret_hash = $1', [hashOfKey(used)]);
    const others = [await makeKey(pool, 1), await makeKey(pool, 1)];
    const find = createFind(pool, { cached_max: 1, warn });
    assert.deepEqual(await find(hashed(others[0]!)), { cached: null, is_fresh: false });
    const { cached, is_fresh } = await find(hashed(used));
    assert.deepEqual([cached?.key?.kind, is_fresh], ['full', true]);
  });

  it('are complete after a restore from a dump with higher transaction ids', async () => {
    const restored = await makeKey(pool, 1);
    await pool.query(`update api_keys set changed_in = '9000000000' where secret_hash = $1`, [
      hashOfKey(restored),
    ]);
    const find = createFind(pool, { cached_max: 100, warn });
    assert.equal((await find(hashed(restored))).cached?.key?.kind, 'full');
    const next = await makeKey(pool, 1);
    assert.equal((await find(hashed(next))).cached?.key?.kind, 'full');
  });
});
