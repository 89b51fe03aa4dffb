import assert from 'node:assert/strict';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import * as given from '../../support/ledger/billing.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const PER_UNIT = { pricing_model: 'per_unit', unit_amount: '1' } as const;
const FLAT = { pricing_model: 'flat', flat_amount: '5' } as const;
const RANGE = { from: '2026-01-01', to: '2026-02-01' };

describe('GET /v1/customers/{id}/usage', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  async function subscribed(...charges: given.TestCharge[]): Promise<given.TestCustomer> {
    const customer = await given.aCustomer(api.pool);
    await given.aSubscription(api.pool, customer, await given.aPlan(api.pool, charges));
    return customer;
  }
  const ask = (id: string, query: Record<string, string> = RANGE) =>
    api.request(`/v1/customers/${id}/usage?${new URLSearchParams(query)}`, { key: api.live_key });
  const usage = async (id: string, query: Record<string, string> = RANGE): Promise<Json[]> => {
    const { status, body } = await ask(id, query);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  };
  const quantities = (rows: Json[]) => rows.map(({ quantity }) => quantity);
  const groups = (rows: Json[]) => rows.map(({ group, quantity }) => [group, quantity]);
  const at = (timestamp: string, properties: object = {}) => ({ timestamp, properties });

  const MIXED = [
    at('2026-01-01T00:00:00Z', { n: 2, user: 'a', region: 'eu' }),
    at('2026-01-01T01:30:00Z', { n: '3.50', user: 1, region: 'us' }),
    at('2026-01-01T01:59:59.999Z', { n: 'many', user: '1', region: 'eu' }),
    at('2026-01-02T00:00:00Z', { n: 1, user: null, region: { name: 'eu' } }),
    at('2026-01-31T23:59:59.999Z', { user: 'a' }),
  ];

  it('of a charge with prices leaves out what no price takes, whatever it is grouped by', async () => {
    const price = { match: { region: ['eu', '1'] }, unit_amount: '1' };
    const other = { default: true, unit_amount: '2' } as const;
    const customer = await subscribed(
      { pricing: { pricing_model: 'per_unit', prices: [price] } },
      { pricing: { pricing_model: 'per_unit', prices: [price, other] } },
    );
    await given.post(api.pool, customer, [
      ...MIXED,
      at('2026-01-03T00:00:00Z', { region: 1 }),
      at('2026-01-03T00:00:00Z', { region: 'us' }),
    ]);
    assert.deepEqual(quantities(await usage(customer.id)), ['3', '7']);
    const [by_day, by_region] = [
      await usage(customer.id, { ...RANGE, group_by: 'day' }),
      await usage(customer.id, { ...RANGE, group_by: 'property:region' }),
    ];
    assert.deepEqual(groups(by_day).slice(0, 2), [
      ['2026-01-03T00:00:00.000Z', '1'],
      ['2026-01-01T00:00:00.000Z', '2'],
    ]);
    assert.deepEqual(groups(by_region).slice(0, 2), [
      ['1', '1'],
      ['eu', '2'],
    ]);
  });

  it('has the quantity of every charge that is not flat, by its aggregation and filters, in plan order', async () => {
    const property = 'n';
    const customer = await subscribed(
      { pricing: PER_UNIT, event_name: 'unused' },
      { pricing: FLAT },
      { pricing: PER_UNIT },
      { pricing: PER_UNIT, aggregation: { type: 'sum', property } },
      { pricing: PER_UNIT, aggregation: { type: 'max', property } },
      { pricing: PER_UNIT, aggregation: { type: 'latest', property } },
      { pricing: PER_UNIT, aggregation: { type: 'unique', property: 'user' } },
      { pricing: PER_UNIT, filters: { region: ['eu'] } },
    );
    await given.post(api.pool, customer, MIXED);
    const rows = await usage(customer.id);
    assert.deepEqual(quantities(rows), ['0', '5', '6.5', '3.5', '1', '2', '2']);
    const { charge_id, plan_id, ...sum } = rows[2];
    assert.deepEqual([charge_id.slice(0, 4), plan_id.slice(0, 5)], ['chg_', 'plan_']);
    const aggregation = { type: 'sum', property };
    const api_call = { event_name: 'api_call', plan_name: 'Plan', plan_version: null };
    assert.deepEqual(sum, { ...api_call, aggregation, group: null, quantity: '6.5' });
    assert.deepEqual(quantities(await usage(customer.id, { ...RANGE, event_name: 'unused' })), ['0']);
    assert.deepEqual(await usage(customer.id, { ...RANGE, event_name: 'nothing' }), []);
  });

  it('equals the quantities of the invoice of the same period', async () => {
    const charges = (['sum', 'max', 'latest', 'unique'] as const).map((type) => ({
      pricing: PER_UNIT,
      aggregation: { type, property: 'n' },
    }));
    const customer = await given.aCustomer(api.pool);
    const step = given.stepOf(
      await given.aSubscription(api.pool, customer, await given.aPlan(api.pool, charges)),
    );
    await given.post(api.pool, customer, MIXED);
    const { line_items } = await given.bill(api.pool, step);
    assert.deepEqual(
      quantities(await usage(customer.id)),
      line_items.map(({ quantity }) => quantity),
    );
  });

  const SUM = { pricing: PER_UNIT, aggregation: { type: 'sum', property: 'n' } } as const;
  const GROUPED: [group_by: string, groups: [string | null, string][]][] = [
    [
      'day',
      [
        ['2026-01-31T00:00:00.000Z', '0'],
        ['2026-01-02T00:00:00.000Z', '1'],
        ['2026-01-01T00:00:00.000Z', '5.5'],
      ],
    ],
    [
      'hour',
      [
        ['2026-01-31T23:00:00.000Z', '0'],
        ['2026-01-02T00:00:00.000Z', '1'],
        ['2026-01-01T01:00:00.000Z', '3.5'],
        ['2026-01-01T00:00:00.000Z', '2'],
      ],
    ],
    [
      'property:region',
      [
        ['eu', '2'],
        ['us', '3.5'],
        [null, '1'],
      ],
    ],
    [
      'property:user',
      [
        ['1', '3.5'],
        ['a', '2'],
        [null, '1'],
      ],
    ],
    ['property:day', [[null, '6.5']]],
    [`property:it's "odd"`, [[null, '6.5']]],
  ];
  for (const [group_by, wanted] of GROUPED)
    it(`grouped by ${group_by}`, async () => {
      const customer = await subscribed(SUM);
      await given.post(api.pool, customer, MIXED);
      assert.deepEqual(groups(await usage(customer.id, { ...RANGE, group_by })), wanted);
    });

  it('from is inclusive, to is exclusive; the first and last groups are cut', async () => {
    const customer = await subscribed({ pricing: PER_UNIT });
    await given.post(api.pool, customer, MIXED);
    const range = { from: '2026-01-01T01:30:00Z', to: '2026-01-02T00:00:00Z' };
    assert.deepEqual(quantities(await usage(customer.id, range)), ['2']);
    const days = await usage(customer.id, { ...range, group_by: 'day' });
    assert.deepEqual(groups(days), [['2026-01-01T00:00:00.000Z', '2']]);
    assert.deepEqual(quantities(await usage(customer.id, { from: range.to, to: range.to })), ['0']);
  });

  it('U1: without an end, counts what was sent since the test clock last moved', async () => {
    const customer_id = 'moved';
    await api.post('/v1/customers', { external_id: customer_id });
    const to = `${new Date().getUTCFullYear() + 1}-06-15`;
    await api.post('/v1/test-clock/advance', { customer_id, to });
    const charges = [{ event_name: 'api_call', ...PER_UNIT }];
    const plan_id = (await api.post('/v1/pricing-plans', { name: 'Plan', charges })).body.id;
    await api.post('/v1/subscriptions', { customer_id, plan_id });
    await api.post('/v1/events', { event_name: 'api_call', customer_id, idempotency_key: 'U1' });
    const path = `/v1/customers/${customer_id}/usage`;
    for (const group_by of ['', '?group_by=day', '?group_by=hour'])
      assert.deepEqual(quantities((await api.request(path + group_by)).body.data), ['1'], group_by);
  });

  it("covers the last 30 days by the customer's clock and, without an end, the day ahead", async () => {
    const customer = await subscribed({ pricing: PER_UNIT });
    const setClock = (now: string) =>
      api.pool.query('update customers set test_clock = $2 where id = $1', [customer.id, now]);
    await given.post(api.pool, customer, [at('2026-01-01T00:00:00Z'), at('2026-01-31T00:00:00Z')]);
    const seen = async (now: string) => {
      await setClock(now);
      return quantities(await usage(customer.id, {}))[0];
    };
    assert.equal(await seen('2026-01-31T00:00:00Z'), '2', 'the first is 30 days old; the second is now');
    assert.equal(await seen('2026-01-31T00:00:00.001Z'), '1', 'the second');
    assert.equal(await seen('2026-01-30T00:00:00Z'), '2', 'the second is a day ahead');
    assert.equal(await seen('2026-01-29T23:59:59.999Z'), '1', 'the first');
    assert.deepEqual(quantities(await usage(customer.id, { to: '2026-01-31T00:00:00Z' })), ['1']);
    assert.deepEqual(quantities(await usage(customer.id, { from: '2026-01-01' })), ['1']);
    await setClock('2026-01-30T12:00:00Z');
    assert.deepEqual(quantities(await usage(customer.id, { from: '2026-01-01' })), ['2']);
    assert.deepEqual(quantities(await usage(customer.id, { from: '2026-01-30T12:00:00.5Z' })), ['1']);
    // A range without an end is measured to now, or to its start if that is later.
    assert.equal((await ask(customer.id, { group_by: 'hour', from: '2025-12-30T12:00' })).status, 200);
    for (const [query, param] of [
      [{ group_by: 'hour', from: '2025-12-30T11:59:59' }, 'to'],
      [{ from: '2026-01-31T12:00:00.002' }, 'from'],
    ] as const)
      assertRefused(await ask(customer.id, query), { code: 'invalid_request', param });
  });

  it('includes the charges of past subscriptions, the newest first, and the charges of a plan once', async () => {
    const customer = await given.aCustomer(api.pool);
    const plans = [];
    for (const name of ['first', 'second'])
      plans.push(await given.aPlan(api.pool, [{ pricing: PER_UNIT, event_name: name }]));
    for (const plan of [plans[0]!, plans[1]!, plans[0]!]) await given.aSubscription(api.pool, customer, plan);
    await api.pool.query(`update subscriptions set cancel_at = start_date where customer_id = $1`, [
      customer.id,
    ]);
    await given.post(api.pool, customer, [{ timestamp: '2026-01-03', event_name: 'second' }]);
    const names = (await usage(customer.id)).map(({ event_name, quantity }) => [event_name, quantity]);
    assert.deepEqual(names, [
      ['first', '0'],
      ['second', '1'],
    ]);
  });

  const LONG = `${'\u0001é"'.repeat(500)}`;
  for (const group_by of ['', 'day', 'hour', 'property:user'])
    it(`lists each row once, page by page, grouped by ${group_by || 'nothing'}`, async () => {
      const customer = await subscribed(
        { pricing: PER_UNIT },
        SUM,
        { pricing: PER_UNIT, event_name: 'x' },
        {
          pricing: PER_UNIT,
          filters: { n: ['1', '2'] },
        },
      );
      const users = ['b', 'a', 'a b', ' ', '', `${LONG}1`, `${LONG}2`, 'é', null];
      await given.post(
        api.pool,
        customer,
        users.map((user, place) => at(`2026-01-0${place + 1}T0${place}:00Z`, { user, n: place })),
      );
      const query = { ...RANGE, ...(group_by === '' ? {} : { group_by }) };
      const whole = await usage(customer.id, { ...query, limit: '200' });
      assert.ok(group_by === '' ? whole.length === 4 : whole.length === 20);
      for (const limit of [1, 2, 3, 7, whole.length]) {
        const seen: Json[] = [];
        for (let cursor: string | null = ''; cursor !== null;) {
          const page = cursor === '' ? {} : { cursor };
          const { status, body }: Json = await ask(customer.id, { ...query, limit: `${limit}`, ...page });
          assert.equal(status, 200, JSON.stringify(body));
          assert.ok(body.data.length <= limit);
          seen.push(...body.data);
          cursor = body.next_cursor;
        }
        assert.deepEqual(seen, whole);
      }
    });

  it('a cursor keeps the range of its first page, and is refused elsewhere', async () => {
    const customer = await subscribed({ pricing: PER_UNIT }, SUM);
    await given.post(api.pool, customer, [at('2026-01-10', { n: 1 })]);
    const setClock = (now: string) =>
      api.pool.query('update customers set test_clock = $2 where id = $1', [customer.id, now]);
    await setClock('2026-01-20');
    const { next_cursor: cursor } = (await ask(customer.id, { limit: '1' })).body;
    await setClock('2027-01-20');
    assert.deepEqual(quantities(await usage(customer.id, { limit: '1', cursor })), ['1']);
    const other = await subscribed({ pricing: PER_UNIT });
    for (const [id, query] of [
      [customer.id, { cursor, group_by: 'day' }],
      [customer.id, { cursor, event_name: 'api_call' }],
      [other.id, { cursor }],
    ] as const)
      assertRefused(await ask(id, query), { code: 'invalid_request', param: 'cursor', reason: 'bad_cursor' });
  });

  it('takes either id of the customer, and is empty for one without a subscription', async () => {
    const customer = await given.aCustomer(api.pool);
    await api.pool.query(`update customers set external_id = 'acme' where id = $1`, [customer.id]);
    for (const id of ['acme', customer.id]) assert.deepEqual(await usage(id), []);
    for (const key of [api.test_key, api.other_key])
      assertRefused(await api.request('/v1/customers/acme/usage', { key }), {
        code: 'not_found',
        param: null,
      });
  });

  const EDGES: [query: Record<string, string>, status: number][] = [
    [{ from: '2025-01-01', to: '2026-01-02' }, 200],
    [{ from: '2025-01-01', to: '2026-01-02T00:00:00.001Z' }, 400],
    [{ ...RANGE, group_by: 'hour' }, 200],
    [{ from: '2026-01-01', to: '2026-02-01T00:00:00.001Z', group_by: 'hour' }, 400],
    [{ from: '2025-01-01', to: '2026-01-02', group_by: 'day' }, 200],
  ];
  for (const [query, status] of EDGES)
    it(`${JSON.stringify(query)} is ${status}`, async () => {
      const answer = await ask((await given.aCustomer(api.pool)).id, query);
      if (status === 400)
        assertRefused(answer, { code: 'invalid_request', param: 'to', reason: 'out_of_range' });
      else assert.equal(answer.status, status);
    });
});
