import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../../support/servers/api.ts';

const PATH = '/v1/pricing-plans';

describe('pricing plans', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const COUNT = {
    ...{ name: null, unit_name: null, aggregation: { type: 'count' }, filters: null },
    ...{ prices: null, group_by: null },
  };
  const TIERS = [
    { up_to: 1000, unit_amount: '0.10' },
    { up_to: '10000.50', unit_amount: 0.05, flat_amount: '5.00' },
    { up_to: null, unit_amount: '0.000000000000001', flat_amount: null },
  ];
  const ANSWERED_TIERS = [
    { up_to: '1000', unit_amount: '0.1', flat_amount: null },
    { up_to: '10000.5', unit_amount: '0.05', flat_amount: '5' },
    { up_to: null, unit_amount: '0.000000000000001', flat_amount: null },
  ];

  /** A charge as sent, and as in the response without its id. */
  const MODELS: [name: string, sent: object, answered: object][] = [
    [
      'flat',
      { pricing_model: 'flat', flat_amount: 49 },
      { pricing_model: 'flat', flat_amount: '49', billed: 'in_arrears', quantity: null },
    ],
    ['per_unit', { unit_amount: '1.50' }, { pricing_model: 'per_unit', unit_amount: '1.5' }],
    ['free', { unit_amount: 0 }, { pricing_model: 'per_unit', unit_amount: '0' }],
    [
      'graduated',
      { pricing_model: 'graduated', tiers: TIERS },
      { pricing_model: 'graduated', tiers: ANSWERED_TIERS },
    ],
    [
      'prices by dimension',
      {
        prices: [
          { match: { model: ['a', 1] }, unit_amount: '1.50' },
          { default: true, unit_amount: 2 },
        ],
        group_by: ['region'],
      },
      {
        pricing_model: 'per_unit',
        prices: [
          { match: { model: ['a', 1] }, default: false, unit_amount: '1.5' },
          { match: null, default: true, unit_amount: '2' },
        ],
        group_by: ['region'],
      },
    ],
    ['volume', { pricing_model: 'volume', tiers: TIERS }, { pricing_model: 'volume', tiers: ANSWERED_TIERS }],
    [
      'package',
      { pricing_model: 'package', package_size: 1000, package_amount: '10.00' },
      { pricing_model: 'package', package_size: '1000', package_amount: '10', free_units: '0' },
    ],
    [
      'credit',
      { pricing_model: 'credit' },
      { pricing_model: 'credit', credits_per_unit: '1', overage_unit_amount: '0' },
    ],
    [
      'credit in full',
      { pricing_model: 'credit', credits_per_unit: 10, overage_unit_amount: '0.002' },
      { pricing_model: 'credit', credits_per_unit: '10', overage_unit_amount: '0.002' },
    ],
    [
      'aggregation, filters, name and unit',
      {
        unit_amount: '1',
        name: 'Data',
        unit_name: 'gigabytes',
        aggregation: { type: 'sum', property: 'gb' },
        filters: { region: ['eu', 1, true] },
      },
      {
        pricing_model: 'per_unit',
        unit_amount: '1',
        name: 'Data',
        unit_name: 'gigabytes',
        aggregation: { type: 'sum', property: 'gb' },
        filters: { region: ['eu', 1, true] },
      },
    ],
    [
      'filters that filter nothing',
      { unit_amount: '1', filters: {} },
      { pricing_model: 'per_unit', unit_amount: '1' },
    ],
    [
      'nulls for what is not there',
      {
        unit_amount: '1',
        name: null,
        unit_name: null,
        filters: null,
        tiers: null,
        aggregation: { type: 'count', property: null },
      },
      { pricing_model: 'per_unit', unit_amount: '1' },
    ],
  ];
  for (const [name, sent, answered] of MODELS) {
    it(name, async () => {
      const charge = { event_name: 'e', ...sent };
      const { status, body, headers } = await api.post(PATH, {
        name: 'Plan',
        pricing_model: 'per_unit',
        charges: [charge],
      });
      assert.equal(status, 201, JSON.stringify(body));
      assert.match(body.id, /^plan_[0-9a-z]{26}$/);
      assert.equal(headers.get('location'), `${PATH}/${body.id}`);
      const { id, ...rest } = body.charges[0];
      assert.match(id, /^chg_[0-9a-z]{26}$/);
      assert.deepEqual(rest, { event_name: 'e', ...COUNT, ...answered });
      assert.deepEqual((await api.request(`${PATH}/${body.id}`)).body, body);
    });
  }

  it('has defaults for everything but name and charges', async () => {
    const charges = [{ event_name: 'e', pricing_model: 'flat', flat_amount: '1' }];
    const { body } = await api.post(PATH, { name: 'Plain', charges });
    const { id: _, created_at: __, charges: ___, ...rest } = body;
    assert.deepEqual(rest, {
      object: 'pricing_plan',
      livemode: false,
      key: null,
      version: null,
      archived_at: null,
      name: 'Plain',
      currency: 'USD',
      interval: 'month',
      interval_count: 1,
      minimum_amount: null,
      grants: [],
      pricing_model: null,
      metadata: {},
      based_on: null,
      customer_id: null,
      overrides: null,
    });
  });

  it('keeps a hundred charges in order', async () => {
    const charges = Array.from({ length: 100 }, (_, index) => ({
      event_name: `e${index}`,
      unit_amount: index,
    }));
    const plan = {
      name: 'Long',
      pricing_model: 'per_unit',
      interval: 'week',
      interval_count: 2,
      currency: 'KWD',
      charges,
    };
    const { status, body } = await api.post(PATH, { ...plan, metadata: { a: 1 } });
    assert.equal(status, 201);
    const read = (await api.request(`${PATH}/${body.id}`)).body;
    assert.deepEqual(read, body);
    assert.deepEqual(
      read.charges.map(({ event_name }: { event_name: string }) => event_name),
      charges.map(({ event_name }) => event_name),
    );
    assert.deepEqual([read.interval, read.interval_count, read.currency], ['week', 2, 'KWD']);
  });

  it('accepts charges that count different events, and flat charges that are equal', async () => {
    const charges = [
      { event_name: 'e', unit_amount: 1 },
      { event_name: 'e', unit_amount: 1, filters: { region: ['eu'] } },
      { event_name: 'e', unit_amount: 1, aggregation: { type: 'unique', property: 'user' } },
      { event_name: 'e', pricing_model: 'flat', flat_amount: 1 },
      { event_name: 'e', pricing_model: 'flat', flat_amount: 1 },
    ];
    const { status } = await api.post(PATH, { name: 'Many', pricing_model: 'per_unit', charges });
    assert.equal(status, 201);
  });

  it('the list has the same objects as the single GET', async () => {
    const { body } = await api.request(`${PATH}?limit=200`);
    for (const plan of body.data) assert.deepEqual((await api.request(`${PATH}/${plan.id}`)).body, plan);
    assert.equal(body.has_more, false);
    const live = await api.request(PATH, { key: api.live_key });
    assert.deepEqual(live.body.data, []);
  });

  it('names every error with its position', async () => {
    const { body } = await api.post(PATH, {
      charges: [{ unit_amount: 'x' }, { event_name: '', pricing_model: 'y', tiers: [{}] }],
    });
    const found = body.error.details.map(
      ({ param, reason }: { param: string; reason: string }) => `${param} ${reason}`,
    );
    assert.deepEqual(found.sort(), [
      'charges[0].event_name missing',
      'charges[0].unit_amount malformed',
      'charges[1].event_name missing',
      'charges[1].pricing_model not_allowed',
      'charges[1].tiers[0].unit_amount missing',
      'charges[1].tiers[0].up_to missing',
    ]);
    // Which members a body must have depends on whether it is that of a custom plan.
    const refused = await api.post(PATH, {});
    assert.deepEqual(
      refused.body.error.details.map(
        ({ param, reason }: { param: string; reason: string }) => `${param} ${reason}`,
      ),
      ['name missing', 'charges missing'],
    );
  });
});
