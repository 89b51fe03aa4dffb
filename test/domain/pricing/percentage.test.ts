import assert from 'node:assert/strict';
import type { PricingOf } from '../../../src/domain/pricing/definitions.ts';
import { modelOf } from '../../../src/domain/pricing/definitions.ts';
import { pricingFaults } from '../../../src/domain/pricing/faults.ts';
import { creditableUnits, price } from '../../../src/domain/pricing/pricing.ts';
import { WHOLE } from '../../support/ledger/plans.ts';

type Percentage = PricingOf<'percentage'>;

const pricing = (rate: string, minimum_amount: string | null = null, maximum_amount: string | null = null) =>
  ({ pricing_model: 'percentage', rate, minimum_amount, maximum_amount }) satisfies Percentage;

describe('a percentage', () => {
  const rows: [pricing: Percentage, sum: string, exact: string, amount: string, words: string][] = [
    [pricing('2.5'), '4321', '108.025', '108.03', '2.5 % of 4321'],
    [pricing('2.5', '10'), '100', '10', '10.00', '2.5 % of 100, at least 10'],
    [pricing('2.5', '10'), '400', '10', '10.00', '2.5 % of 400'],
    [pricing('2.5', '10'), '1000', '25', '25.00', '2.5 % of 1000'],
    [pricing('2.5', '10', '20'), '1000', '20', '20.00', '2.5 % of 1000, at most 20'],
    [pricing('2.5', '10'), '0', '0', '0.00', '2.5 % of 0'],
    [pricing('0'), '1000', '0', '0.00', '0 % of 1000'],
    [pricing('100', null, '0'), '3', '0', '0.00', '100 % of 3, at most 0'],
  ];
  for (const [charge, quantity, exact_amount, amount, words] of rows) {
    it(`${words} is ${amount}`, () => {
      const priced = price(charge, { quantity, credit: '0', fraction: WHOLE, percents: [] }, 'USD');
      const amounts = { exact_amount, amount, amount_before: null };
      assert.deepEqual(priced, { billable_quantity: quantity, tiers: null, ...amounts });
      const formats = { quantity: (text: string) => text, amount: (text: string) => text };
      assert.deepEqual(modelOf(charge).calculation(quantity, formats), { exact_amount, words });
    });
  }

  it('is not covered by credit', () => assert.equal(creditableUnits(pricing('2.5'), '4321'), '0'));

  const faults: [pricing: Percentage, messages: string[]][] = [
    [pricing('100.1'), ['rate must not be above 100']],
    [pricing('-1'), ['rate must not be negative']],
    [pricing('1', '-1'), ['minimum_amount must not be negative']],
    [pricing('1', '5', '4'), ['maximum_amount must not be below minimum_amount, 5']],
    [pricing('1', '5', '5'), []],
  ];
  for (const [charge, messages] of faults)
    it(`${JSON.stringify(charge)}: ${messages.join(', ') || 'no fault'}`, () =>
      assert.deepEqual(
        pricingFaults(charge).map(({ message }) => message),
        messages,
      ));
});
