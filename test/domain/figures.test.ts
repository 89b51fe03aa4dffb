import assert from 'node:assert/strict';
import { relationToAmount, differenceOf, isZero, sumOf } from '../../src/domain/figures.ts';

describe('figures', () => {
  it('adds and subtracts exactly', () => {
    assert.equal(sumOf(['100.50', '0.1', '-0.2']), '100.4');
    assert.equal(sumOf([]), '0');
    assert.equal(differenceOf('420', '50.5'), '369.5');
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
