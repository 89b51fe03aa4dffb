import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { monthlyAmount } from '../../../src/domain/pricing/monthly-amount.ts';
import type { Interval } from '../../../src/domain/time/period.ts';

const flat = (flat_amount: string): { pricing: Pricing } => ({
  pricing: { pricing_model: 'flat', flat_amount },
});
const SEATS: { pricing: Pricing } = { pricing: { pricing_model: 'per_unit', unit_amount: '10' } };

/** contract.md 4, recurring revenue. */
describe('the amount of a plan a month', () => {
  const CASES: [amount: string, interval: Interval, count: number, currency: string, a_month: string][] = [
    ['1200.00', 'year', 1, 'EUR', '100.00'],
    ['1000.00', 'year', 1, 'EUR', '83.33'],
    ['1200.00', 'year', 2, 'EUR', '50.00'],
    ['49.00', 'month', 1, 'EUR', '49.00'],
    ['100.00', 'month', 3, 'EUR', '33.33'],
    ['10.00', 'week', 1, 'EUR', '43.45'], // 3650 / 84 = 43.452...
    ['10.00', 'week', 2, 'EUR', '21.73'],
    ['1.00', 'day', 1, 'EUR', '30.42'], // 365 / 12
    ['1.00', 'day', 30, 'EUR', '1.01'],
    ['1000', 'year', 1, 'JPY', '83'],
    ['10.000', 'week', 1, 'KWD', '43.452'],
  ];
  for (const [amount, interval, count, currency, a_month] of CASES)
    it(`of ${amount} ${currency} for ${count} ${interval} is ${a_month}`, () =>
      assert.equal(monthlyAmount([flat(amount)], { interval, interval_count: count, currency }), a_month));

  it('adds up the flat charges before it rounds, and leaves out all others', () => {
    const terms = { interval: 'year', interval_count: 1, currency: 'EUR' } as const;
    assert.equal(monthlyAmount([flat('100'), SEATS, flat('100')], terms), '16.67');
    assert.equal(monthlyAmount([SEATS], terms), '0.00');
    assert.equal(monthlyAmount([], terms), '0.00');
  });

  it('takes each flat charge as a whole period bills it', () => {
    const terms = { interval: 'month', interval_count: 1, currency: 'JPY' } as const;
    assert.equal(monthlyAmount([flat('0.4'), flat('0.4')], terms), '0');
    assert.equal(monthlyAmount([flat('0.5'), flat('0.5')], terms), '2');
  });
});
