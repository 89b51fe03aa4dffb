import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { hashOfKey, newApiKey } from '../../../src/keys/api-key.ts';
import { findKeyByHash, revokeKey } from '../../../src/db/account/api-keys.ts';
import type { Pool } from '../../../src/db/connection/pool.ts';
import { newToken } from '../../../src/keys/token.ts';
import { makeKey, startApi, type TestApi } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { linkToken, signIn } from '../../support/servers/signed-in.ts';

const PATH = '/v1/customers';
const SIGN_IN = '/dashboard/api/session';
/** Limit of contract.md 9. */
const REFUSED_WITHIN_MS = 5000;

const oneProcess = (database_url?: string) =>
  startApi({ processes: 1, ...(database_url === undefined ? {} : { database_url }) });

const statusOf = async (api: TestApi, key: string) => (await api.request(PATH, { key })).status;

async function revoke(pool: Pool, key: string): Promise<void> {
  const { id } = (await findKeyByHash(pool, hashOfKey(key)))!;
  assert.equal(await revokeKey(pool, 1, id), true);
}

async function isRefusedInTime(api: TestApi, key: string): Promise<void> {
  await eventually(
    () => statusOf(api, key),
    (status) => status === 401,
    REFUSED_WITHIN_MS,
  );
}

/** Sends invalid keys until the address is rate-limited. */
async function exhaust(api: TestApi): Promise<void> {
  const tries = Array.from({ length: 101 }, () => statusOf(api, newApiKey(false)));
  assert.ok((await Promise.all(tries)).includes(429));
}

describe('an address of many clients, one of which tries invalid keys', () => {
  let api: TestApi;
  before(async () => {
    api = await oneProcess();
    await api.request(PATH);
  });
  after(() => api.close());
  beforeEach(() => exhaust(api));

  it('does not limit a valid key that the process has not seen yet', async () => {
    assert.equal(await statusOf(api, api.live_key), 200);
    assert.equal(await statusOf(api, await makeKey(api.pool, 1)), 200);
  });

  it('does not limit a valid sign-in link or session', async () => {
    const me = await signIn(api);
    assert.equal((await me.request(PATH)).status, 200);
    assert.equal((await me.request('/dashboard/api/home')).status, 200);
  });

  it('does not limit a session that another process opened', async () => {
    const other = await oneProcess(api.deps.config.database_url!);
    const { cookie } = await signIn(other);
    const headers = { Cookie: cookie, 'Tidemark-Environment': 'test' };
    assert.equal((await api.request(PATH, { key: null, headers })).status, 200);
    await other.close();
  });

  it('is limited for its invalid keys, sessions and links', async () => {
    const headers = { Cookie: `tidemark_session=${newToken()}`, 'Tidemark-Environment': 'test' };
    const tried = [
      await api.request(PATH, { key: newApiKey(false) }),
      await api.request(PATH, { key: null, headers }),
      await api.post(SIGN_IN, { token: newToken() }, { key: null }),
    ];
    for (const { status, headers: answered } of tried) {
      assert.equal(status, 429);
      assert.ok(Number(answered.get('retry-after')) >= 1);
    }
  });
});

describe('the cost of an invalid key or link', () => {
  let api: TestApi;
  before(async () => {
    api = await oneProcess();
    await api.request(PATH);
  });
  after(() => api.close());

  it('a thousand keys cause fewer than fifty queries', async () => {
    let questions = 0;
    api.pool.on('acquire', () => questions++);
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 100 }, () => statusOf(api, newApiKey(false))));
    assert.ok(questions < 50, `${questions} questions`);
  });

  it('invalid links use one connection, however slow each lookup is', async () => {
    const api = await oneProcess();
    await api.request(PATH);
    const slow = await api.pool.connect();
    try {
      await slow.query('begin');
      await slow.query('lock table sign_in_links in access exclusive mode');
      const tries = Array.from({ length: 30 }, () => api.post(SIGN_IN, { token: newToken() }, { key: null }));
      await pause(200);
      assert.equal(await statusOf(api, api.test_key), 200);
      await slow.query('rollback');
      assert.ok((await Promise.all(tries)).every(({ status }) => status === 401));
    } finally {
      slow.release();
    }
    assert.equal((await api.post(SIGN_IN, { token: await linkToken(api) }, { key: null })).status, 201);
  });
});

