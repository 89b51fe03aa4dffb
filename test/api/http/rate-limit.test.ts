import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { newApiKey } from '../../../src/keys/api-key.ts';
import { makeKey, startApi, type TestApi } from '../../support/servers/api.ts';
import { createTimelessDatabase, letPass } from '../../support/ledger/rate-buckets.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const PATH = '/v1/customers';

describe('rate limit', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ settings: { RATE_LIMIT: '4' }, database_url: await createTimelessDatabase() });
  });
  after(() => api.close());
  // A new key per test, and therefore a new bucket.
  let key: string;
  beforeEach(async () => {
    key = await makeKey(api.pool, 1);
  });
  // Moves the database's clock, which stands still in tests, and waits as long for the API's own clock.
  const wait = async (seconds: number) => {
    await letPass(api.pool, seconds);
    await pause(seconds * 1000);
  };

  it('RL1 limits requests per second and key, and says how many are left', async () => {
    const answers = [];
    for (let i = 0; i < 5; i++) answers.push(await api.request(PATH, { key }));
    const left = answers.map(({ headers }) => headers.get('ratelimit')?.split(';')[1]);
    assert.deepEqual(left, ['r=3', 'r=2', 'r=1', 'r=0', 'r=0']);
    for (const { headers } of answers) assert.equal(headers.get('ratelimit-policy'), '"default";q=4;w=1');
    assertRefused(answers[4]!, { code: 'rate_limited', param: null });
    assert.equal(answers[4]!.headers.get('retry-after'), '1');
    assert.equal(
      (await api.request(PATH, { key: api.live_key })).status,
      200,
      'another key is not slowed down',
    );
    await wait(1);
    assert.equal((await api.request(PATH, { key })).status, 200, 'who waits so long succeeds');
  });

  it('RL1 applies before the body is read, and refused requests cost nothing', async () => {
    for (let i = 0; i < 4; i++) await api.request(PATH, { key });
    for (let i = 0; i < 20; i++)
      assertRefused(await api.request(PATH, { key, method: 'POST', body: '{' }), { code: 'rate_limited' });
    await wait(1);
    assert.equal((await api.request(PATH, { key })).status, 200);
  });

  it('accepts a whole batch; its cost beyond the rate delays the next request', async () => {
    // 1,000 events cost 10 units, the bucket has 4: 7 must be refilled, at 4 per second.
    const events = Array.from({ length: 1000 }, (_, index) => ({
      event_name: 'e',
      customer_id: 'nobody',
      idempotency_key: `k${index}`,
    }));
    assert.equal((await api.post('/v1/events/batch', { events }, { key })).status, 404);
    const refused = await api.request(PATH, { key });
    assertRefused(refused, { code: 'rate_limited' });
    // 1.75 s, less the time that the batch took by the API's own clock: on a busy machine that is most of a second.
    assert.match(refused.headers.get('retry-after')!, /^[12]$/);
    await wait(1);
    assert.equal((await api.request(PATH, { key })).status, 429);
    await wait(1);
    assert.equal((await api.request(PATH, { key })).status, 200);
  });

  it('B10 limits an address that tries 100 bad keys, but not valid keys', async () => {
    const { database_url } = api.deps.config;
    const one = await startApi({ database_url: database_url!, processes: 1 });
    assert.equal((await one.request(PATH, { key })).status, 200);
    const tries = Array.from({ length: 101 }, () => one.request(PATH, { key: newApiKey(false) }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    assert.deepEqual(
      [statuses.filter((s) => s === 401).length, statuses.filter((s) => s === 429).length],
      [100, 1],
    );
    const refused = await one.request(PATH, { key: null });
    assertRefused(refused, { code: 'rate_limited' });
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    assert.equal((await one.request(PATH, { key })).status, 200);
    await one.close();
  });
});

describe('no rate limit', () => {
  it('shows no RateLimit headers', async () => {
    const api = await startApi();
    const { headers } = await api.request(PATH);
    assert.deepEqual([headers.get('ratelimit'), headers.get('ratelimit-policy')], [null, null]);
    await api.close();
  });
});
