import type { Reason } from '../../../src/domain/money/errors.ts';
import { describeBadInput, type BadRequest } from '../../support/sources/bad-input.ts';

const PATH = '/v1/pricing-plans';
const CHARGE = { event_name: 'e', unit_amount: '1' };
const PLAN = { name: 'Plan', pricing_model: 'per_unit', charges: [CHARGE] };

function plan(title: string, members: object, param: string | null, reason: Reason): BadRequest {
  const body = { ...PLAN, ...members };
  return [title, PATH, { method: 'POST', body }, 'invalid_request', param, reason];
}

/** A plan with one charge; `param` is relative to the charge. */
function charge(title: string, members: object, param: string, reason: Reason): BadRequest {
  return plan(title, { charges: [{ event_name: 'e', ...members }] }, `charges[0].${param}`, reason);
}

function tiers(title: string, bounds: readonly unknown[], param: string, reason: Reason): BadRequest {
  const list = bounds.map((up_to) => ({ up_to, unit_amount: '1' }));
  return charge(title, { pricing_model: 'graduated', tiers: list }, param, reason);
}

/** A charge with these prices. */
function prices(title: string, list: unknown, param: string, reason: Reason): BadRequest {
  return charge(title, { prices: list }, param, reason);
}

const of_model = (...values: unknown[]) => ({ match: { model: values }, unit_amount: '1' });
const DEFAULT = { default: true, unit_amount: '1' };

const packaged = (members: object) => ({
  pricing_model: 'package',
  package_size: 1,
  package_amount: '1',
  ...members,
});

