import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import type { Fraction } from '../../../src/domain/time/period.ts';
import { creditableUnits, price } from '../../../src/domain/pricing/pricing.ts';
import { WHOLE } from '../../support/ledger/plans.ts';
import { TIERS } from '../../support/ledger/tiers.ts';

type Row = [quantity: string, credit: string, billable_quantity: string, amount: string, working: string];

/** One test per row, in USD for a full period. */
function prices(name: string, pricing: Pricing, rows: readonly Row[]): void {
  describe(name, () => {
    for (const [quantity, credit, billable_quantity, amount, working] of rows) {
      it(`${quantity} less ${credit} credit: ${amount} = ${working}`, () => {
        const priced = price(pricing, { quantity, credit, fraction: WHOLE, percents: [] }, 'USD');
        assert.deepEqual([priced.billable_quantity, priced.amount], [billable_quantity, amount]);
      });
    }
  });
}

prices('per unit at 0.0005', { pricing_model: 'per_unit', unit_amount: '0.0005' }, [
  ['30', '0', '30', '0.02', '0.015, half away from zero'],
  ['29', '0', '29', '0.01', '0.0145'],
  ['0', '0', '0', '0.00', 'nothing used'],
  [
    '100000000000000000000',
    '0',
    '100000000000000000000',
    '50000000000000000.00',
    'exact where a double would not be',
  ],
  ['1000', '970', '30', '0.02', '30 left'],
  ['1000', '1000', '0', '0.00', 'all covered'],
]);

prices('graduated T', { pricing_model: 'graduated', tiers: TIERS }, [
  ['0', '0', '0', '0.00', 'the first tier has no flat'],
  ['1000', '0', '1000', '100.00', '1,000 x 0.10'],
  ['1000.5', '0', '1000.5', '105.03', '100 + 0.5 x 0.05 + 5 = 105.025'],
  ['1001', '0', '1001', '105.05', '100 + 0.05 + 5'],
  ['10000', '0', '10000', '555.00', '100 + 9,000 x 0.05 + 5'],
  ['15000', '0', '15000', '605.00', '555 + 5,000 x 0.01'],
  ['15000', '3000', '12000', '575.00', 'rate(12,000) = 555 + 2,000 x 0.01'],
  ['15000', '15000', '0', '0.00', 'all covered'],
]);

prices('volume T', { pricing_model: 'volume', tiers: TIERS }, [
  ['0', '0', '0', '0.00', 'the first tier has no flat'],
  ['1000', '0', '1000', '100.00', '1,000 x 0.10'],
  ['1001', '0', '1001', '55.05', '1,001 x 0.05 + 5'],
  ['10000', '0', '10000', '505.00', '10,000 x 0.05 + 5'],
  ['10001', '0', '10001', '100.01', '10,001 x 0.01'],
  ['15000', '0', '15000', '150.00', '15,000 x 0.01'],
  ['10500', '600', '9900', '99.00', 'gross 10,500 picks 0.01, 9,900 are charged'],
  ['10000', '10000', '0', '5.00', 'all covered; the flat of the tier stays'],
]);

const FLAT_TIERS = [
  { up_to: '10', unit_amount: '0', flat_amount: '2' },
  { up_to: null, unit_amount: '1', flat_amount: '3' },
];
prices('graduated with a flat on the first tier', { pricing_model: 'graduated', tiers: FLAT_TIERS }, [
  ['0', '0', '0', '2.00', 'zero usage reaches the first tier, no other'],
  ['10', '0', '10', '2.00', 'the bound is inclusive'],
  ['10.001', '0', '10.001', '5.00', '2 + 3 + 0.001'],
  ['12', '12', '0', '2.00', 'all covered is zero usage'],
]);
prices('volume with a flat on the first tier', { pricing_model: 'volume', tiers: FLAT_TIERS }, [
  ['0', '0', '0', '2.00', 'zero usage reaches the first tier, no other'],
  ['10', '0', '10', '2.00', 'the bound is inclusive'],
  ['12', '0', '12', '15.00', '12 x 1 + 3'],
]);

