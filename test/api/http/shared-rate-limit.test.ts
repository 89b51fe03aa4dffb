import assert from 'node:assert/strict';
import { makeKey, startApi, type TestApi } from '../../support/servers/api.ts';
import { atEnd } from '../../support/servers/at-end.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { createTimelessDatabase } from '../../support/ledger/rate-buckets.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const PATH = '/v1/customers';
const RATE = 50;

/** A process whose first connection opens slowly limits rates on its own for a second: wait until it shares the rate of another key. */
async function untilShared(api: TestApi): Promise<void> {
  const key = await makeKey(api.pool, 1);
  const countBuckets = async (): Promise<number> =>
    (await api.pool.query('select count(*)::integer as count from rate_buckets')).rows[0].count;
  const count = await countBuckets();
  const requestOnce = async () => {
    await api.request(PATH, { key });
    return countBuckets();
  };
  await eventually(requestOnce, (found) => found > count);
}

describe('a rate limit of two processes', () => {
  let apis: [TestApi, TestApi];
  before(async () => {
    const options = { settings: { RATE_LIMIT: `${RATE}` }, database_url: await createTimelessDatabase() };
    apis = [await startApi(options), await startApi(options)];
    for (const api of apis) await untilShared(api);
  });
  after(() => Promise.all(apis.map((api) => api.close())));
  let key: string;
  beforeEach(async () => {
    key = await makeKey(apis[0].pool, 1);
  });

  const request = (sender: number) => apis[sender % 2]!.request(PATH, { key });
  const statusesOf = async (count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, (_, sender) => request(sender)));
    return answers.map(({ status }) => status);
  };

  it('allows together what one process alone would allow', async () => {
    // A process that waited too long for the store limits rates on its own for a second, and says so: then the attempt proves nothing.
    let alone = 0;
    for (const { deps } of apis) deps.log.warn = () => void alone++;
    const isShared = async () => {
      for (const api of apis) await untilShared(api);
      key = await makeKey(apis[0].pool, 1);
      const alone_before = alone;
      const statuses = await statusesOf(3 * RATE);
      if (alone > alone_before) return false;
      assert.equal(statuses.filter((status) => status === 200).length, RATE);
      assert.equal(statuses.filter((status) => status === 429).length, 2 * RATE);
      return true;
    };
    await eventually(isShared, Boolean);
  });

  it('counts the requests of both processes', async () => {
    const left = [];
    for (let sender = 0; sender < 4; sender++)
      left.push((await request(sender)).headers.get('ratelimit')?.split(';')[1]);
    assert.deepEqual(left, ['r=49', 'r=48', 'r=47', 'r=46']);
  });

  it('makes the other process wait for the cost of a batch', async () => {
    const options = { settings: { RATE_LIMIT: '5' }, database_url: await createTimelessDatabase() };
    const [sender, other] = [await startApi(options), await startApi(options)];
    atEnd(() => sender.close());
    atEnd(() => other.close());
    const own_key = await makeKey(sender.pool, 1);
    const event = { event_name: 'e', customer_id: 'nobody' };
    const events = Array.from({ length: 1000 }, (_, place) => ({ ...event, idempotency_key: `k${place}` }));
    assert.equal((await sender.post('/v1/events/batch', { events }, { key: own_key })).status, 404);
    const refused = await other.request(PATH, { key: own_key });
    assertRefused(refused, { code: 'rate_limited' });
    // The batch costs 10 units, the bucket has 5: 6 must be refilled, at 5 per second.
    assert.equal(refused.headers.get('retry-after'), '2');
  });
});

describe('a rate limit whose table cannot be read', () => {
  it('is per process, and no request fails', async () => {
    // A low rate: a busy machine sends all requests in a fraction of the time that the rate allows for them.
    const rate = 5;
    const api = await startApi({ settings: { RATE_LIMIT: `${rate}` } });
    atEnd(() => api.close());
    await api.pool.query('drop table rate_buckets');
    const answers = await Promise.all(Array.from({ length: 20 * rate }, () => api.request(PATH)));
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual([...new Set(statuses)].sort(), [200, 429]);
    assert.ok(statuses.filter((status) => status === 200).length >= rate);
  });
});
