import assert from 'node:assert/strict';
import { draftOf } from '../../web/src/pages/plans/plan-as-draft.ts';
import { bodyOf } from '../../web/src/pages/plans/plan-draft.ts';
import type { Charge, Plan } from '../../web/src/api/objects.ts';

const SELECTION = {
  ...{
    id: 'chg_1',
    event_name: 'call',
    name: null,
    unit_name: null,
    filters: null,
    prices: null,
    group_by: null,
  },
  aggregation: { type: 'count' },
} as const;
const TIERS = [
  { up_to: '1000', unit_amount: '0.1', flat_amount: null },
  { up_to: null, unit_amount: '0.05', flat_amount: '5' },
];
const SENT_TIERS = [
  { up_to: '1000', unit_amount: '0.1' },
  { up_to: null, unit_amount: '0.05', flat_amount: '5' },
];
const COUNT = { aggregation: { type: 'count' }, filters: {} };

const GRANTS: Plan['grants'] = [
  { amount: 1000, event_names: null, expires: 'period_end', carry_over_max: 500, prorate: true },
  { amount: 0.5, event_names: ['call', 'mail'], expires: { days: 45 }, carry_over_max: null, prorate: false },
];

function planWith(...charges: Charge[]): Plan {
  return {
    ...{ id: 'plan_1', object: 'pricing_plan', livemode: false, created_at: '2026-01-01T00:00:00.000Z' },
    ...{ key: 'pro', version: 3, archived_at: null, name: 'Pro', currency: 'EUR', interval: 'year' },
    ...{ interval_count: 2, pricing_model: null, charges, grants: GRANTS, metadata: { tier: 1 } },
    ...{ minimum_amount: '100.00', based_on: null, customer_id: null, overrides: null },
  };
}

function sentFor(...charges: Charge[]): unknown {
  const draft = draftOf(planWith(...charges));
  return draft === null ? null : JSON.parse(JSON.stringify(bodyOf(draft)));
}

const CASES: [what: string, charge: Charge, sent: object][] = [
  [
    'a flat charge',
    { ...SELECTION, name: 'Fee', pricing_model: 'flat', flat_amount: '49', billed: 'in_advance' },
    { event_name: 'call', name: 'Fee', pricing_model: 'flat', flat_amount: '49', billed: 'in_advance' },
  ],
  [
    'tiers, a property, filters and groups',
    {
      ...SELECTION,
      ...{
        unit_name: 'GB',
        aggregation: { type: 'sum', property: 'gb' },
        filters: { region: ['eu', 1, true] },
      },
      ...{ pricing_model: 'graduated', tiers: TIERS, group_by: ['model'] },
    },
    {
      ...{ event_name: 'call', unit_name: 'GB', aggregation: { type: 'sum', property: 'gb' } },
      ...{ filters: { region: ['eu', '1', 'true'] }, pricing_model: 'graduated', tiers: SENT_TIERS },
      group_by: ['model'],
    },
  ],
  [
    'a package',
    { ...SELECTION, pricing_model: 'package', package_size: '100', package_amount: '1', free_units: '5' },
    {
      ...{ event_name: 'call', ...COUNT, pricing_model: 'package' },
      ...{ package_size: '100', package_amount: '1', free_units: '5' },
    },
  ],
  [
    'prices with a default',
    {
      ...SELECTION,
      pricing_model: 'per_unit',
      prices: [
        { match: { model: ['large', 'larger'] }, default: false, unit_amount: '2' },
        { match: null, default: true, unit_amount: '1' },
      ],
    },
    {
      ...{ event_name: 'call', ...COUNT, pricing_model: 'per_unit' },
      prices: [
        { match: { model: ['large', 'larger'] }, unit_amount: '2' },
        { default: true, unit_amount: '1' },
      ],
    },
  ],
  [
    'prices without a default, with tiers',
    {
      ...SELECTION,
      pricing_model: 'volume',
      prices: [{ match: { a: ['x'] }, default: false, tiers: TIERS }],
    },
    {
      ...{ event_name: 'call', ...COUNT, pricing_model: 'volume' },
      prices: [{ match: { a: ['x'] }, tiers: SENT_TIERS }],
    },
  ],
];

describe('the form filled in with a plan', () => {
  it('has its key and all that the form has no field for', () => {
    assert.deepEqual(sentFor(), {
      ...{ key: 'pro', name: 'Pro', currency: 'EUR', interval: 'year', interval_count: 2 },
      minimum_amount: '100.00',
      charges: [],
      grants: [
        { amount: 1000, expires: 'period_end', carry_over_max: 500, prorate: true },
        { amount: 0.5, event_names: ['call', 'mail'], expires: { days: 45 } },
      ],
      metadata: { tier: 1 },
    });
  });

  for (const [what, charge, sent] of CASES) {
    it(`sends ${what} as it was`, () => {
      const body = sentFor(charge);
      assert.ok(typeof body === 'object' && body !== null && 'charges' in body);
      assert.deepEqual(body.charges, [sent]);
    });
  }

  for (const text of [' blank', 'two\nlines', '']) {
    it(`is refused where it would change the text ${JSON.stringify(text)}`, () => {
      const charge: Charge = {
        ...SELECTION,
        filters: { region: [text] },
        pricing_model: 'per_unit',
        unit_amount: '1',
      };
      assert.equal(sentFor(charge), null);
    });
  }
});
