import assert from 'node:assert/strict';
import fc from 'fast-check';
import { amountOfMinor, isChargeable, minorAmountOf } from '../../../src/domain/collection/minor-amount.ts';

describe('amounts of a provider', () => {
  const exact: [amount: string, currency: string, minor: string][] = [
    ['12.00', 'EUR', '1200'],
    ['1200', 'JPY', '1200'],
    ['0.50', 'USD', '50'],
    ['5', 'ISK', '500'],
    ['5', 'UGX', '500'],
    ['12.00', 'MGA', '12'],
    ['1.230', 'KWD', '1230'],
    ['175.00', 'HUF', '17500'],
    ['10.45', 'TWD', '1045'],
    ['123456789012.34', 'EUR', '12345678901234'],
  ];
  for (const [amount, currency, minor] of exact) {
    it(`${amount} ${currency} are ${minor} smallest units, and back`, () => {
      assert.equal(minorAmountOf(amount, currency), minor);
      assert.equal(amountOfMinor(minor, currency), amount);
    });
  }

  const inexact: [amount: string, currency: string, why: string][] = [
    ['1.234', 'KWD', 'the last of three digits must be 0'],
    ['12.30', 'MGA', 'the provider knows whole ariary'],
    ['1.0000', 'CLF', 'no provider has four digits'],
  ];
  for (const [amount, currency, why] of inexact) {
    it(`${amount} ${currency} are no number of smallest units: ${why}`, () => {
      assert.equal(minorAmountOf(amount, currency), null);
      assert.equal(isChargeable(amount, currency), false);
    });
  }

  const edges: [least: string, below: string, currency: string][] = [
    ['0.50', '0.49', 'EUR'],
    ['0.30', '0.29', 'GBP'],
    ['0.30', '0.20', 'GBP'],
    ['50', '49', 'JPY'],
    ['15.00', '14.99', 'CZK'],
    ['175.00', '174.99', 'HUF'],
    ['0.010', '0.000', 'KWD'],
    ['0.01', '0.00', 'ZAR'],
  ];
  for (const [least, below, currency] of edges) {
    it(`${least} ${currency} are charged, ${below} ${currency} are not`, () => {
      assert.equal(isChargeable(least, currency), true);
      assert.equal(isChargeable(below, currency), false);
    });
  }

  it('a charge comes back as the amount that it was', () => {
    const amounts = fc.tuple(
      fc.constantFrom('EUR', 'JPY', 'KWD', 'ISK', 'UGX', 'MGA', 'HUF'),
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
    );
    fc.assert(
      fc.property(amounts, ([currency, units]) => {
        const amount = amountOfMinor(`${units}00`, currency);
        assert.equal(minorAmountOf(amount, currency), `${units}00`);
      }),
    );
  });
});