describe('a key in another process', () => {
  let api: TestApi;
  let other: TestApi;
  before(async () => {
    api = await oneProcess();
    other = await oneProcess(api.deps.config.database_url!);
  });
  after(() => Promise.all([api.close(), other.close()]));

  it('is valid as soon as it is made', async () => {
    assert.equal(await statusOf(other, other.test_key), 200);
    const me = await signIn(api);
    const { body } = await me.post('/dashboard/api/keys', { name: 'New' });
    assert.deepEqual([await statusOf(api, body.secret), await statusOf(other, body.secret)], [200, 200]);
  });

  it('is refused within 5 s after its revocation, even if that commits after later changes', async () => {
    const [late, early] = [await makeKey(api.pool, 1), await makeKey(api.pool, 1)];
    for (const key of [late, early]) assert.equal(await statusOf(other, key), 200);
    const client = await api.pool.connect();
    await client.query('begin');
    await client.query('update api_keys set revoked_at = now() where secret_hash = $1', [hashOfKey(late)]);
    await revoke(api.pool, early);
    await isRefusedInTime(other, early);
    assert.equal(await statusOf(other, late), 200);
    await client.query('commit');
    client.release();
    await isRefusedInTime(other, late);
  });

  it('is refused within 5 s after its revocation, while it is in constant use', async () => {
    const key = await makeKey(api.pool, 1);
    assert.equal(await statusOf(other, key), 200);
    await revoke(api.pool, key);
    await isRefusedInTime(other, key);
  });

  it('is refused when it expires', async () => {
    const key = await makeKey(api.pool, 1, { expires_at: new Date(Date.now() + 1500).toISOString() });
    assert.equal(await statusOf(other, key), 200);
    await isRefusedInTime(other, key);
  });
});

describe('a process that cannot read which keys are in force', () => {
  let api: TestApi;
  before(async () => {
    api = await oneProcess();
    await api.request(PATH);
    await api.pool.query('alter table sessions rename to sessions_elsewhere');
  });
  after(() => api.close());

  it('looks each key up: a valid one is accepted, a revoked one is refused within 5 s', async () => {
    const [kept, revoked] = [await makeKey(api.pool, 1), await makeKey(api.pool, 1)];
    await eventually(
      () => statusOf(api, revoked),
      (status) => status === 200,
    );
    assert.equal(await statusOf(api, kept), 200);
    await revoke(api.pool, revoked);
    await isRefusedInTime(api, revoked);
    await exhaust(api);
    assert.equal(await statusOf(api, api.test_key), 200, 'a key that it knew is asked for from any address');
  });
});

describe('a host whose clock is set back an hour', () => {
  let api: TestApi;
  const { now } = Date;
  before(async () => {
    api = await oneProcess();
  });
  after(async () => {
    Date.now = now;
    await api.close();
  });
  const setBack = () => (Date.now = () => now() - 3_600_000);

  it('refuses a revoked key within 5 s', async () => {
    const key = await makeKey(api.pool, 1);
    assert.equal(await statusOf(api, key), 200);
    setBack();
    await revoke(api.pool, key);
    await isRefusedInTime(api, key);
  });

  it('asks an address that it limited before to retry within 10 s', async () => {
    Date.now = now;
    await exhaust(api);
    setBack();
    const { status, headers } = await api.request(PATH, { key: null });
    assert.equal(status, 429);
    assert.ok(Number(headers.get('retry-after')) <= 10, headers.get('retry-after')!);
  });
});
