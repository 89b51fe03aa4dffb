import assert from 'node:assert/strict';
import { startApi, type Json, type Sent, type TestApi } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { assertSound } from '../../support/ledger/sound.ts';
import { customPlansOn, CALLS, CHARGES, FEE, LISTED, SHARE, T } from '../../support/ledger/custom-plans.ts';
import { at, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';

const PATH = '/v1/pricing-plans';
/** billing.md 12, contract.md 3. */
describe('custom plans', () => {
  let api: TestApi;
  before(async () => (api = await startApi()));
  after(async () => {
    await assertSound(api.pool);
    await api.close();
  });

  const request = (path: string, sent?: Sent) => api.request(path, sent);
  const customers = testCustomersOn(request);
  const { get, post, read, done, customer, plan, subscribe } = customers;
  const { custom, created } = customPlansOn(customers);
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
