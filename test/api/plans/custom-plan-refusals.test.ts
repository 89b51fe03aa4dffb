import assert from 'node:assert/strict';
import { startApi, type Sent, type TestApi } from '../../support/servers/api.ts';
import { customPlansOn, CHARGES, FEE, LISTED } from '../../support/ledger/custom-plans.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { assertSound } from '../../support/ledger/sound.ts';
import { PER_UNIT, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';

const PATH = '/v1/pricing-plans';

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
  ['a field of another model', [{ charge: 0, unit_amount: '1' }], 'overrides[0].unit_amount', 'not_allowed'],
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

/** contract.md 3. */
describe('a custom plan is refused, and nothing is stored,', () => {
  let api: TestApi;
  before(async () => (api = await startApi()));
  after(async () => {
    await assertSound(api.pool);
    await api.close();
  });

  const request = (path: string, sent?: Sent) => api.request(path, sent);
  const customers = testCustomersOn(request);
  const { post, read, customer, plan } = customers;
  const { custom, created } = customPlansOn(customers);
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
