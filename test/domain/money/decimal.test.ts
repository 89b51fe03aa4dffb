import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type Rounding,
  canonical,
  decimal,
  divide,
  fixed,
  isDecimalText,
  max,
  min,
  sum,
} from '../../../src/domain/money/decimal.ts';

describe('decimal', () => {
  const spellings: [text: string, accepted: boolean][] = [
    ['0', true],
    ['-12.50', true],
    ['007', true],
    ['123456789012345678901234567890.000000000000000000001', true],
    ['', false],
    ['-', false],
    ['.5', false],
    ['5.', false],
    ['+5', false],
    ['1e5', false],
    ['1,000', false],
    ['0x1f', false],
    [' 1', false],
    ['1\n', false],
    ['--1', false],
    ['1.2.3', false],
    ['NaN', false],
    ['Infinity', false],
    ['١', false],
  ];
  for (const [text, accepted] of spellings) {
    it(`${JSON.stringify(text)} is ${accepted ? 'a' : 'no'} decimal`, () => {
      assert.equal(isDecimalText(text), accepted);
    });
  }

  const forms: [text: string, printed: string][] = [
    ['1000.50', '1000.5'],
    ['0.10', '0.1'],
    ['-0', '0'],
    ['-0.000', '0'],
    ['007', '7'],
    ['0.000000000000001', '0.000000000000001'],
    ['1000000000000000000000000', '1000000000000000000000000'],
  ];
  for (const [text, printed] of forms) {
    it(`${text} is printed as ${printed}`, () => assert.equal(canonical(decimal(text)), printed));
  }

  const divisions: [
    dividend: string,
    divisor: string,
    scale: number,
    rounding: Rounding,
    quotient: string,
  ][] = [
    ['1', '3', 4, 'half_away_from_zero', '0.3333'],
    ['2', '3', 4, 'half_away_from_zero', '0.6667'],
    ['1', '8', 2, 'half_away_from_zero', '0.13'],
    ['-1', '8', 2, 'half_away_from_zero', '-0.13'],
    ['539', '30', 2, 'half_away_from_zero', '17.97'],
    ['1', '1000', 0, 'away_from_zero', '1'],
    ['1000', '1000', 0, 'away_from_zero', '1'],
    ['1000.000001', '1000', 0, 'away_from_zero', '2'],
    ['0', '1000', 0, 'away_from_zero', '0'],
  ];
  for (const [dividend, divisor, scale, rounding, quotient] of divisions) {
    it(`${dividend} / ${divisor} to ${scale} decimals ${rounding} is ${quotient}`, () => {
      const division = { dividend: decimal(dividend), divisor: decimal(divisor), scale, rounding };
      assert.equal(canonical(divide(division)), quotient);
    });
  }

  it('refuses to divide by zero', () => {
    const [dividend, divisor] = [decimal('1'), decimal('0')];
    assert.throws(() => divide({ dividend, divisor, scale: 2, rounding: 'away_from_zero' }), /zero/);
  });

  it('is not affected by the settings of an earlier division', () => {
    const [dividend, divisor] = [decimal('1'), decimal('3')];
    divide({ dividend, divisor, scale: 0, rounding: 'away_from_zero' });
    assert.equal(fixed(decimal('0.001'), 2), '0.00');
  });

  it('has minimum, maximum and sum', () => {
    const [a, b] = [decimal('-0.3'), decimal('0.2')];
    assert.equal(canonical(min(a, b)), '-0.3');
    assert.equal(canonical(max(a, b)), '0.2');
    assert.equal(canonical(sum([a, b, decimal('0.1')])), '0');
    assert.equal(canonical(sum([])), '0');
  });

  it('adds exactly where doubles do not', () => {
    const anInteger = fc.bigInt(-(10n ** 30n), 10n ** 30n);
    fc.assert(
      fc.property(anInteger, anInteger, (a, b) => {
        const [x, y] = [decimal(`${a}e-15`), decimal(`${b}e-15`)];
        assert.ok(x.plus(y).eq(`${a + b}e-15`));
        assert.ok(x.times(y).eq(`${a * b}e-30`));
      }),
    );
  });
});
