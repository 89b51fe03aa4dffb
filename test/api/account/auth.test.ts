import assert from 'node:assert/strict';
import { hashOfKey, hasValidChecksum, newApiKey } from '../../../src/keys/api-key.ts';
import { findKey, findKeyByHash, listKeys, revokeKey } from '../../../src/db/account/api-keys.ts';
import { seedAccount } from '../../../src/db/account/accounts.ts';
import { makeKey, startApi, type TestApi } from '../../support/servers/api.ts';
import { converse } from '../../support/servers/raw-http.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

describe('authentication', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    it(`takes ${scheme}`, async () => {
      const headers = { Authorization: `${scheme} ${api.test_key}` };
      assert.equal((await api.request('/v1/customers', { key: null, headers })).status, 200);
    });
  }

  it('B4 refuses two Authorization headers, even if the first is valid', async () => {
    const request = `GET /v1/customers HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${api.test_key}\r\nAuthorization: Bearer x\r\n\r\n`;
    const { answers } = await converse(api.port, [request], { wanted: 1 });
    assertRefused(answers[0]!, { code: 'unauthorized' });
  });

  it('all refusals have the same body', async () => {
    const bodies = new Set<string>();
    for (const key of [null, 'x', newApiKey(false), newApiKey(true)]) {
      const { body } = await api.request('/v1/customers', { key });
      bodies.add(JSON.stringify({ ...body.error, request_id: '' }));
    }
    assert.equal(bodies.size, 1);
  });

  it('a revoked key is refused within 5 s', async () => {
    const key = await makeKey(api.pool, 1);
    assert.equal((await api.request('/v1/customers', { key })).status, 200);
    const { id } = (await findKeyByHash(api.pool, hashOfKey(key)))!;
    assert.equal(await revokeKey(api.pool, 1, id), true);
    assert.equal(await revokeKey(api.pool, 1, id), false);
    const deadline = Date.now() + 5000;
    let status = 200;
    while (status === 200 && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      ({ status } = await api.request('/v1/customers', { key }));
    }
    assert.equal(status, 401);
  });

  it('records the last use of a key, at most once a minute', async () => {
    const key = await makeKey(api.pool, 1);
    const { id } = (await findKeyByHash(api.pool, hashOfKey(key)))!;
    const lastUse = async () => (await findKey(api.pool, 1, id))!.last_used_at;
    assert.equal(await lastUse(), null);
    await api.request('/v1/customers', { key });
    const first = await lastUse();
    assert.ok(first !== null);
    await api.request('/v1/customers', { key });
    assert.equal(await lastUse(), first);
  });

  it('events_only keys post events, and nothing else', async () => {
    const { status } = await api.post('/v1/events', {}, { key: api.events_only_key });
    assert.equal(status, 400);
  });

  it('a key cannot read the other environment', async () => {
    const { body } = await api.post('/v1/customers', { external_id: 'test only' });
    assert.equal(body.livemode, false);
    for (const key of [api.live_key, api.other_key])
      assertRefused(await api.request(`/v1/customers/${body.id}`, { key }), { code: 'not_found' });
  });

  it('keys are stored as hashes, and listed by their last four characters', async () => {
    const { rows } = await api.pool.query('select * from api_keys');
    assert.ok(!JSON.stringify(rows).includes(api.test_key));
    for (const { secret_hash } of rows) assert.equal(secret_hash.length, 32);
    const listed = await listKeys(api.pool, 1, { before: null, limit: 10 });
    assert.ok(listed.some(({ last_four }) => last_four === api.test_key.slice(-4)));
  });

  it('seeding again keeps keys that are valid, and creates new ones for the others', async () => {
    const url = api.deps.config.database_url!;
    const { test_key, live_key } = api;
    assert.deepEqual(await seedAccount(url, { test_key, live_key }), { test_key, live_key });
    const made = await seedAccount(url, { test_key, live_key: newApiKey(true) });
    assert.notEqual(made.test_key, test_key);
    assert.equal((await api.pool.query('select from accounts')).rowCount, 2);
  });
});

describe('a key', () => {
  it('contains its mode and a checksum', () => {
    assert.match(newApiKey(false), /^tm_sk_test_[0-9A-Za-z]{38}$/);
    assert.match(newApiKey(true), /^tm_sk_live_[0-9A-Za-z]{38}$/);
    for (let i = 0; i < 200; i++) assert.ok(hasValidChecksum(newApiKey(i % 2 === 0)));
  });

  it('fails its checksum with one character changed', () => {
    const key = newApiKey(true);
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === 'x' ? 'y' : 'x';
      assert.ok(!hasValidChecksum(key.slice(0, at) + other + key.slice(at + 1)), `position ${at}`);
    }
  });
});
