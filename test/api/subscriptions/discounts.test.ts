import assert from 'node:assert/strict';
import { DISCOUNTS_MAX, RUNNING_DISCOUNTS_MAX } from '../../../src/billing/terms/discount.ts';
import { startApi, type Json, type Received, type Sent, type TestApi } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { assertSound } from '../../support/ledger/sound.ts';
import { at, PER_UNIT, testCustomersOn } from '../../support/ledger/test-customer.ts';

const PATH = '/v1/discounts';
const YEAR = Number(at('01-01').slice(0, 4));

/** contract.md 3. */
describe('discounts', () => {
  let api: TestApi;
  before(async () => (api = await startApi()));
  after(async () => {
    await assertSound(api.pool);
    await api.close();
  });

  const request = (path: string, sent?: Sent) => api.request(path, sent);
  const { get, post, read, done, customer, plan } = testCustomersOn(request);
  const TEN = { name: 'Loyalty', percent: '10' };
  const AMOUNT = { percent: undefined, amount: '10' };
  const create = (customer_id: string, parts: object = {}, sent: Sent = {}): Promise<Received> =>
    post(PATH, { customer_id, ...TEN, ...parts }, sent);
  const created = async (customer_id: string, parts: object = {}): Promise<Json> => {
    const { status, body } = await create(customer_id, parts);
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const end = (id: string, body: object = {}) => post(`${PATH}/${id}/end`, body);
  let made = 0;
  /** A customer whose clock stands on 1 January. */
  const aCustomer = (parts: object = {}) => customer(parts);
  /** A subscription of the customer; each bills events of its own. */
  const subscribed = async (customer_id: string): Promise<string> => {
    const charge = { ...PER_UNIT, event_name: `call_${++made}` };
    const { id } = await done('/v1/subscriptions', { customer_id, plan_id: await plan([charge]) });
    return id;
  };

  it('are created, read and listed', async () => {
    const customer_id = await aCustomer();
    const { status, headers, body } = await create(customer_id, {
      percent: 12.5,
      event_names: ['call', 'platform'],
      from: `${YEAR}-02-01`,
      until: at('03-01T12:00'),
    });
    const { id, ...shown } = body;
    assert.equal(status, 201);
    assert.match(id, /^dis_[0-9a-z]{26}$/);
    assert.equal(headers.get('location'), `${PATH}/${id}`);
    assert.deepEqual(shown, {
      ...{ object: 'discount', livemode: false, created_at: at('01-01'), status: 'active' },
      ...{
        customer_id,
        subscription_id: null,
        currency: 'USD',
        name: 'Loyalty',
        percent: '12.5',
        amount: null,
      },
      ...{ event_names: ['call', 'platform'], from: at('02-01'), until: at('03-01T12:00') },
    });
    assert.deepEqual(await read(`${PATH}/${id}`), body);
    assert.deepEqual((await read(`${PATH}?customer_id=${customer_id}`)).data, [body]);
  });

  it('are of all subscriptions, for all charges, from now on and without an end, if nothing else is sent', async () => {
    const customer_id = await aCustomer();
    const { subscription_id, event_names, from, until } = await created(customer_id);
    assert.deepEqual([subscription_id, event_names, from, until], [null, null, at('01-01'), null]);
  });

  it('begin and end with days of the time zone of the customer', async () => {
    const customer_id = await aCustomer({ timezone: 'Europe/Berlin' });
    const { id, from, until } = await created(customer_id, { from: `${YEAR}-04-01`, until: `${YEAR}-07-01` });
    assert.deepEqual([from, until], [at('03-31T22:00'), at('06-30T22:00')]);
    const { body } = await end(id, { until: `${YEAR}-05-01` });
    assert.equal(body.until, at('04-30T22:00'));
  });

  it('are found by customer, subscription and status, page by page, the newest first', async () => {
    const customer_id = await aCustomer();
    const subscription_id = await subscribed(customer_id);
    const of_all = await created(customer_id, { from: at('01-01'), until: at('02-01') });
    const of_one = await created(customer_id, { subscription_id });
    const ended = await created(customer_id, { from: '2020-01-01', until: '2020-02-01' });
    const found = async (query: string) =>
      (await read(`${PATH}?customer_id=${customer_id}&${query}`)).data.map(({ id }: Json) => id);
    assert.deepEqual(await found('limit=200'), [ended.id, of_one.id, of_all.id]);
    assert.deepEqual(await found('status=active'), [of_one.id, of_all.id]);
    assert.deepEqual(await found('status=ended'), [ended.id]);
    assert.deepEqual(await found(`subscription_id=${subscription_id}`), [of_one.id]);
    const { data, has_more, next_cursor } = await read(`${PATH}?customer_id=${customer_id}&limit=2`);
    assert.deepEqual([data.length, has_more], [2, true]);
    assert.deepEqual(await found(`limit=2&cursor=${next_cursor}`), [of_all.id]);
    assert.deepEqual((await read(`${PATH}?customer_id=nobody`)).data, []);
  });

  const REFUSED: [what: string, body: object, param: string, reason: string][] = [
    ['without a percent', { percent: undefined }, 'percent', 'missing'],
    ['without a name', { name: undefined }, 'name', 'missing'],
    ['with an empty name', { name: '' }, 'name', 'missing'],
    ['with a long name', { name: 'x'.repeat(256) }, 'name', 'too_long'],
    ['of 0 percent', { percent: '0' }, 'percent', 'out_of_range'],
    ['of less than 0 percent', { percent: '-10' }, 'percent', 'out_of_range'],
    ['of more than 100 percent', { percent: '100.0001' }, 'percent', 'out_of_range'],
    ['of five decimals', { percent: '10.00001' }, 'percent', 'out_of_range'],
    ['of no number', { percent: 'ten' }, 'percent', 'malformed'],
    ['for no event', { event_names: [] }, 'event_names', 'missing'],
    ['for an event twice', { event_names: ['call', 'call'] }, 'event_names', 'malformed'],
    [
      'for 21 events',
      { event_names: Array.from({ length: 21 }, (_, n) => `e${n}`) },
      'event_names',
      'too_many',
    ],
    ['from no time', { from: 'soon' }, 'from', 'malformed'],
    ['that end as they begin', { from: at('02-01'), until: at('02-01') }, 'until', 'out_of_order'],
    ['that end before now, without a start', { until: '2020-01-01' }, 'until', 'out_of_order'],
    ['with an unknown member', { stacking: true }, 'stacking', 'unknown_member'],
    ['of a percent and an amount', { amount: '10.00' }, 'amount', 'not_allowed'],
    ['of an amount of 0', { ...AMOUNT, amount: '0' }, 'amount', 'out_of_range'],
    ['of an amount below 0', { ...AMOUNT, amount: '-1' }, 'amount', 'out_of_range'],
    ['of an amount with a third decimal', { ...AMOUNT, amount: '1.005' }, 'amount', 'out_of_range'],
    ['of an amount for an event', { ...AMOUNT, event_names: ['call'] }, 'event_names', 'not_allowed'],
  ];
  for (const [what, body, param, reason] of REFUSED)
    it(`${what} are 400 ${reason} at ${param}`, async () => {
      const { status, body: refusal } = await create(await aCustomer(), body);
      assert.deepEqual(
        [status, refusal.error?.param, refusal.error?.details[0].reason],
        [400, param, reason],
        JSON.stringify(refusal),
      );
    });

  it('of nobody, and of a subscription of another customer, are 404', async () => {
    const [one, other] = [await aCustomer(), await aCustomer()];
    const unknown = { code: 'not_found', param: 'customer_id', reason: 'unknown_customer' } as const;
    assertRefused(await create('nobody'), unknown);
    const foreign = { code: 'not_found', param: 'subscription_id', reason: 'unknown_subscription' } as const;
    assertRefused(await create(one, { subscription_id: await subscribed(other) }), foreign);
    assertRefused(await create(one, { subscription_id: 'sub_none' }), foreign);
  });

  it('of a subscription that has ended are 409', async () => {
    const customer_id = await aCustomer();
    const subscription_id = await subscribed(customer_id);
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now' });
    const ended = { code: 'conflict', param: 'subscription_id', reason: 'invalid_state' } as const;
    assertRefused(await create(customer_id, { subscription_id }), ended);
    assert.equal((await create(customer_id)).status, 201);
  });

  it('are at most five of a subscription that have not ended, those of all included', async () => {
    const customer_id = await aCustomer();
    const [one, other] = [await subscribed(customer_id), await subscribed(customer_id)];
    const many = { code: 'conflict', param: null, reason: 'too_many' } as const;
    const kept = [];
    for (let count = 0; count < RUNNING_DISCOUNTS_MAX - 2; count += 1)
      kept.push(await created(customer_id, { subscription_id: one }));
    const of_all = await created(customer_id, { from: at('06-01') });
    await created(customer_id);
    assertRefused(await create(customer_id, { subscription_id: one }), many);
    assertRefused(await create(customer_id), many);
    for (let count = 0; count < RUNNING_DISCOUNTS_MAX - 2; count += 1)
      await created(customer_id, { subscription_id: other });
    assertRefused(await create(customer_id, { subscription_id: other }), many);
    assert.equal((await create(customer_id, { from: '2020-01-01', until: '2020-02-01' })).status, 201);
    await done(`${PATH}/${kept[0].id}/end`);
    await created(customer_id, { subscription_id: one });
    assertRefused(await create(customer_id, { subscription_id: one }), many);
    await done(`${PATH}/${of_all.id}/end`, { until: at('06-01') });
    assertRefused(await create(customer_id, { subscription_id: one }), many);
  });

  it('are at most two hundred of a customer, ended ones too', async () => {
    const customer_id = await aCustomer();
    const past = { from: '2020-01-01', until: '2020-02-01' };
    for (let count = 0; count < DISCOUNTS_MAX; count += 1) await created(customer_id, past);
    assertRefused(await create(customer_id, past), { code: 'conflict', param: null, reason: 'too_many' });
  });

  describe('are ended', () => {
    it('now, or at an instant up to the end that they have', async () => {
      const customer_id = await aCustomer();
      const { id } = await created(customer_id, { from: '2020-01-01', until: at('06-01') });
      const { status, body } = await end(id, { until: at('05-01') });
      assert.deepEqual([status, body.until, body.status], [200, at('05-01'), 'active']);
      assert.deepEqual((await end(id, { until: at('05-01') })).body, body);
      const ended = await end(id);
      assert.deepEqual([ended.body.until, ended.body.status], [at('01-01'), 'ended']);
      assert.deepEqual(await read(`${PATH}/${id}`), ended.body);
    });

    it('at their start, so that they never hold', async () => {
      const { id, from } = await created(await aCustomer(), { from: at('03-01') });
      assert.equal((await end(id, { until: from })).body.until, at('03-01'));
    });

    it('in the past', async () => {
      const { id } = await created(await aCustomer(), { from: '2020-01-01' });
      const { until, status } = (await end(id, { until: '2020-06-01' })).body;
      assert.deepEqual([until, status], ['2020-06-01T00:00:00.000Z', 'ended']);
    });

    it('neither before their start, nor after the end that they have, nor once they have ended', async () => {
      const { id } = await created(await aCustomer(), { from: at('03-01'), until: at('06-01') });
      const early = { code: 'invalid_request', param: 'until', reason: 'out_of_order' } as const;
      assertRefused(await end(id, { until: at('02-28') }), early);
      assertRefused(await end(id), early);
      const late = { code: 'invalid_request', param: 'until', reason: 'out_of_range' } as const;
      assertRefused(await end(id, { until: at('06-01T00:01') }), late);
      const past = await created(await aCustomer(), { from: '2020-01-01', until: '2020-02-01' });
      const ended = { code: 'conflict', param: null, reason: 'invalid_state' } as const;
      assertRefused(await end(past.id), ended);
      assertRefused(await end(past.id, { until: '2020-01-01' }), ended);
    });

    it('by one of ten requests at once, whose end is kept', async () => {
      const { id } = await created(await aCustomer());
      const answers = await Promise.all(Array.from({ length: 10 }, () => end(id)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [
        200,
        ...Array.from({ length: 9 }, () => 409),
      ]);
    });
  });

  it('ten equal requests at once with a key are one', async () => {
    const customer_id = await aCustomer();
    const headers = { 'Idempotency-Key': `discount-${customer_id}` };
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(customer_id, {}, { headers })));
    for (const { status } of answers) assert.ok(status === 201 || status === 409, `${status}`);
    const { data } = await read(`${PATH}?customer_id=${customer_id}`);
    assert.equal(data.length, 1);
    const repeated = await create(customer_id, {}, { headers });
    assert.equal(repeated.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(repeated.body, data[0]);
  });

  it('ten at once without a key are five', async () => {
    const customer_id = await aCustomer();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(customer_id)));
    const made_now = answers.filter(({ status }) => status === 201);
    assert.equal(made_now.length, RUNNING_DISCOUNTS_MAX);
    for (const refused of answers.filter(({ status }) => status !== 201))
      assertRefused(refused, { code: 'conflict', reason: 'too_many' });
  });

  it('of the other mode and of another account are 404, and in no list', async () => {
    const { id } = await created(await aCustomer());
    for (const key of [api.live_key, api.other_key]) {
      assertRefused(await get(`${PATH}/${id}`, { key }), { code: 'not_found' });
      assertRefused(await post(`${PATH}/${id}/end`, {}, { key }), { code: 'not_found' });
      assert.deepEqual((await get(PATH, { key })).body.data, []);
    }
    assertRefused(await get(`${PATH}/dis_none`), { code: 'not_found' });
    assertRefused(await get(`${PATH}?colour=red`), { code: 'invalid_request', reason: 'unknown_parameter' });
  });

  it('stand in the way of a deletion and of another currency, ended ones too', async () => {
    const customer_id = await aCustomer();
    await created(customer_id, { from: '2020-01-01', until: '2020-02-01' });
    const reasonsOf = ({ status, body }: Received) => [
      status,
      body.error.details.map(({ reason }: Json) => reason),
    ];
    const path = `/v1/customers/${customer_id}`;
    const expected = [409, ['invalid_state', 'has_discounts']];
    assert.deepEqual(reasonsOf(await request(path, { method: 'DELETE' })), expected);
    assert.deepEqual(
      reasonsOf(await request(path, { method: 'PATCH', body: { currency: 'EUR' } })),
      expected,
    );
  });

  it('are in the audit log without their names', async () => {
    const { id } = await created(await aCustomer(), { from: '2020-01-01' });
    await end(id, { until: at('01-01') });
    const { data } = await read(`/v1/audit-log?object_id=${id}`);
    assert.deepEqual(
      data.map(({ action, before, after }: Json) => [action, before, after]),
      [
        ['discount.updated', { until: null }, { until: at('01-01') }],
        ['discount.created', null, { name: '[personal]', percent: '10', from: '2020-01-01T00:00:00.000Z' }],
      ],
    );
  });

  it('lose their names in an erasure of the customer', async () => {
    const customer_id = await aCustomer();
    const { id } = await created(customer_id, { name: 'For Ada' });
    await done(`/v1/customers/${customer_id}/redact`);
    assert.equal((await read(`${PATH}/${id}`)).name, 'Discount');
  });
});
