import assert from 'node:assert/strict';
import { discountsOn, percentsOf, type Discount } from '../../../src/domain/pricing/discount.ts';
import { pricingOf, type Pricing } from '../../../src/domain/pricing/definitions.ts';
import { price } from '../../../src/domain/pricing/pricing.ts';
import { aCharge, WHOLE } from '../../support/ledger/plans.ts';
import { TIERS } from '../../support/ledger/tiers.ts';

const at = (day: string) => `2026-${day}T00:00:00.000Z`;
const MONTHS = ['03', '04', '05', '06'].map((month, place) => ({
  name: ['March', 'April', 'May', 'June'][place]!,
  period_start: at(`${month}-01`),
  period_end: at(`0${Number(month) + 1}-01`),
}));
const CALLS = aCharge({ id: 'chg_calls', event_name: 'call' });

const aDiscount = (parts: Partial<Discount>): Discount => ({
  ...{ discount_id: 'dis_1', name: 'Loyalty', percent: '10', amount: null, event_names: null },
  ...{ from: at('01-01'), until: null, ...parts },
});

/** billing.md 11. */
describe('a discount', () => {
  const ROWS: [from: string, until: string | null, months: string, why: string][] = [
    ['04-16', null, 'April May June', 'without an end'],
    ['04-16', '04-17', 'April', 'of a day'],
    ['05-01', '06-01', 'May', 'of a period'],
    ['04-16', '05-16', 'April May', 'over a boundary'],
    ['01-01', '04-20', 'March April', 'that has ended in a period'],
    ['04-16', '04-16', '', 'that ends as it begins'],
    ['04-01', '04-01', '', 'that ends as it begins, at a boundary'],
    ['06-30', '07-05', 'June', 'from the last day of a period'],
    ['07-01', null, '', 'from the end of a period'],
  ];
  for (const [from, until, months, why] of ROWS)
    it(`holds for the full periods that begin before its end and end after its start: ${why}`, () => {
      const discounts = [aDiscount({ from: at(from), until: until && at(until) })];
      const held = MONTHS.filter(
        (month) => discountsOn({ discounts, decided: new Map() }, CALLS, month).length > 0,
      );
      assert.equal(held.map(({ name }) => name).join(' '), months);
    });

  it('is for the charges with its event names, and for all without', () => {
    const discounts = [
      aDiscount({ discount_id: 'dis_all' }),
      aDiscount({ discount_id: 'dis_call', event_names: ['token', 'call'] }),
      aDiscount({ discount_id: 'dis_other', event_names: ['other'] }),
    ];
    const found = discountsOn({ discounts, decided: new Map() }, CALLS, MONTHS[1]!);
    assert.deepEqual(
      found.map(({ discount_id }) => discount_id),
      ['dis_all', 'dis_call'],
    );
  });

  it('is on the lines of a charge and full period as the first issued one has decided, with its name of now', () => {
    const discounts = [
      aDiscount({ discount_id: 'dis_ended', name: 'Discount', until: at('02-01') }),
      aDiscount({ discount_id: 'dis_new' }),
    ];
    const decidedAs = (ids: string[]) =>
      discountsOn({ discounts, decided: new Map([[`chg_calls ${at('04-01')}`, ids]]) }, CALLS, MONTHS[1]!);
    assert.deepEqual(decidedAs([]), []);
    assert.deepEqual(decidedAs(['dis_ended']), [
      { discount_id: 'dis_ended', name: 'Discount', percent: '10' },
    ]);
    const of_may = discountsOn(
      { discounts, decided: new Map([[`chg_calls ${at('04-01')}`, []]]) },
      CALLS,
      MONTHS[2]!,
    );
    assert.deepEqual(percentsOf(of_may), ['10']);
  });
});

describe('a price with percents', () => {
  const T = pricingOf('graduated', { tiers: TIERS });
  const VOLUME = pricingOf('volume', { tiers: TIERS });
  const CAP = pricingOf('percentage', { rate: '10', maximum_amount: '90' });
  const MINIMUM = pricingOf('percentage', { rate: '1', minimum_amount: '10' });
  const ROWS: [
    what: string,
    Pricing,
    quantity: string,
    percents: string[],
    amount: string,
    before: string,
  ][] = [
    ['T, 900', T, '900', ['10'], '81.00', '90.00'],
    ['T, 1,200', T, '1200', ['10'], '103.50', '115.00'],
    ['T by volume, 1,001', VOLUME, '1001', ['10'], '49.55', '55.05'],
    ['a percentage charge above its maximum', CAP, '5000', ['10'], '81.00', '90.00'],
    ['a percentage charge below its minimum', MINIMUM, '100', ['10'], '9.00', '10.00'],
    ['T, 900, with another of 20', T, '900', ['10', '20'], '64.80', '90.00'],
    ['T, 900, all off', T, '900', ['100'], '0.00', '90.00'],
    ['the least percent', T, '900', ['0.0001'], '90.00', '90.00'],
    [
      'a third off of 0.005',
      pricingOf('per_unit', { unit_amount: '0.0075' }),
      '1',
      ['33.3333'],
      '0.01',
      '0.01',
    ],
  ];
  for (const [what, pricing, quantity, percents, amount, amount_before] of ROWS)
    it(`${what}: ${amount}`, () => {
      const priced = price(pricing, { quantity, credit: '0', fraction: WHOLE, percents }, 'USD');
      assert.deepEqual([priced.amount, priced.amount_before], [amount, amount_before]);
    });

  it('comes after credit: T, 900 and a grant of 100 are 72.00', () => {
    const usage = { quantity: '900', credit: '100', fraction: WHOLE, percents: ['10'] };
    const { amount, amount_before } = price(T, usage, 'USD');
    assert.deepEqual([amount, amount_before], ['72.00', '80.00']);
  });

  it('has no amount without percents where there are none', () => {
    const usage = { quantity: '900', credit: '0', fraction: WHOLE, percents: [] };
    assert.equal(price(T, usage, 'USD').amount_before, null);
  });

  it('is rounded once, also of a third of an amount: 0.25 x 0.9 / 3 = 0.075', () => {
    const flat = pricingOf('flat', { flat_amount: '0.25' });
    const fraction = { numerator: '1', denominator: '3' };
    const usage = { quantity: '1', credit: '0', fraction, percents: ['10'] };
    assert.deepEqual(price(flat, usage, 'USD').amount, '0.08');
  });
});