describeBadInput('PL: plans', [
  ['PL1 {}', PATH, { method: 'POST', body: {} }, 'invalid_request', 'name', 'missing'],
  plan('PL1 no model anywhere', { pricing_model: undefined }, 'pricing_model', 'missing'),
  plan('PL1 null and no model', { pricing_model: null }, 'pricing_model', 'missing'),
  plan('PL1 PER_UNIT', { pricing_model: 'PER_UNIT' }, 'pricing_model', 'not_allowed'),
  plan('PL1 tiered', { pricing_model: 'tiered' }, 'pricing_model', 'not_allowed'),
  plan('PL1 1', { pricing_model: 1 }, 'pricing_model', 'wrong_type'),
  plan('PL1 an array', { pricing_model: ['flat'] }, 'pricing_model', 'wrong_type'),
  plan('PL1 a minimum of 0', { minimum_amount: '0' }, 'minimum_amount', 'out_of_range'),
  plan('PL1 a minimum below 0', { minimum_amount: '-1' }, 'minimum_amount', 'out_of_range'),
  plan('PL1 a minimum of three decimals', { minimum_amount: '1.005' }, 'minimum_amount', 'out_of_range'),
  plan('PL1 a minimum in words', { minimum_amount: 'ten' }, 'minimum_amount', 'malformed'),
  plan('PL2 no charges', { charges: undefined }, 'charges', 'missing'),
  plan('PL2 empty charges', { charges: [] }, 'charges', 'missing'),
  plan('PL2 charges null', { charges: null }, 'charges', 'missing'),
  plan('PL2 101 charges', { charges: Array(101).fill(CHARGE) }, 'charges', 'too_many'),
  plan('PL2 500,000 charges', { charges: Array(500_000).fill(0) }, 'charges', 'too_many'),
  plan('PL2 a charge that is none', { charges: [1] }, 'charges[0]', 'wrong_type'),
  charge('PL2 unit empty', { unit_amount: '1', unit_name: '' }, 'unit_name', 'missing'),
  charge('PL2 unit too long', { unit_amount: '1', unit_name: 'x'.repeat(256) }, 'unit_name', 'too_long'),
  charge('PL2 unit of two lines', { unit_amount: '1', unit_name: 'a\nb' }, 'unit_name', 'malformed'),
  charge('PL2 unit 1', { unit_amount: '1', unit_name: 1 }, 'unit_name', 'wrong_type'),
  plan('PL2 no event name', { charges: [{ unit_amount: '1' }] }, 'charges[0].event_name', 'missing'),
  plan(
    'PL2 two charges alike',
    { charges: [CHARGE, { ...CHARGE, unit_amount: '2' }] },
    'charges[1]',
    'overlapping_charges',
  ),
  plan(
    'PL2 the second is bad',
    { charges: [CHARGE, { event_name: 'f' }] },
    'charges[1].unit_amount',
    'missing',
  ),
  charge('PL3 -1', { unit_amount: -1 }, 'unit_amount', 'out_of_range'),
  charge('PL3 abc', { unit_amount: 'abc' }, 'unit_amount', 'malformed'),
  charge('PL3 exponent', { unit_amount: '1e2' }, 'unit_amount', 'malformed'),
  charge('PL3 null', { unit_amount: null }, 'unit_amount', 'missing'),
  charge('PL3 16 decimals', { unit_amount: '0.0000000000000001' }, 'unit_amount', 'out_of_range'),
  charge('PL3 1e30', { unit_amount: 1e30 }, 'unit_amount', 'out_of_range'),
  charge('PL3 16 digits', { unit_amount: '1234567890123456' }, 'unit_amount', 'out_of_range'),
  charge('PL3 a million digits', { unit_amount: '1'.repeat(1_000_000) }, 'unit_amount', 'malformed'),
  charge('PL4 no tiers', { pricing_model: 'volume' }, 'tiers', 'missing'),
  charge('PL4 empty tiers', { pricing_model: 'volume', tiers: [] }, 'tiers', 'missing'),
  tiers('PL4 unsorted', [10, 5, null], 'tiers[1].up_to', 'out_of_order'),
  tiers('PL4 equal bounds', [10, '10.0', null], 'tiers[1].up_to', 'out_of_order'),
  tiers('PL4 bound 0', [0, null], 'tiers[0].up_to', 'out_of_range'),
  tiers('PL4 bound -1', [-1, null], 'tiers[0].up_to', 'out_of_range'),
  tiers('PL4 the last is bounded', [1, 2], 'tiers[1].up_to', 'out_of_order'),
  tiers('PL4 null in the middle', [1, null, null], 'tiers[1].up_to', 'out_of_order'),
  tiers('PL4 1001 tiers', [...Array(1000).keys(), null], 'tiers', 'too_many'),
  charge(
    'PL4 no bound',
    { pricing_model: 'volume', tiers: [{ unit_amount: '1' }] },
    'tiers[0].up_to',
    'missing',
  ),
  charge(
    'PL4 a negative flat',
    { pricing_model: 'volume', tiers: [{ up_to: null, unit_amount: '1', flat_amount: '-1' }] },
    'tiers[0].flat_amount',
    'out_of_range',
  ),
  charge('PL5 size 0', packaged({ package_size: 0 }), 'package_size', 'out_of_range'),
  charge('PL5 size -1', packaged({ package_size: -1 }), 'package_size', 'out_of_range'),
  charge('PL5 no size', packaged({ package_size: undefined }), 'package_size', 'missing'),
  charge('PL5 free units -1', packaged({ free_units: '-1' }), 'free_units', 'out_of_range'),
  charge(
    'PL6 tiers on flat',
    { pricing_model: 'flat', flat_amount: '1', tiers: [{ up_to: null, unit_amount: '1' }] },
    'tiers',
    'not_allowed',
  ),
  prices('PL8 no prices', [], 'prices', 'missing'),
  prices('PL8 prices null', [null], 'prices[0]', 'wrong_type'),
  prices('PL8 201 prices', Array(201).fill(DEFAULT), 'prices', 'too_many'),
  prices('PL8 neither match nor default', [{ unit_amount: '1' }], 'prices[0].match', 'missing'),
  prices('PL8 an empty match', [{ match: {}, unit_amount: '1' }], 'prices[0].match', 'missing'),
  prices('PL8 match and default', [{ ...of_model('a'), ...DEFAULT }], 'prices[0].default', 'not_allowed'),
  prices('PL8 default false', [{ default: false, unit_amount: '1' }], 'prices[0].default', 'not_allowed'),
  prices('PL8 default first', [DEFAULT, of_model('a')], 'prices[0].default', 'out_of_order'),
  prices('PL8 two defaults', [DEFAULT, DEFAULT], 'prices[0].default', 'out_of_order'),
  prices(
    'PL8 a value twice',
    [of_model('a', 1), of_model('b', '1')],
    'prices[1].match',
    'overlapping_prices',
  ),
  prices(
    'PL8 different properties',
    [of_model('a'), { match: { region: ['eu'] }, unit_amount: '1' }],
    'prices[1].match',
    'overlapping_prices',
  ),
  prices('PL8 a value of 256 letters', [of_model('x'.repeat(256))], 'prices[0].match.model[0]', 'too_long'),
  prices('PL8 no amount', [{ match: { model: ['a'] } }], 'prices[0].unit_amount', 'missing'),
  prices('PL8 a negative amount', [{ ...DEFAULT, unit_amount: -1 }], 'prices[0].unit_amount', 'out_of_range'),
  prices('PL8 a field of another model', [{ ...DEFAULT, rate: '1' }], 'prices[0].rate', 'not_allowed'),
  prices('PL8 prices in a price', [{ ...DEFAULT, prices: [DEFAULT] }], 'prices[0].prices', 'unknown_member'),
  charge(
    'PL8 an amount beside prices',
    { unit_amount: '1', prices: [DEFAULT] },
    'unit_amount',
    'not_allowed',
  ),
  charge(
    'PL8 prices on percentage',
    {
      pricing_model: 'percentage',
      aggregation: { type: 'sum', property: 'p' },
      prices: [{ default: true, rate: '1' }],
    },
    'prices',
    'not_allowed',
  ),
  charge(
    'PL8 unordered tiers of a price',
    { pricing_model: 'volume', prices: [{ default: true, tiers: [{ up_to: '1', unit_amount: '1' }] }] },
    'prices[0].tiers[0].up_to',
    'out_of_order',
  ),
  plan(
    'PL8 1,001 prices',
    {
      charges: Array.from({ length: 6 }, (_, place) => ({
        event_name: `e${place}`,
        prices: Array.from({ length: place === 0 ? 1 : 200 }, (_value, model) => of_model(`${model}`)),
      })),
    },
    'charges',
    'too_many',
  ),
  charge('PL9 three groups', { unit_amount: '1', group_by: ['a', 'b', 'c'] }, 'group_by', 'too_many'),
  charge('PL9 no group', { unit_amount: '1', group_by: [] }, 'group_by', 'missing'),
  charge('PL9 a group twice', { unit_amount: '1', group_by: ['a', 'a'] }, 'group_by[1]', 'not_allowed'),
  charge(
    'PL9 groups of flat',
    { pricing_model: 'flat', flat_amount: '1', group_by: ['a'] },
    'group_by',
    'not_allowed',
  ),
  charge('PL6 size on per_unit', { unit_amount: '1', package_size: 1 }, 'package_size', 'not_allowed'),
  charge(
    'PL6 unit price on credit',
    { pricing_model: 'credit', unit_amount: '1' },
    'unit_amount',
    'not_allowed',
  ),
  charge('PL6 an unknown member', { unit_amount: '1', price: '1' }, 'price', 'unknown_member'),
  charge(
    'PL6 sum of nothing',
    { unit_amount: '1', aggregation: { type: 'sum' } },
    'aggregation.property',
    'missing',
  ),
  charge(
    'PL6 count of something',
    { unit_amount: '1', aggregation: { type: 'count', property: 'p' } },
    'aggregation.property',
    'not_allowed',
  ),
  charge(
    'PL6 average',
    { unit_amount: '1', aggregation: { type: 'avg' } },
    'aggregation.type',
    'not_allowed',
  ),
  charge(
    'PL6 a filter that is no list',
    { unit_amount: '1', filters: { a: 'x' } },
    'filters.a',
    'wrong_type',
  ),
  charge('PL6 an empty filter', { unit_amount: '1', filters: { a: [] } }, 'filters.a', 'missing'),
  charge('PL6 a filter of null', { unit_amount: '1', filters: { a: [null] } }, 'filters.a[0]', 'wrong_type'),
  charge(
    'PL6 101 values',
    { unit_amount: '1', filters: { a: [...Array(101).keys()] } },
    'filters.a',
    'too_many',
  ),
  plan('PL6 unknown currency', { currency: 'XYZ' }, 'currency', 'malformed'),
  plan('PL6 fortnight', { interval: 'fortnight' }, 'interval', 'not_allowed'),
  plan('PL6 count 0', { interval_count: 0 }, 'interval_count', 'out_of_range'),
  plan('PL6 count 1.5', { interval_count: 1.5 }, 'interval_count', 'wrong_type'),
  plan('PL6 count "1"', { interval_count: '1' }, 'interval_count', 'wrong_type'),
  ['PL7 unknown', `${PATH}/plan_01m7xekbfvfvkssqkvzf2w4340`, {}, 'not_found', null],
  ['PL7 PATCH', `${PATH}/plan_01m7xekbfvfvkssqkvzf2w4340`, { method: 'PATCH', body: {} }, 'not_found', null],
]);
