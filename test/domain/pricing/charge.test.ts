import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type Aggregation,
  type Charge,
  type Filters,
  overlappingCharges,
} from '../../../src/domain/pricing/charge.ts';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { pricingFaults } from '../../../src/domain/pricing/faults.ts';
import type { Tier } from '../../../src/domain/pricing/tiers.ts';
import { aCharge, aPricing } from '../../support/ledger/plans.ts';
import { TIERS } from '../../support/ledger/tiers.ts';

const tier = (up_to: string | null, unit_amount = '1', flat_amount: string | null = null): Tier => ({
  up_to,
  unit_amount,
  flat_amount,
});

describe('faults of a pricing', () => {
  const tiered: [tiers: Tier[], faults: string[]][] = [
    [[...TIERS], []],
    [[tier(null)], []],
    [[tier('0.5'), tier(null)], []],
    [[], ['out_of_range: tiers must not be empty']],
    [[tier('10')], ['out_of_order: tiers[0].up_to must be null, because the last tier has no upper limit']],
    [[tier(null), tier(null)], ['out_of_order: tiers[0].up_to must not be null before the last tier']],
    [[tier('10'), tier('10'), tier(null)], ['out_of_order: tiers[1].up_to must be above 10']],
    [[tier('10'), tier('9.99'), tier(null)], ['out_of_order: tiers[1].up_to must be above 10']],
    [[tier('9'), tier('10'), tier(null)], []],
    [[tier('0'), tier(null)], ['out_of_range: tiers[0].up_to must be above 0']],
    [[tier('10'), tier('-5'), tier(null)], ['out_of_range: tiers[1].up_to must be above 0']],
    [[tier(null, '-0.01')], ['out_of_range: tiers[0].unit_amount must not be negative']],
    [[tier(null, '0', '-1')], ['out_of_range: tiers[0].flat_amount must not be negative']],
    [
      [tier('-1', '-1'), tier('5', '1', '-1')],
      [
        'out_of_range: tiers[0].up_to must be above 0',
        'out_of_range: tiers[0].unit_amount must not be negative',
        'out_of_order: tiers[1].up_to must be null, because the last tier has no upper limit',
        'out_of_range: tiers[1].flat_amount must not be negative',
      ],
    ],
  ];
  for (const pricing_model of ['graduated', 'volume'] as const) {
    for (const [tiers, expected] of tiered) {
      it(`${pricing_model} ${JSON.stringify(tiers.map(({ up_to }) => up_to))}: ${expected.join('; ') || 'none'}`, () => {
        const faults = pricingFaults({ pricing_model, tiers });
        assert.deepEqual(
          faults.map(({ reason, message }) => `${reason}: ${message}`),
          expected,
        );
        for (const { param, message } of faults) assert.ok(message.startsWith(`${param} `));
      });
    }
  }

  const plain: [pricing: Pricing, params: string[]][] = [
    [{ pricing_model: 'flat', flat_amount: '0' }, []],
    [{ pricing_model: 'flat', flat_amount: '-1' }, ['flat_amount']],
    [{ pricing_model: 'per_unit', unit_amount: '-0.000000000000001' }, ['unit_amount']],
    [{ pricing_model: 'package', package_size: '0', package_amount: '0', free_units: '0' }, ['package_size']],
    [{ pricing_model: 'package', package_size: '0.5', package_amount: '1', free_units: '0' }, []],
    [
      { pricing_model: 'package', package_size: '-1', package_amount: '-1', free_units: '-1' },
      ['package_size', 'package_amount', 'free_units'],
    ],
    [{ pricing_model: 'credit', credits_per_unit: '0', overage_unit_amount: '0' }, []],
    [
      { pricing_model: 'credit', credits_per_unit: '-1', overage_unit_amount: '-1' },
      ['credits_per_unit', 'overage_unit_amount'],
    ],
  ];
  for (const [pricing, params] of plain) {
    it(`${JSON.stringify(pricing)}: ${params.join(', ') || 'none'}`, () => {
      const faults = pricingFaults(pricing);
      assert.deepEqual(
        faults.map(({ param, reason }) => [param, reason]),
        params.map((param) => [param, 'out_of_range']),
      );
    });
  }

  it('do not occur in the random pricings of other tests', () => {
    fc.assert(fc.property(aPricing(), (pricing) => assert.deepEqual(pricingFaults(pricing), [])));
  });
});

describe('overlapping charges', () => {
  const filtered = (filters: Filters | null) => aCharge({ filters });
  const read = (aggregation: Aggregation) => aCharge({ aggregation });
  const flat = aCharge({ pricing: { pricing_model: 'flat', flat_amount: '1' } });
  const rows: [what: string, charges: Charge[], expected: [number, number] | null][] = [
    ['none', [], null],
    ['one', [aCharge()], null],
    ['another event name', [aCharge(), aCharge({ event_name: 'login' })], null],
    [
      'another price only',
      [aCharge(), aCharge({ pricing: { pricing_model: 'volume', tiers: TIERS } })],
      [0, 1],
    ],
    ['flat ones beside each other and beside usage', [flat, aCharge(), flat], null],
    [
      'the first pair of two',
      [aCharge({ event_name: 'a' }), aCharge(), aCharge({ event_name: 'a' }), aCharge()],
      [0, 2],
    ],
    ['another property', [read({ type: 'sum', property: 'a' }), read({ type: 'sum', property: 'b' })], null],
    ['another type', [read({ type: 'sum', property: 'a' }), read({ type: 'max', property: 'a' })], null],
    [
      'the same property',
      [read({ type: 'max', property: 'a' }), read({ type: 'max', property: 'a' })],
      [0, 1],
    ],
    ['no filter and an empty one', [filtered(null), filtered({})], [0, 1]],
    ['a filter and none', [filtered({ region: ['eu'] }), filtered(null)], null],
    [
      'values in another order',
      [filtered({ region: ['eu', 'us'] }), filtered({ region: ['us', 'eu'] })],
      [0, 1],
    ],
    ['a value twice', [filtered({ region: ['eu', 'eu'] }), filtered({ region: ['eu'] })], [0, 1]],
    ['values equal as text', [filtered({ n: [1, true] }), filtered({ n: ['true', '1'] })], [0, 1]],
    [
      'a number by its digits',
      [filtered({ n: [1e21] }), filtered({ n: ['1000000000000000000000'] })],
      [0, 1],
    ],
    [
      'filters in another order',
      [filtered({ a: ['1'], b: ['2'] }), filtered({ b: ['2'], a: ['1'] })],
      [0, 1],
    ],
    ['more values', [filtered({ region: ['eu'] }), filtered({ region: ['eu', 'us'] })], null],
    ['values that only join alike', [filtered({ a: ['b,c'] }), filtered({ a: ['b', 'c'] })], null],
  ];
  for (const [what, charges, expected] of rows) {
    it(`${what}: ${expected?.join(' and ') ?? 'no overlap'}`, () => {
      assert.deepEqual(overlappingCharges(charges), expected);
    });
  }
});
