import assert from 'node:assert/strict';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { at, FLAT, later, testCustomersOn, PER_UNIT } from '../../support/ledger/test-customer.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const PATH = '/v1/subscriptions';

describe('subscriptions', () => {
  let api: TestApi;
  const lives = testCustomersOn((path, sent) => api.request(path, sent));
  const { customer, get, plan, post, read, subscribe } = lives;
  before(async () => void (api = await startApi()));
  after(() => api.close());

  it('has every field, and a Location', async () => {
    const [customer_id, plan_id] = [await customer(), await plan([PER_UNIT])];
    const { status, body, headers } = await post(PATH, { customer_id, plan_id });
    const { id, ...rest } = body;
    assert.equal(status, 201);
    assert.match(id, /^sub_[0-9a-z]{26}$/);
    assert.equal(headers.get('location'), `${PATH}/${id}`);
    assert.deepEqual(rest, {
      object: 'subscription',
      livemode: false,
      created_at: at('01-01'),
      customer_id,
      plan_id,
      status: 'active',
      start_date: at('01-01'),
      trial_end_date: null,
      billing_anchor: null,
      pending_change: null,
      ...{ quantities: {}, pending_quantities: [] },
      timezone: 'UTC',
      current_period_start: at('01-01'),
      current_period_end: at('02-01'),
      cancel_at: null,
      canceled_at: null,
      bill_at: null,
      attention: null,
      unbilled_since: null,
      workflow_id: `subscription-${id}`,
    });
    assert.deepEqual(await read(`${PATH}/${id}`), body);
    assert.deepEqual((await read(`${PATH}?customer_id=${customer_id}`)).data, [body]);
  });

  it('takes our id for the customer, and answers with external_id', async () => {
    const external_id = await customer();
    const { id } = await read(`/v1/customers/${external_id}`);
    const subscription = await subscribe(id, await plan([PER_UNIT]));
    assert.equal(subscription.customer_id, external_id);
    for (const either of [id, external_id])
      assert.deepEqual((await read(`${PATH}?customer_id=${either}`)).data, [subscription]);
  });

  /** The first period by billing.md 1, seen at noon of 1 January. */
  const FIRST: [
    what: string,
    dates: object,
    interval: [string, number],
    shown: [status: string, start: string, end: string],
  ][] = [
    ['from the start on', {}, ['month', 1], ['active', at('01-01'), at('02-01')]],
    ['days', {}, ['day', 10], ['active', at('01-01'), at('01-11')]],
    ['weeks', {}, ['week', 2], ['active', at('01-01'), at('01-15')]],
    ['years', {}, ['year', 1], ['active', at('01-01'), at('01-01', 1)]],
    ['pending', { start_date: at('01-31') }, ['month', 1], ['pending', at('01-31'), at('02-28')]],
    [
      'to the millisecond, further digits cut',
      { start_date: at('01-31').replace('00.000Z', '00.0019+01:00') },
      ['month', 1],
      ['pending', later(at('01-30T23:00'), 1), later(at('02-28T23:00'), 1)],
    ],
    ['in trial', { trial_end_date: at('01-15') }, ['month', 1], ['trialing', at('01-01'), at('01-15')]],
    [
      'pending with a trial, which is the first period',
      { start_date: at('01-02'), trial_end_date: at('03-01') },
      ['month', 1],
      ['pending', at('01-02'), at('03-01')],
    ],
    [
      'kept to an anchor before it',
      { start_date: at('04-20'), billing_anchor: at('01-01', -3) },
      ['month', 1],
      ['pending', at('04-20'), at('05-01')],
    ],
    [
      'kept to an anchor after it',
      { start_date: at('01-10'), billing_anchor: at('05-31') },
      ['month', 1],
      ['pending', at('01-10'), at('01-31')],
    ],
    [
      'kept to an anchor on it',
      { start_date: at('01-10'), billing_anchor: at('03-10') },
      ['month', 1],
      ['pending', at('01-10'), at('02-10')],
    ],
    [
      'kept to an anchor of several months',
      { start_date: at('02-10'), billing_anchor: at('01-01') },
      ['month', 3],
      ['pending', at('02-10'), at('04-01')],
    ],
  ];
  for (const [what, dates, [interval, interval_count], shown] of FIRST) {
    it(`first period, ${what}`, async () => {
      const plan_id = await plan([PER_UNIT], { interval, interval_count });
      const body = await subscribe(await customer(), plan_id, dates);
      assert.deepEqual([body.status, body.current_period_start, body.current_period_end], shown);
    });
  }

  const SMS = { ...PER_UNIT, event_name: 'sms' };
  const OVERLAPS: [what: string, theirs: object[], ours: object[], dates: object, status: number][] = [
    ['the same event', [PER_UNIT], [PER_UNIT], {}, 409],
    ['the same event after two years', [PER_UNIT], [PER_UNIT], { start_date: at('01-01', 1) }, 409],
    ['the same event, from an earlier start', [PER_UNIT], [PER_UNIT], { start_date: at('01-01', -5) }, 409],
    ['one event of several', [SMS, PER_UNIT], [FLAT, PER_UNIT], {}, 409],
    [
      'the same event, with another aggregation and filters',
      [PER_UNIT],
      [{ ...PER_UNIT, aggregation: { type: 'max', property: 'n' }, filters: { region: ['eu'] } }],
      {},
      409,
    ],
    ['another event', [PER_UNIT], [SMS], {}, 201],
    ['another case of the name', [PER_UNIT], [{ ...PER_UNIT, event_name: 'API_CALL' }], {}, 201],
    ['two flat charges, which bill no event', [FLAT], [FLAT], {}, 201],
    ['flat beside usage', [PER_UNIT], [{ ...FLAT, event_name: 'api_call' }], {}, 201],
    ['usage beside flat', [{ ...FLAT, event_name: 'api_call' }], [PER_UNIT], {}, 201],
    ['an invalid date is reported first', [PER_UNIT], [PER_UNIT], { start_date: at('01-01', 2) }, 400],
  ];
  for (const [what, theirs, ours, dates, status] of OVERLAPS) {
    it(`overlap of two subscriptions, ${what}: ${status}`, async () => {
      const customer_id = await customer();
      await subscribe(customer_id, await plan(theirs));
      const answer = await post(PATH, { customer_id, plan_id: await plan(ours), ...dates });
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      if (status === 409)
        assertRefused(answer, { code: 'conflict', param: 'plan_id', reason: 'overlapping_subscription' });
      await subscribe(await customer(), await plan(ours));
    });
  }

  it('overlaps until the instant of its cancellation, exclusive', async () => {
    const [customer_id, plan_id] = [await customer(), await plan([PER_UNIT])];
    const { id } = await subscribe(customer_id, plan_id, { start_date: at('02-01') });
    await api.pool.query('update subscriptions set cancel_at = $2 where id = $1', [id, at('03-01')]);
    const before = await post(PATH, { customer_id, plan_id, start_date: later(at('03-01'), -1) });
    assertRefused(before, { code: 'conflict', reason: 'overlapping_subscription' });
    await subscribe(customer_id, plan_id, { start_date: at('03-01') });
  });

  it('20 concurrent requests for one customer create one', async () => {
    const [customer_id, plan_id] = [await customer(), await plan([PER_UNIT])];
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(PATH, { customer_id, plan_id })));
    const refused = answers.filter(({ status }) => status !== 201);
    assert.equal(refused.length, 19);
    for (const answer of refused)
      assertRefused(answer, { code: 'conflict', reason: 'overlapping_subscription' });
    assert.equal((await read(`${PATH}?customer_id=${customer_id}`)).data.length, 1);
  });

  it('with the same Idempotency-Key it is created once', async () => {
    const body = { customer_id: await customer(), plan_id: await plan([PER_UNIT]) };
    const headers = { 'Idempotency-Key': 'subscribe' };
    const first = await post(PATH, body, { headers });
    const again = await post(PATH, body, { headers });
    assert.deepEqual([again.status, again.body], [201, first.body]);
    assert.equal(again.headers.get('location'), first.headers.get('location'));
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assertRefused(await post(PATH, { ...body, start_date: at('01-02') }, { headers }), {
      code: 'conflict',
      reason: 'idempotency_mismatch',
    });
  });

  it('with a live key it begins now, in real time', async () => {
    const live = { key: api.live_key };
    await post('/v1/customers', { external_id: 'live' }, live);
    const { body: made } = await post('/v1/pricing-plans', { name: 'Plan', charges: [PER_UNIT] }, live);
    const before = new Date().toISOString();
    const { body } = await post(PATH, { customer_id: 'live', plan_id: made.id }, live);
    assert.ok(before <= body.start_date && body.start_date <= new Date().toISOString());
    assert.deepEqual([body.livemode, body.status], [true, 'active']);
  });

  describe('the list', () => {
    let customer_id: string;
    let made: Json[];
    const STARTS = [
      {},
      { start_date: at('02-01') },
      { trial_end_date: at('02-01') },
      { start_date: at('01-02') },
    ];
    before(async () => {
      customer_id = await customer();
      made = [];
      for (const [place, dates] of STARTS.entries()) {
        const plan_id = await plan([{ ...PER_UNIT, event_name: `event-${place}` }]);
        made.unshift(await subscribe(customer_id, plan_id, dates));
      }
    });

    const idsOf = async (query: string) => (await read(`${PATH}?${query}`)).data.map(({ id }: Json) => id);

    it('is newest first, and filters by status', async () => {
      const filtered = async (status: string) => idsOf(`customer_id=${customer_id}&status=${status}`);
      const [last, trial, pending, active] = made.map(({ id }) => id);
      assert.deepEqual(await idsOf(`customer_id=${customer_id}`), [last, trial, pending, active]);
      assert.deepEqual(await filtered('pending'), [last, pending]);
      assert.deepEqual(await filtered('trialing'), [trial]);
      assert.deepEqual(await filtered('active'), [active]);
      assert.deepEqual(await filtered('canceled'), []);
    });

    it('is empty for an unknown customer, by either id', async () => {
      for (const unknown of ['nobody', 'cus_nobody', "' OR 1=1--"]) {
        const { status, body } = await get(`${PATH}?customer_id=${encodeURIComponent(unknown)}`);
        assert.deepEqual([status, body.data, body.has_more, body.next_cursor], [200, [], false, null]);
      }
      const { body } = await get(`${PATH}?customer_id=${customer_id}`, { key: api.live_key });
      assert.deepEqual(body.data, []);
    });

    it('lists each subscription once for every page size', async () => {
      for (const limit of [1, 2, 3, 4, 200]) {
        const walked: string[] = [];
        let query = `customer_id=${customer_id}&limit=${limit}`;
        for (let more = true; more;) {
          const page = await read(`${PATH}?${query}`);
          walked.push(...page.data.map(({ id }: Json) => id));
          assert.equal(page.has_more, page.next_cursor !== null);
          query = `customer_id=${customer_id}&limit=${limit}&cursor=${page.next_cursor}`;
          more = page.has_more;
        }
        assert.deepEqual(
          walked,
          made.map(({ id }) => id),
          `${limit} a page`,
        );
      }
    });

    it('a cursor is valid only with the same filters', async () => {
      const { next_cursor } = await read(`${PATH}?customer_id=${customer_id}&limit=1`);
      const flipped = (next_cursor[0] === 'A' ? 'B' : 'A') + next_cursor.slice(1);
      for (const [query, key] of [
        [`customer_id=${customer_id}&cursor=${flipped}`, api.test_key],
        [`cursor=${next_cursor}`, api.test_key],
        [`customer_id=${customer_id}&status=active&cursor=${next_cursor}`, api.test_key],
        [`customer_id=${customer_id}&cursor=${next_cursor}`, api.live_key],
      ] as const) {
        const answer = await get(`${PATH}?${query}`, { key });
        assertRefused(answer, { code: 'invalid_request', param: 'cursor', reason: 'bad_cursor' });
      }
    });
  });
});