const PACKAGES = { pricing_model: 'package', package_size: '1000', package_amount: '10' } as const;
prices('package of 1,000 at 10.00', { ...PACKAGES, free_units: '0' }, [
  ['0', '0', '0', '0.00', 'no package begun'],
  ['1', '0', '1', '10.00', 'one begun'],
  ['1000', '0', '1000', '10.00', 'one full'],
  ['1001', '0', '1001', '20.00', 'a second begun'],
  ['15001', '0', '15001', '160.00', '16 begun'],
  ['1000.000001', '0', '1000.000001', '20.00', 'a second begun by a millionth'],
  ['1200', '300', '900', '10.00', '900 are left'],
  ['1200', '100', '1100', '20.00', 'credit that saves nothing'],
  ['1200', '1200', '0', '0.00', 'all covered'],
]);
prices('package of 1,000 at 10.00 with 100 free', { ...PACKAGES, free_units: '100' }, [
  ['99', '0', '0', '0.00', 'fewer than the free units'],
  ['100', '0', '0', '0.00', 'all free'],
  ['1100', '0', '1000', '10.00', '1,000 after the free ones'],
  ['1101', '0', '1001', '20.00', '1,001 after the free ones'],
  ['1101', '1', '1000', '10.00', 'free units come off before credit'],
]);

const CREDITS = { pricing_model: 'credit', credits_per_unit: '10', overage_unit_amount: '0.002' } as const;
prices('credit, 10 a unit, 0.002 for each credit short', CREDITS, [
  ['1250', '10000', '2500', '5.00', '12,500 needed, 10,000 granted, 2,500 short'],
  ['1250', '12500', '0', '0.00', 'none short'],
  ['1250', '0', '12500', '25.00', 'all short'],
  ['0', '0', '0', '0.00', 'nothing used'],
]);
prices('credit with its defaults', { ...CREDITS, credits_per_unit: '1', overage_unit_amount: '0' }, [
  ['1250', '1000', '250', '0.00', '250 short at nothing'],
]);

describe('flat 49.00', () => {
  const rows: [fraction: Fraction, amount: string, working: string][] = [
    [WHOLE, '49.00', 'the whole'],
    [{ numerator: '11', denominator: '30' }, '17.97', '11 of 30 days: 17.9666...'],
    [{ numerator: '950400000', denominator: '2592000000' }, '17.97', 'the same in milliseconds'],
    [{ numerator: '1', denominator: '2592000000' }, '0.00', 'one millisecond of April'],
    [{ numerator: '1', denominator: '9800' }, '0.01', '0.005 exactly: half away from zero'],
    [{ numerator: '100000000000', denominator: '980000000000001' }, '0.00', 'just below 0.005'],
    [{ numerator: '100000000001', denominator: '980000000000001' }, '0.01', 'just above 0.005'],
  ];
  for (const [fraction, amount, working] of rows) {
    it(`${fraction.numerator}/${fraction.denominator} is ${amount}: ${working}`, () => {
      const priced = price(
        { pricing_model: 'flat', flat_amount: '49' },
        { quantity: '1', credit: '0', fraction, percents: [] },
        'USD',
      );
      assert.deepEqual([priced.billable_quantity, priced.tiers, priced.amount], ['1', null, amount]);
    });
  }
});

describe('creditable units', () => {
  const rows: [pricing: Pricing, quantity: string, creditable: string, why: string][] = [
    [{ pricing_model: 'flat', flat_amount: '49' }, '1', '0', 'credit is for usage'],
    [{ pricing_model: 'per_unit', unit_amount: '1' }, '1000.50', '1000.5', 'all of it'],
    [{ pricing_model: 'graduated', tiers: TIERS }, '15000', '15000', 'all of it'],
    [{ pricing_model: 'volume', tiers: TIERS }, '15000', '15000', 'all of it'],
    [{ ...PACKAGES, free_units: '100' }, '1200', '1100', 'less the free ones'],
    [{ ...PACKAGES, free_units: '100' }, '99', '0', 'never below zero'],
    [CREDITS, '1250', '12500', 'ten credits each'],
  ];
  for (const [pricing, quantity, creditable, why] of rows) {
    it(`${quantity} on ${pricing.pricing_model}: ${creditable} (${why})`, () => {
      assert.equal(creditableUnits(pricing, quantity), creditable);
    });
  }
});

