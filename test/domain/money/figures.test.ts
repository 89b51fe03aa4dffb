import assert from 'node:assert/strict';
import {
  relationToAmount,
  differenceOf,
  exactInDecimalsOf,
  isAbove,
  isZero,
  leftOf,
  sumOf,
  totalOf,
} from '../../../src/domain/money/figures.ts';

describe('figures', () => {
  it('adds and subtracts exactly', () => {
    assert.equal(sumOf(['100.50', '0.1', '-0.2']), '100.4');
    assert.equal(sumOf([]), '0');
    assert.equal(differenceOf('420', '50.5'), '369.5');
  });

  it('the total of amounts has their decimals', () => {
    assert.equal(totalOf(['58.80', '0.20']), '59.00');
    assert.equal(totalOf(['500', '-1']), '499');
    assert.equal(totalOf(['0.000']), '0.000');
  });

  it('a price has the decimals of an amount at least, and is never rounded', () => {
    assert.equal(exactInDecimalsOf('0.00', '0.1'), '0.10');
    assert.equal(exactInDecimalsOf('0.00', '49'), '49.00');
    assert.equal(exactInDecimalsOf('12.50', '0.000025'), '0.000025');
    assert.equal(exactInDecimalsOf('500', '3'), '3');
  });

  it('what is left of an amount has the decimals of the amount', () => {
    assert.equal(leftOf('68.33', '0.03'), '68.30');
    assert.equal(leftOf('68.33', '68.33'), '0.00');
    assert.equal(leftOf('500', '1'), '499');
    assert.equal(leftOf('-3.50', '0'), '-3.50');
  });

  it('only a decimal can be above a limit', () => {
    const texts = ['7.01', '10', '7.00', '7', '6.99', '', 'all', '1e9', '7.'];
    assert.deepEqual(
      texts.filter((text) => isAbove(text, '7.00')),
      ['7.01', '10'],
    );
  });

  const comparisons: [exact: string, amount: string, outcome: ReturnType<typeof relationToAmount>][] = [
    ['153', '153.00', 'equal'],
    ['0.0225', '0.02', 'rounded'],
    ['0.025', '0.03', 'rounded'],
    ['0.025', '0.02', 'other'],
    ['0.5', '1', 'rounded'],
    ['30', '25.00', 'other'],
    ['-0.004', '0.00', 'rounded'],
  ];
  for (const [exact, amount, outcome] of comparisons) {
    it(`${exact} against ${amount}: ${outcome}`, () =>
      assert.equal(relationToAmount(exact, amount), outcome));
  }

  it('recognizes zero in every spelling', () => {
    assert.deepEqual(['0', '0.00', '-0.0', '0.01'].map(isZero), [true, true, true, false]);
  });
});
