import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decimal } from '../../../src/domain/money/decimal.ts';
import { exactAmount, isCurrency, minorDigits, toAmount } from '../../../src/domain/money/money.ts';
import { rational, rounded } from '../../support/oracles/price-oracle.ts';

describe('currencies', () => {
  const digits: [currency: string, minor_digits: number][] = [
    ['USD', 2],
    ['EUR', 2],
    ['HUF', 2],
    ['ISK', 0],
    ['JPY', 0],
    ['KRW', 0],
    ['XAF', 0],
    ['XPF', 0],
    ['XCD', 2],
    ['XCG', 2],
    ['KWD', 3],
    ['TND', 3],
    ['CLF', 4],
  ];
  for (const [currency, minor_digits] of digits) {
    it(`${currency} has ${minor_digits} minor digits`, () => {
      assert.ok(isCurrency(currency));
      assert.equal(minorDigits(currency), minor_digits);
    });
  }

  const refused: [code: string, why: string][] = [
    ['XXX', 'no currency'],
    ['XTS', 'for tests'],
    ['XAU', 'gold has no minor unit'],
    ['XAG', 'silver'],
    ['XDR', 'a unit of account without minor unit'],
    ['XSU', 'a unit of account'],
    ['XUA', 'a unit of account'],
    ['XBA', 'a bond unit'],
    ['HRK', 'withdrawn in 2023'],
    ['ANG', 'replaced by XCG in 2025'],
    ['CUC', 'withdrawn'],
    ['BGN', 'replaced by the euro in 2026'],
    ['DEM', 'withdrawn'],
    ['usd', 'not in capitals'],
    ['US', 'too short'],
    ['', 'empty'],
    ['constructor', 'a member of every object'],
  ];
  for (const [code, why] of refused) {
    it(`${JSON.stringify(code)} is refused: ${why}`, () => {
      assert.equal(isCurrency(code), false);
      assert.throws(() => minorDigits(code), /not a currency/);
    });
  }
});

describe('amounts', () => {
  const rows: [value: string, currency: string, amount: string, exact: string][] = [
    ['12.3', 'USD', '12.30', '12.30'],
    ['12', 'JPY', '12', '12'],
    ['1.234', 'KWD', '1.234', '1.234'],
    ['0.015', 'USD', '0.02', '0.015'],
    ['-0.015', 'USD', '-0.02', '-0.015'],
    ['0.0149999', 'USD', '0.01', '0.0149999'],
    ['105.025', 'USD', '105.03', '105.025'],
    ['-0.004', 'USD', '0.00', '-0.004'],
    ['-0', 'USD', '0.00', '0.00'],
    ['0.5', 'JPY', '1', '0.5'],
    ['1.5', 'JPY', '2', '1.5'],
    ['2.5', 'JPY', '3', '2.5'],
    ['0.0005', 'KWD', '0.001', '0.0005'],
    ['9.995', 'HUF', '10.00', '9.995'],
    ['10000000000000000.005', 'USD', '10000000000000000.01', '10000000000000000.005'],
  ];
  for (const [value, currency, amount, exact] of rows) {
    it(`${value} ${currency} is ${amount}, exactly ${exact}`, () => {
      assert.equal(toAmount(decimal(value), currency), amount);
      assert.equal(exactAmount(decimal(value), currency), exact);
    });
  }

  it('rounds as exact fractions do, symmetrically around zero', () => {
    const aValue = fc.tuple(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.integer({ min: 0, max: 8 }));
    fc.assert(
      fc.property(aValue, fc.constantFrom('JPY', 'USD', 'KWD', 'CLF'), ([units, scale], currency) => {
        const value = decimal(`${units}e-${scale}`);
        const amount = toAmount(value, currency);
        assert.equal(amount, rounded(rational(value.toFixed()), minorDigits(currency)));
        assert.equal(toAmount(decimal(amount), currency), amount);
      }),
    );
  });
});