describe('tiers inside a line', () => {
  const tiersOf = (
    pricing_model: 'graduated' | 'volume',
    quantity: string,
    credit: string,
    currency = 'USD',
  ) =>
    price({ pricing_model, tiers: TIERS }, { quantity, credit, fraction: WHOLE, percents: [] }, currency)
      .tiers;
  const [first, second, third] = TIERS.map((tier, index) => ({
    ...tier,
    flat_amount: index === 1 ? '5.00' : '0.00',
  }));

  it('graduated shows each tier reached, exactly', () => {
    assert.deepEqual(tiersOf('graduated', '15000', '0'), [
      { ...first, quantity: '1000', amount: '100.00' },
      { ...second, quantity: '9000', amount: '455.00' },
      { ...third, quantity: '5000', amount: '50.00' },
    ]);
    assert.deepEqual(tiersOf('graduated', '1000.5', '0'), [
      { ...first, quantity: '1000', amount: '100.00' },
      { ...second, quantity: '0.5', amount: '5.025' },
    ]);
  });

  it('graduated shows the first tier at zero usage', () => {
    assert.deepEqual(tiersOf('graduated', '0', '0'), [{ ...first, quantity: '0', amount: '0.00' }]);
  });

  it('volume shows the tier that applies, with the units charged', () => {
    assert.deepEqual(tiersOf('volume', '10500', '600'), [{ ...third, quantity: '9900', amount: '99.00' }]);
  });

  it('have at least the minor digits of the currency', () => {
    assert.equal(tiersOf('volume', '1001', '0', 'JPY')?.[0]?.amount, '55.05');
    assert.equal(tiersOf('volume', '1000', '0', 'JPY')?.[0]?.amount, '100');
    assert.equal(tiersOf('volume', '1001', '0', 'KWD')?.[0]?.amount, '55.050');
  });
});

describe('the one rounding of a line', () => {
  const rows: [quantity: string, currency: string, amount: string][] = [
    ['100.5', 'JPY', '101'],
    ['100.4', 'JPY', '100'],
    ['1.0005', 'KWD', '1.001'],
    ['1.005', 'HUF', '1.01'],
    ['1.005', 'USD', '1.01'],
  ];
  for (const [quantity, currency, amount] of rows) {
    it(`${quantity} x 1 ${currency} is ${amount}`, () => {
      const usage = { quantity, credit: '0', fraction: WHOLE, percents: [] };
      assert.equal(price({ pricing_model: 'per_unit', unit_amount: '1' }, usage, currency).amount, amount);
    });
  }

  it('is applied to the sum, not to the tiers: 0.333 + 0.333 is 0.67, not 0.33 + 0.33', () => {
    const tiers = ['1', null].map((up_to) => ({ up_to, unit_amount: '0.333', flat_amount: null }));
    const priced = price(
      { pricing_model: 'graduated', tiers },
      { quantity: '2', credit: '0', fraction: WHOLE, percents: [] },
      'USD',
    );
    assert.deepEqual([priced.exact_amount, priced.amount], ['0.666', '0.67']);
  });
});

describe('what is billed in parts', () => {
  it('costs the rate of the full period less the earlier parts: on T 900 then 300 are 90.00 and 25.00', () => {
    const rate = (quantity: string) =>
      price(
        { pricing_model: 'graduated', tiers: TIERS },
        { quantity, credit: '0', fraction: WHOLE, percents: [] },
        'USD',
      ).amount;
    assert.deepEqual([rate('900'), rate('1200'), rate('1400')], ['90.00', '115.00', '125.00']);
  });
});
