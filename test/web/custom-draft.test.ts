import assert from 'node:assert/strict';
import type { Charge, Plan } from '../../web/src/api/objects.ts';
import {
  customBodyOf,
  customDraftOf,
  placesOf,
  type DraftCustomPlan,
} from '../../web/src/pages/plans/custom-draft.ts';
import type { DraftCharge } from '../../web/src/pages/plans/plan-draft.ts';

const SELECTION = {
  ...{ name: null, unit_name: null, filters: null, prices: null, group_by: null },
  aggregation: { type: 'count' },
} as const;

const CALLS: Charge = {
  ...{ ...SELECTION, id: 'chg_1', event_name: 'call' },
  ...{ pricing_model: 'per_unit', unit_amount: '0.1' },
};
const FEE: Charge = {
  ...{ ...SELECTION, id: 'chg_2', event_name: 'fee' },
  ...{ pricing_model: 'flat', flat_amount: '49', billed: 'in_advance', quantity: null },
};
const SHARE: Charge = {
  ...{ ...SELECTION, id: 'chg_3', event_name: 'sale', aggregation: { type: 'sum', property: 'n' } },
  ...{ pricing_model: 'percentage', rate: '2.5', minimum_amount: '10', maximum_amount: null },
};
const BY_MODEL: Charge = {
  ...{ ...SELECTION, id: 'chg_4', event_name: 'token', pricing_model: 'per_unit' },
  prices: [
    { match: { model: ['large'] }, default: false, unit_amount: '2' },
    { match: null, default: true, unit_amount: '1' },
  ],
};

const BASE: Plan = {
  ...{ id: 'plan_1', object: 'pricing_plan', livemode: false, created_at: '2026-01-01T00:00:00.000Z' },
  ...{ key: 'pro', version: 3, archived_at: null, name: 'Pro', currency: 'EUR', interval: 'month' },
  ...{
    interval_count: 1,
    pricing_model: null,
    charges: [CALLS, FEE, SHARE, BY_MODEL],
    grants: [],
    metadata: {},
  },
  ...{ minimum_amount: '100.00', based_on: null, customer_id: null, overrides: null },
};

/** The body of the form in which the charge at a place has a price of its own. */
function sentWith(place: number, parts: Partial<DraftCharge>): { overrides: object[] } {
  const draft = customDraftOf(BASE, BASE)!;
  const charges = draft.charges.map(({ is_own, charge }, index) =>
    index === place ? { is_own: true, charge: { ...charge, ...parts } } : { is_own, charge },
  );
  return bodyOf({ ...draft, charges });
}

const bodyOf = (draft: DraftCustomPlan) => JSON.parse(JSON.stringify(customBodyOf(draft, BASE)));

describe('the form of a custom plan', () => {
  it('begins as its base, and sends nothing of its own then', () => {
    assert.deepEqual(bodyOf(customDraftOf(BASE, BASE)!), { based_on: 'plan_1', overrides: [] });
  });

  const CASES: [what: string, place: number, parts: Partial<DraftCharge>, override: object][] = [
    ['the base’s price alone, for an equal one', 0, {}, {}],
    ['the fields that differ', 0, { amounts: { unit_amount: '0.08' } }, { unit_amount: '0.08' }],
    [
      'a fee in arrears for one in advance',
      1,
      { amounts: { flat_amount: '49', billed: 'in_arrears' } },
      { billed: 'in_arrears' },
    ],
    [
      'the model, where a field of the base is taken away',
      2,
      { amounts: { rate: '2.5' } },
      { pricing_model: 'percentage', rate: '2.5' },
    ],
    [
      'the model and its fields, for another model',
      0,
      { pricing_model: 'flat', amounts: { flat_amount: '20' } },
      { pricing_model: 'flat', flat_amount: '20' },
    ],
    [
      'the model and one price, for a list',
      3,
      { is_listed: false, amounts: { unit_amount: '1.5' } },
      { pricing_model: 'per_unit', unit_amount: '1.5' },
    ],
    [
      'a list whole, also of one other price',
      3,
      { amounts: { unit_amount: '0.9' } },
      {
        prices: [
          { match: { model: ['large'] }, unit_amount: '2' },
          { default: true, unit_amount: '0.9' },
        ],
      },
    ],
  ];
  for (const [what, place, parts, override] of CASES)
    it(`sends ${what}`, () =>
      assert.deepEqual(sentWith(place, parts).overrides, [{ charge: place, ...override }]));

  it('filled in with a custom plan sends its prices, name and minimum again', () => {
    const charges = [{ ...CALLS, unit_amount: '0.08' }, FEE, SHARE, BY_MODEL];
    const own = { id: 'plan_2', key: null, version: null, name: 'Pro for Acme', minimum_amount: '60.00' };
    const overrides = [{ charge: 0, unit_amount: '0.08' }];
    const custom = { ...BASE, ...own, charges, based_on: 'plan_1', customer_id: 'acme', overrides };
    assert.deepEqual(bodyOf(customDraftOf(custom, BASE)!), {
      ...{ based_on: 'plan_1', name: 'Pro for Acme', minimum_amount: '60.00' },
      overrides,
    });
  });

  it('names its overrides in the order of their charges', () => {
    const { charges } = customDraftOf(BASE, BASE)!;
    const own = charges.map(({ charge }, place) => ({ is_own: place % 2 === 1, charge }));
    assert.deepEqual(placesOf(own), [null, 0, null, 1]);
  });
});
