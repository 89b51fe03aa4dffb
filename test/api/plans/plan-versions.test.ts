import assert from 'node:assert/strict';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { plansOn } from '../../support/ledger/plan-lives.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { at, PER_UNIT, testCustomersOn } from '../../support/ledger/test-customer.ts';

const PATH = '/v1/pricing-plans';

describe('versions of plans', () => {
  let api: TestApi;
  const lives = testCustomersOn((path, sent) => api.request(path, sent));
  const { customer, get, post, read, done, subscribe } = lives;
  before(async () => void (api = await startApi()));
  after(() => api.close());

  const { body, version, idsOf, archive, archived } = plansOn(lives, (path, sent) => api.request(path, sent));
  const live = (path: string, sent: object = {}) => api.request(path, { key: api.live_key, ...sent });

  it('are counted from 1 for each key, and a plan without a key has none', async () => {
    const plans = [await version('basic'), await version('basic'), await version('Basic')];
    const without = await done(PATH, body(null));
    assert.deepEqual(
      [...plans, without].map((plan) => [plan.key, plan.version, plan.archived_at]),
      [
        ['basic', 1, null],
        ['basic', 2, null],
        ['Basic', 1, null],
        [null, null, null],
      ],
    );
    assert.equal(new Set(plans.map(({ id }) => id)).size, 3);
    assert.deepEqual(await read(`${PATH}/${plans[0].id}`), plans[0]);
    assert.deepEqual(await idsOf('key=basic'), [plans[1].id, plans[0].id]);
    assert.deepEqual(await idsOf('key=unknown'), []);
  });

  it('a key names the newest version in a path too', async () => {
    await version('path');
    const newest = await version('path');
    assert.deepEqual(await read(`${PATH}/path`), newest);
    const { body: archived } = await archive('path');
    assert.deepEqual([archived.id, archived.archived_at === null], [newest.id, false]);
    assert.deepEqual((await read(`${PATH}?key=path&archived=true`)).data, [archived]);
    assertRefused(await get(`${PATH}/paths`), { code: 'not_found' });
  });

  for (const [key, reason] of [
    ['', 'missing'],
    ['a'.repeat(65), 'too_long'],
    ['a b', 'malformed'],
    ['ä', 'malformed'],
    ['a\n', 'malformed'],
    ['plan_a', 'not_allowed'],
    [5, 'wrong_type'],
  ] as const) {
    it(`refuses the key ${JSON.stringify(key).slice(0, 20)}`, async () => {
      const response = await post(PATH, body(null, { key }));
      assertRefused(response, { code: 'invalid_request', param: 'key', reason });
    });
  }

  it('takes 64 characters of each kind', async () => {
    const key = `${'aZ09_.-'.repeat(9)}x`;
    assert.equal((await version(key)).key, key);
  });

  it('have the currency of the first one', async () => {
    const first = await version('currency', { currency: 'EUR' });
    for (const path of [PATH, `${PATH}/preview`])
      assertRefused(await post(path, body('currency', { currency: 'USD' })), {
        code: 'invalid_request',
        param: 'currency',
        reason: 'currency_mismatch',
      });
    assert.deepEqual(await idsOf('key=currency'), [first.id]);
    const second = await version('currency');
    assert.deepEqual([second.currency, second.version], ['EUR', 2]);
  });

  it('ten at once are ten versions', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => post(PATH, body('at-once'))));
    assert.deepEqual(
      made.map(({ body: plan }) => plan.version).sort((a, b) => a - b),
      Array.from({ length: 10 }, (_, place) => place + 1),
    );
    const listed = (await read(`${PATH}?key=at-once`)).data;
    assert.deepEqual(
      listed.map((plan: Json) => plan.version),
      [10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
    );
  });

  it('ten at once with one Idempotency-Key are one version', async () => {
    const headers = { 'Idempotency-Key': 'one-version' };
    const made = await Promise.all(Array.from({ length: 10 }, () => post(PATH, body('once'), { headers })));
    assert.ok(made.every(({ status }) => status === 201 || status === 409));
    const again = await post(PATH, body('once'), { headers });
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(await idsOf('key=once'), [again.body.id]);
  });

  it('test and live data have versions of their own', async () => {
    const test = await version('tenant');
    const sent = await live(PATH, { method: 'POST', body: body('tenant') });
    assert.deepEqual([sent.status, sent.body.version], [201, 1]);
    assert.deepEqual(await idsOf('key=tenant'), [test.id]);
    await version('only-test');
    const of_live = await live('/v1/customers', { method: 'POST', body: { external_id: 'of-live' } });
    assert.equal(of_live.status, 201);
    const subscription = { customer_id: 'of-live', plan_id: 'only-test' };
    assertRefused(await live('/v1/subscriptions', { method: 'POST', body: subscription }), {
      code: 'not_found',
      param: 'plan_id',
      reason: 'unknown_plan',
    });
    assertRefused(await live(`${PATH}/${test.id}/archive`, { method: 'POST' }), { code: 'not_found' });
  });

  describe('chosen by their key', () => {
    it('a subscription gets the newest and keeps it', async () => {
      const [old, newest] = [await version('chosen'), await version('chosen')];
      const subscription = await subscribe(await customer(), 'chosen');
      assert.equal(subscription.plan_id, newest.id);
      const third = await version('chosen');
      assert.equal((await read(`/v1/subscriptions/${subscription.id}`)).plan_id, newest.id);
      const other = await subscribe(await customer(), old.id);
      const found = async (plan_id: string) =>
        (await read(`/v1/subscriptions?plan_id=${plan_id}`)).data.map(({ id }: Json) => id);
      assert.deepEqual(await found('chosen'), [other.id, subscription.id]);
      assert.deepEqual(await found(old.id), [other.id]);
      assert.deepEqual(await found(third.id), []);
      assert.deepEqual(await found('unknown'), []);
    });

    it('a change of plan goes to the newest, and keeps it while it is scheduled', async () => {
      const [old, newest] = [await version('changed'), await version('changed')];
      const { id } = await subscribe(await customer(), old.id);
      const path = `/v1/subscriptions/${id}`;
      const changed = await done(`${path}/change`, { plan_id: 'changed', at: 'period_end' });
      assert.deepEqual(changed.pending_change, { plan_id: newest.id, at: at('02-01') });
      await version('changed');
      await archived(newest.id);
      assert.equal((await read(path)).pending_change.plan_id, newest.id);
    });

    it('an unknown key is an unknown plan', async () => {
      const subscription = { customer_id: await customer(), plan_id: 'no-such-key' };
      assertRefused(await post('/v1/subscriptions', subscription), {
        code: 'not_found',
        param: 'plan_id',
        reason: 'unknown_plan',
      });
    });
  });

  describe('previewed', () => {
    const preview = async (sent: object): Promise<Json> => {
      const { status, body: answer } = await post(`${PATH}/preview`, sent);
      assert.equal(status, 200);
      return answer;
    };

    it('nothing differs in what the API stores alike', async () => {
      const plan = await version('alike', {
        charges: [
          { event_name: 'api_call', pricing_model: 'package', package_size: 100, package_amount: '1.50' },
        ],
      });
      const { current, changes, ...rest } = await preview(
        body('alike', {
          ...{ currency: 'USD', interval: 'month', interval_count: 1, metadata: {} },
          charges: [
            {
              event_name: 'api_call',
              pricing_model: 'package',
              aggregation: { type: 'count' },
              filters: {},
              ...{ package_size: '100.0', package_amount: 1.5, free_units: '0' },
            },
          ],
        }),
      );
      assert.deepEqual(rest, {
        object: 'pricing_plan_preview',
        key: 'alike',
        version: 2,
        has_more: false,
      });
      assert.deepEqual([current, changes], [plan, []]);
    });

    it('names each field that differs, and stores nothing', async () => {
      const plan = await version('differing', { metadata: { tier: 1 } });
      const { changes } = await preview(
        body('differing', {
          ...{ name: 'Other', interval_count: 3, metadata: { tier: 2 } },
          charges: [
            { ...PER_UNIT, unit_amount: '2' },
            { event_name: 'fee', pricing_model: 'flat', flat_amount: 5 },
          ],
        }),
      );
      assert.deepEqual(
        changes.map(({ field }: Json) => field),
        ['name', 'interval_count', 'charges[0].unit_amount', 'charges[1]', 'metadata.tier'],
      );
      assert.deepEqual(await idsOf('key=differing'), [plan.id]);
    });

    it('a new key, and a plan without one, are compared with nothing', async () => {
      const answers = [await preview(body('new-key')), await preview(body(null))];
      assert.deepEqual(
        answers.map(({ key, version: next, current, changes }) => [key, next, current, changes]),
        [
          ['new-key', 1, null, []],
          [null, null, null, []],
        ],
      );
      assert.deepEqual(await idsOf('key=new-key'), []);
    });

    it('is refused as the plan would be', async () => {
      const sent = body('faulty', { charges: [{ event_name: 'x' }] });
      assertRefused(await post(`${PATH}/preview`, sent), { code: 'invalid_request', reason: 'missing' });
    });

    it('lists 1,000 fields, and says that there are more', async () => {
      const metadata = (value: number) => ({ list: Array.from({ length: 1001 }, () => value) });
      await version('long', { metadata: metadata(1) });
      const { changes, has_more } = await preview(body('long', { metadata: metadata(2) }));
      assert.deepEqual([changes.length, has_more], [1000, true]);
    });
  });
});
