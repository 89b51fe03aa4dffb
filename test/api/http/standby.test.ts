import assert from 'node:assert/strict';
import { readConfig } from '../../../src/settings/config.ts';
import { seedAccount } from '../../../src/db/account/accounts.ts';
import { createPool } from '../../../src/db/connection/pool.ts';
import { openStandby } from '../../../src/db/account/standby.ts';
import { anyFreePort } from '../../../dev/ports.ts';
import { Refusal } from '../../../src/settings/refusal.ts';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import {
  administer,
  copyDatabase,
  createDatabase,
  createEmptyDatabase,
} from '../../support/servers/cluster.ts';
import * as given from '../../support/ledger/billing.ts';

const JANUARY = { from: '2026-01-01', to: '2026-02-01' };

/** A standby that is behind is a copy of the database, which later events have not reached. */
describe('DATABASE_READ_URL', () => {
  let api: TestApi;
  let copy_url: string;
  let original_url: string;
  let customer: given.TestCustomer;

  before(async () => {
    original_url = await createDatabase();
    await seedAccount(original_url, null);
    const pool = createPool(original_url, 1);
    customer = await given.aCustomer(pool);
    await pool.end();
    copy_url = await copyDatabase(original_url);
  });
  afterEach(() => api?.close());

  async function acceptedWith(settings: Record<string, string>): Promise<number> {
    api = await startApi({ database_url: original_url, settings });
    await given.post(api.pool, customer, [{ timestamp: '2026-01-05T00:00:00Z' }]);
    const { status, body } = await api.request(`/v1/usage-report?${new URLSearchParams(JANUARY)}`, {
      key: api.live_key,
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.reduce((sum: number, { accepted }: { accepted: number }) => sum + accepted, 0);
  }

  it('is what the usage report reads, and nothing else', async () => {
    assert.equal(await acceptedWith({ DATABASE_READ_URL: copy_url }), 0);
    const { body } = await api.request(`/v1/events?${new URLSearchParams(JANUARY)}`, {
      key: api.live_key,
    });
    assert.equal(body.data.length, 1);
  });

  it('takes no writes, and may have several hosts', async () => {
    const { host, pathname } = new URL(copy_url);
    await administer(`alter database ${pathname.slice(1)} set default_transaction_read_only = on`);
    assert.equal(await acceptedWith({ DATABASE_READ_URL: copy_url.replace(host, `${host},${host}`) }), 0);
  });

  it('is not used while no server responds there', async () => {
    const DATABASE_READ_URL = copy_url.replace(/:\d+\//, `:${await anyFreePort()}/`);
    assert.equal(await acceptedWith({ DATABASE_READ_URL }), 3);
  });

  it('is refused at the start if it is the database of another account, or has no account', async () => {
    const other_url = await createDatabase();
    await seedAccount(other_url, null);
    const pool = createPool(original_url, 1);
    const opened = (DATABASE_READ_URL: string) => openStandby(readConfig({ DATABASE_READ_URL }), pool);
    try {
      for (const [url, found] of [
        [
          other_url,
          /^DATABASE_READ_URL: the database has the account acct_\w+, and that of DATABASE_URL has the account acct_\w+: /,
        ],
        [await createEmptyDatabase(), /^DATABASE_READ_URL: the database has no account, and that/],
      ] as const)
        await assert.rejects(opened(url), (error) => error instanceof Refusal && found.test(error.message));
    } finally {
      await pool.end();
    }
  });
});
