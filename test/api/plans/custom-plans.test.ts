import assert from 'node:assert/strict';
import { startApi, type Json, type Received, type Sent, type TestApi } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { assertSound } from '../../support/ledger/sound.ts';
import { at, FLAT, PER_UNIT, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';

const PATH = '/v1/pricing-plans';
const FEE = { ...FLAT, event_name: 'fee' };
const CALLS = { ...PER_UNIT, event_name: 'call', group_by: ['region'] };
const T = { event_name: 'token', pricing_model: 'graduated', tiers: TIERS };
const SHARE = {
  ...{ event_name: 'sale', pricing_model: 'percentage', rate: '2.5', maximum_amount: '90' },
  aggregation: { type: 'sum', property: 'amount' },
};
const LISTED = {
  ...{ event_name: 'upload', pricing_model: 'per_unit' },
  prices: [
    { match: { size: ['large'] }, unit_amount: '2' },
    { default: true, unit_amount: '1' },
  ],
};
const CHARGES = [FEE, CALLS, T, SHARE, LISTED];

/** billing.md 12, contract.md 3. */
describe('custom plans', () => {
  let api: TestApi;
  before(async () => (api = await startApi()));
  after(async () => {
    await assertSound(api.pool);
    await api.close();
  });

  const request = (path: string, sent?: Sent) => api.request(path, sent);
  const { get, post, read, done, customer, plan, subscribe } = testCustomersOn(request);
  const custom = (based_on: string, customer_id: string, overrides: object[], parts: object = {}) => ({
    ...{ based_on, customer_id, overrides },
    ...parts,
  });
  const created = (based_on: string, customer_id: string, overrides: object[], parts: object = {}) =>
    done(PATH, custom(based_on, customer_id, overrides, parts));
  /** A charge without what two plans with equal charges differ in. */
  const without = ({ id: _, ...charge }: Json) => charge;

  it('have the charges of their base with other prices, and ids of their own', async () => {
    const metadata = { tier: 'one' };
    const grants = [{ amount: 100, expires: 'period_end' }];
    const base_id = await plan(CHARGES, { name: 'Pro', key: 'whole', metadata, grants });
    const base = await read(`${PATH}/${base_id}`);
    const customer_id = await customer();
    const overrides = [
      { charge: 2, tiers: [{ up_to: '1000', unit_amount: '0.08' }, ...TIERS.slice(1)] },
      { charge: 0, billed: 'in_advance' },
    ];
    const { status, headers, body } = await post(PATH, custom('whole', customer_id, overrides));
    assert.equal(status, 201, JSON.stringify(body));
    assert.match(body.id, /^plan_[0-9a-z]{26}$/);
    assert.equal(headers.get('location'), `${PATH}/${body.id}`);
    const { id: _, created_at: __, charges, ...shown } = body;
    const { id: ___, created_at: ____, charges: charges_of_base, ...shown_of_base } = base;
    assert.deepEqual(shown, {
      ...shown_of_base,
      ...{ key: null, version: null, based_on: base_id, customer_id },
      overrides: [
        // Members that are null are left out.
        {
          charge: 2,
          tiers: [
            { up_to: '1000', unit_amount: '0.08' },
            { ...TIERS[1]! },
            { up_to: null, unit_amount: '0.01' },
          ],
        },
        { charge: 0, billed: 'in_advance' },
      ],
    });
    const expected = charges_of_base.map(without);
    expected[0].billed = 'in_advance';
    expected[2].tiers[0].unit_amount = '0.08';
    assert.deepEqual(charges.map(without), expected);
    const ids = new Set([...charges, ...charges_of_base].map(({ id }: Json) => id));
    assert.equal(ids.size, 2 * CHARGES.length);
    assert.deepEqual(await read(`${PATH}/${body.id}`), body);
    assert.deepEqual([base.based_on, base.customer_id, base.overrides], [null, null, null]);
  });

  it('without an override are as their base; name, metadata and grants may be their own', async () => {
    const base_id = await plan([T], { grants: [{ amount: 100, expires: 'period_end' }], metadata: { a: 1 } });
    const own = { name: 'For Acme', metadata: { b: 2 }, grants: [] };
    const body = await created(base_id, await customer(), [], own);
    assert.deepEqual([body.name, body.metadata, body.grants, body.overrides], ['For Acme', { b: 2 }, [], []]);
    assert.deepEqual(body.charges.map(without), (await read(`${PATH}/${base_id}`)).charges.map(without));
  });

  const PRICES: [what: string, charge: object, override: object, expected: object][] = [
    ['one field of a percentage', SHARE, { rate: '2' }, { rate: '2', maximum_amount: '90' }],
    [
      'a model of its own, whose defaults hold',
      SHARE,
      { pricing_model: 'percentage', rate: '2' },
      { rate: '2', maximum_amount: null },
    ],
    [
      'another model',
      T,
      { pricing_model: 'per_unit', unit_amount: '0.05' },
      { unit_amount: '0.05', prices: null },
    ],
    ['a list instead of one price', CALLS, { prices: LISTED.prices }, { pricing_model: 'per_unit' }],
    [
      'a list instead of a list',
      LISTED,
      { prices: [{ default: true, unit_amount: '3' }] },
      { prices: [{ match: null, default: true, unit_amount: '3' }] },
    ],
    [
      'one price instead of a list',
      LISTED,
      { pricing_model: 'per_unit', unit_amount: '3' },
      { prices: null, unit_amount: '3' },
    ],
    ['nothing', CALLS, {}, { unit_amount: '1' }],
    ['a field of null, which is left out', CALLS, { unit_amount: null }, { unit_amount: '1' }],
    ['a number', CALLS, { unit_amount: 0.5 }, { unit_amount: '0.5' }],
  ];
  for (const [what, charge, override, expected] of PRICES)
    it(`take an override with ${what}`, async () => {
      const { charges } = await created(await plan([charge]), await customer(), [{ charge: 0, ...override }]);
      assert.deepEqual({ ...charges[0], ...expected }, charges[0]);
    });

  it('keep their overrides as they were sent, decimals canonical', async () => {
    const overrides = [
      { charge: 0, pricing_model: 'per_unit', prices: [{ default: true, unit_amount: '0.50' }] },
    ];
    const { id } = await created(await plan([CALLS]), await customer(), overrides);
    assert.deepEqual((await read(`${PATH}/${id}`)).overrides, [
      { charge: 0, pricing_model: 'per_unit', prices: [{ default: true, unit_amount: '0.5' }] },
    ]);
  });

  const MEMBERS: [what: string, body: object, param: string, reason: string][] = [
    ['without a customer', { customer_id: undefined }, 'customer_id', 'missing'],
    ['without a base', { based_on: undefined }, 'based_on', 'missing'],
    ['without overrides', { overrides: undefined }, 'overrides', 'missing'],
    ['with overrides alone', { based_on: undefined, customer_id: undefined }, 'based_on', 'missing'],
    ['with a key', { key: 'acme' }, 'key', 'not_allowed'],
    ['with a currency', { currency: 'USD' }, 'currency', 'not_allowed'],
    ['with an interval', { interval: 'month' }, 'interval', 'not_allowed'],
    ['with a number of intervals', { interval_count: 1 }, 'interval_count', 'not_allowed'],
    ['with a pricing model', { pricing_model: 'flat' }, 'pricing_model', 'not_allowed'],
    ['with charges', { charges: [FEE] }, 'charges', 'not_allowed'],
    ['with an empty name', { name: '' }, 'name', 'missing'],
    ['with something else', { plan_id: 'plan_1' }, 'plan_id', 'unknown_member'],
    [
      'with 101 overrides',
      { overrides: Array.from({ length: 101 }, () => ({ charge: 0 })) },
      'overrides',
      'too_many',
    ],
    [
      'with 21 grants',
      { grants: Array.from({ length: 21 }, () => ({ amount: 1, expires: 'period_end' })) },
      'grants',
      'too_many',
    ],
  ];
  const OVERRIDES: [what: string, overrides: object[], param: string, reason: string][] = [
    ['no charge', [{ rate: '2' }], 'overrides[0].charge', 'missing'],
    ['a charge below 0', [{ charge: -1 }], 'overrides[0].charge', 'out_of_range'],
    ['half a charge', [{ charge: 0.5 }], 'overrides[0].charge', 'wrong_type'],
    ['a charge beyond the last', [{ charge: 5 }], 'overrides[0].charge', 'out_of_range'],
    ['a charge twice', [{ charge: 1 }, { charge: 0 }, { charge: 1 }], 'overrides[2].charge', 'not_allowed'],
    ['an event name', [{ charge: 1, event_name: 'call' }], 'overrides[0].event_name', 'unknown_member'],
    [
      'an aggregation',
      [{ charge: 1, aggregation: { type: 'count' } }],
      'overrides[0].aggregation',
      'unknown_member',
    ],
    [
      'a field of another model',
      [{ charge: 0, unit_amount: '1' }],
      'overrides[0].unit_amount',
      'not_allowed',
    ],
    [
      'a field beside the list of the base',
      [{ charge: 4, unit_amount: '1' }],
      'overrides[0].unit_amount',
      'not_allowed',
    ],
    [
      'a field beside a list',
      [{ charge: 1, unit_amount: '1', prices: LISTED.prices }],
      'overrides[0].unit_amount',
      'not_allowed',
    ],
    [
      'a list of a model without lists',
      [{ charge: 0, prices: LISTED.prices }],
      'overrides[0].prices',
      'not_allowed',
    ],
    [
      'a model without its field',
      [{ charge: 2, pricing_model: 'per_unit' }],
      'overrides[0].unit_amount',
      'missing',
    ],
    [
      'a model that the aggregation does not go with',
      [{ charge: 2, pricing_model: 'percentage', rate: '2' }],
      'overrides[0].pricing_model',
      'not_allowed',
    ],
    [
      'a model that the groups do not go with',
      [{ charge: 1, pricing_model: 'flat', flat_amount: '2' }],
      'overrides[0].pricing_model',
      'not_allowed',
    ],
    ['no such model', [{ charge: 1, pricing_model: 'free' }], 'overrides[0].pricing_model', 'not_allowed'],
    ['a price below zero', [{ charge: 1, unit_amount: '-1' }], 'overrides[0].unit_amount', 'out_of_range'],
    ['no number', [{ charge: 1, unit_amount: 'one' }], 'overrides[0].unit_amount', 'malformed'],
    [
      'tiers that do not rise',
      [{ charge: 2, tiers: [TIERS[1], TIERS[0], TIERS[2]] }],
      'overrides[0].tiers[1].up_to',
      'out_of_order',
    ],
    ['no tier', [{ charge: 2, tiers: [] }], 'overrides[0].tiers', 'missing'],
    [
      'a minimum above the maximum of the base',
      [{ charge: 3, minimum_amount: '91' }],
      'overrides[0].maximum_amount',
      'out_of_range',
    ],
    [
      'prices for the same events',
      [{ charge: 1, prices: [LISTED.prices[0], LISTED.prices[0]] }],
      'overrides[0].prices[1].match',
      'overlapping_prices',
    ],
  ];
  describe('are refused, and nothing is stored,', () => {
    let base_id: string;
    let customer_id: string;
    before(async () => {
      base_id = await plan(CHARGES);
      customer_id = await customer();
    });
    const refused = async (body: object, param: string, reason: string) => {
      for (const path of [PATH, `${PATH}/preview`]) {
        const { status, body: refusal } = await post(path, { ...custom(base_id, customer_id, []), ...body });
        const { error } = refusal;
        assert.deepEqual(
          [status, error?.param, error?.details[0].reason],
          [400, param, reason],
          JSON.stringify(refusal),
        );
        assert.ok(error.message.includes(param), error.message);
      }
      assert.deepEqual((await read(`${PATH}?customer_id=${customer_id}`)).data, []);
    };
    for (const [what, body, param, reason] of MEMBERS)
      it(`${what}: ${reason} at ${param}`, () => refused(body, param, reason));
    for (const [what, overrides, param, reason] of OVERRIDES)
      it(`with an override of ${what}: ${reason} at ${param}`, () => refused({ overrides }, param, reason));

    it('with two charges that bill the same events', async () => {
      const flat_beside = await plan([
        { ...FEE, event_name: 'call' },
        { ...PER_UNIT, event_name: 'call' },
      ]);
      const overrides = [{ charge: 0, pricing_model: 'per_unit', unit_amount: '2' }];
      await refused({ based_on: flat_beside, overrides }, 'overrides[0]', 'overlapping_charges');
    });

    it('with more than a thousand prices', async () => {
      const calls = Array.from({ length: 6 }, (_, n) => ({ ...PER_UNIT, event_name: `call_${n}` }));
      const prices = Array.from({ length: 200 }, (_, n) => ({ match: { n: [n] }, unit_amount: '1' }));
      const overrides = calls.map((_, charge) => ({ charge, prices }));
      await refused({ based_on: await plan(calls), overrides }, 'overrides', 'too_many');
    });

    it('of nobody, and of no plan: 404', async () => {
      const of = (parts: object) => post(PATH, { ...custom(base_id, customer_id, []), ...parts });
      const nobody = { code: 'not_found', param: 'customer_id', reason: 'unknown_customer' } as const;
      assertRefused(await of({ customer_id: 'nobody' }), nobody);
      const none = { code: 'not_found', param: 'based_on', reason: 'unknown_plan' } as const;
      assertRefused(await of({ based_on: 'plan_none' }), none);
    });

    it('based on a custom plan', async () => {
      const { id } = await created(base_id, await customer(), []);
      await refused({ based_on: id }, 'based_on', 'not_allowed');
    });

    it('in another currency than the customer', async () => {
      await refused({ based_on: await plan([FEE], { currency: 'EUR' }) }, 'based_on', 'currency_mismatch');
    });
  });

  it('may be based on an archived plan by its id, not by its key', async () => {
    const base_id = await plan([FEE], { key: 'old' });
    await done(`${PATH}/${base_id}/archive`);
    const customer_id = await customer();
    const archived = { code: 'conflict', param: 'based_on', reason: 'archived' } as const;
    assertRefused(await post(PATH, custom('old', customer_id, [])), archived);
    const { id } = await created(base_id, customer_id, []);
    assert.equal((await subscribe(customer_id, id)).plan_id, id);
  });

  it('take either id of the customer', async () => {
    const customer_id = await customer();
    const { id: cus } = await read(`/v1/customers/${customer_id}`);
    const made = await created(await plan([FEE]), cus, []);
    assert.equal(made.customer_id, customer_id);
    for (const id of [cus, customer_id])
      assert.deepEqual((await read(`${PATH}?customer_id=${id}`)).data, [made]);
  });

  it('are compared with their base by a preview, which stores nothing', async () => {
    const base_id = await plan([FEE, CALLS], { name: 'Pro' });
    const customer_id = await customer();
    const overrides = [{ charge: 0, flat_amount: '39' }];
    const body = custom(base_id, customer_id, overrides, { name: 'Pro for Acme' });
    assert.deepEqual(await done(`${PATH}/preview`, body), {
      ...{ object: 'pricing_plan_preview', key: null, version: null },
      current: await read(`${PATH}/${base_id}`),
      changes: [
        { field: 'name', current: 'Pro', proposed: 'Pro for Acme' },
        { field: 'charges[0].flat_amount', current: '49', proposed: '39' },
      ],
      has_more: false,
    });
    assert.deepEqual((await read(`${PATH}?customer_id=${customer_id}`)).data, []);
  });

  describe('of one customer', () => {
    it('are in no list of plans but its own, page by page and by search', async () => {
      const base_id = await plan([FEE], { name: 'Listed base' });
      const [customer_id, other] = [await customer(), await customer()];
      const made = [];
      for (const name of ['Listed one', 'Listed two', 'Listed three'])
        made.push(await created(base_id, customer_id, [], { name }));
      await created(base_id, other, [], { name: 'Listed four' });
      const found = async (query: string) =>
        (await read(`${PATH}?${query}`)).data.map(({ name }: Json) => name);
      assert.deepEqual(await found('search=listed'), ['Listed base']);
      assert.deepEqual(await found(`search=${made[0].id}`), []);
      assert.ok(!(await found('limit=200')).includes('Listed one'));
      const own = `customer_id=${customer_id}`;
      assert.deepEqual(await found(own), ['Listed three', 'Listed two', 'Listed one']);
      assert.deepEqual(await found(`${own}&search=two`), ['Listed two']);
      assert.deepEqual(await found(`${own}&key=listed`), []);
      await done(`${PATH}/${made[1].id}/archive`);
      assert.deepEqual(await found(`${own}&archived=true`), ['Listed two']);
      assert.deepEqual(await found(`${own}&archived=false`), ['Listed three', 'Listed one']);
      const { data, next_cursor } = await read(`${PATH}?${own}&limit=2`);
      assert.equal(data.length, 2);
      assert.deepEqual(await found(`${own}&limit=2&cursor=${next_cursor}`), ['Listed one']);
      assert.deepEqual(await found('customer_id=nobody'), []);
    });

    it('are found by the search by their id alone', async () => {
      const { id } = await created(await plan([FEE]), await customer(), [], { name: 'Sought plan' });
      const idsOf = async (q: string) =>
        (await read(`/v1/search?q=${encodeURIComponent(q)}`)).data.map((one: Json) => one.id);
      assert.deepEqual(await idsOf(id), [id]);
      assert.deepEqual(await idsOf('Sought plan'), []);
    });

    it('are for its subscriptions alone', async () => {
      const base_id = await plan([PER_UNIT]);
      const [owner, other] = [await customer(), await customer()];
      const { id: plan_id } = await created(base_id, owner, [{ charge: 0, unit_amount: '2' }]);
      const foreign = { code: 'conflict', param: 'plan_id', reason: 'invalid_state' } as const;
      assertRefused(await post('/v1/subscriptions', { customer_id: other, plan_id }), foreign);
      const of_other = await subscribe(other, base_id);
      for (const dry_run of [false, true]) {
        const body = { plan_id, at: 'period_end', dry_run };
        assertRefused(await post(`/v1/subscriptions/${of_other.id}/change`, body), foreign);
      }
      const of_owner = await subscribe(owner, base_id);
      const changed = await done(`/v1/subscriptions/${of_owner.id}/change`, { plan_id, at: 'period_end' });
      assert.equal(changed.pending_change.plan_id, plan_id);
      assert.equal((await read(`/v1/subscriptions/${of_other.id}`)).pending_change, null);
    });

    it('count as versions of their base where subscriptions are found by a key', async () => {
      const [first, second] = [await plan([FEE], { key: 'counted' }), await plan([FEE], { key: 'counted' })];
      const owner = await customer();
      const { id: plan_id } = await created(first, owner, []);
      const without_key = await plan([FEE]);
      const { id: other_id } = await created(without_key, owner, []);
      const a = await subscribe(owner, plan_id);
      const b = await subscribe(await customer(), second);
      await subscribe(owner, other_id);
      const found = async (plan: string) =>
        (await read(`/v1/subscriptions?plan_id=${plan}`)).data.map(({ id }: Json) => id);
      assert.deepEqual(await found('counted'), [b.id, a.id]);
      assert.deepEqual(await found(plan_id), [a.id]);
      assert.deepEqual(await found(first), []);
      assert.deepEqual(await found(without_key), []);
    });

    it('are archived for themselves; their base is not, nor they with it', async () => {
      const base_id = await plan([FEE]);
      const owner = await customer();
      const { id } = await created(base_id, owner, []);
      await done(`${PATH}/${base_id}/archive`);
      assert.equal((await read(`${PATH}/${id}`)).archived_at, null);
      await done(`${PATH}/${id}/archive`);
      const archived = { code: 'conflict', param: 'plan_id', reason: 'archived' } as const;
      assertRefused(await post('/v1/subscriptions', { customer_id: owner, plan_id: id }), archived);
    });

    it('stand in the way of a deletion and of another currency, archived ones too', async () => {
      const customer_id = await customer();
      const { id } = await created(await plan([FEE]), customer_id, []);
      await done(`${PATH}/${id}/archive`);
      const reasonsOf = ({ status, body }: Received) => [
        status,
        body.error.details.map(({ reason }: Json) => reason),
      ];
      const path = `/v1/customers/${customer_id}`;
      const expected = [409, ['invalid_state', 'has_pricing_plans']];
      assert.deepEqual(reasonsOf(await request(path, { method: 'DELETE' })), expected);
      const euros = { method: 'PATCH', body: { currency: 'EUR' } };
      assert.deepEqual(reasonsOf(await request(path, euros)), expected);
    });

    it('lose name and metadata in its erasure', async () => {
      const customer_id = await customer();
      const base_id = await plan([FEE], { name: 'Pro', metadata: { a: 1 } });
      const made = await created(base_id, customer_id, [], { name: 'For Ada', metadata: { by: 'Ada' } });
      await done(`/v1/customers/${customer_id}/redact`);
      const erased = await read(`${PATH}/${made.id}`);
      assert.deepEqual(erased, { ...made, name: 'Plan', metadata: {} });
      const { name, metadata } = await read(`${PATH}/${base_id}`);
      assert.deepEqual([name, metadata], ['Pro', { a: 1 }]);
    });

    it('are in the audit log without their names', async () => {
      const customer_id = await customer();
      const base_id = await plan([FEE]);
      const { id } = await created(base_id, customer_id, [], { name: 'For Ada' });
      await done(`${PATH}/${id}/archive`);
      const { data } = await read(`/v1/audit-log?object_id=${id}`);
      assert.deepEqual(
        data.map(({ action, customer_id: of }: Json) => [action, of]),
        [
          ['pricing_plan.updated', customer_id],
          ['pricing_plan.created', customer_id],
        ],
      );
      const { name, based_on, currency } = data[1].after;
      assert.deepEqual([name, based_on, currency], ['[personal]', base_id, 'USD']);
    });
  });

  it('ten equal requests at once with a key are one', async () => {
    const customer_id = await customer();
    const body = custom(await plan([FEE]), customer_id, []);
    const headers = { 'Idempotency-Key': `plan-${customer_id}` };
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(PATH, body, { headers })));
    for (const { status } of answers) assert.ok(status === 201 || status === 409, `${status}`);
    const { data } = await read(`${PATH}?customer_id=${customer_id}`);
    assert.equal(data.length, 1);
    const repeated = await post(PATH, body, { headers });
    assert.equal(repeated.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(repeated.body, data[0]);
  });

  it('never mix test and live data, nor accounts', async () => {
    const [base_id, customer_id] = [await plan([FEE]), await customer()];
    const { id } = await created(base_id, customer_id, []);
    for (const key of [api.live_key, api.other_key]) {
      assertRefused(await get(`${PATH}/${id}`, { key }), { code: 'not_found' });
      assert.deepEqual((await get(`${PATH}?customer_id=${customer_id}`, { key })).body.data, []);
      const { body: other } = await post('/v1/customers', { external_id: `of-${id}` }, { key });
      assertRefused(await post(PATH, custom(base_id, other.external_id, []), { key }), {
        ...{ code: 'not_found', param: 'based_on' },
      });
      assertRefused(await post(PATH, custom(base_id, customer_id, []), { key }), {
        ...{ code: 'not_found', param: 'customer_id' },
      });
    }
  });

  it('are shown by a portal link without base and overrides', async () => {
    const owner = await customer({}, at('01-01'));
    const { id } = await created(await plan([FEE]), owner, [{ charge: 0, flat_amount: '39' }]);
    await subscribe(owner, id);
    const { url } = await done('/v1/portal-sessions', { customer_id: owner });
    const key = new URL(url).hash.slice(1);
    const { body } = await get(`${PATH}/${id}`, { key });
    assert.deepEqual(
      [body.charges[0].flat_amount, body.customer_id, body.based_on, body.overrides],
      ['39', owner, null, null],
    );
  });
});
