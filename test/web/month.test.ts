import assert from 'node:assert/strict';
import {
  daysOf,
  isMonth,
  monthBriefly,
  monthInWords,
  monthsLater,
} from '../../web/src/pages/month-end/month.ts';

describe('a month in an address of the dashboard', () => {
  const TEXTS: [text: string, is_month: boolean][] = [
    ['2026-10', true],
    ['1970-01', true],
    ['9999-12', true],
    ['1969-12', false],
    ['2026-13', false],
    ['2026-00', false],
    ['2026-1', false],
    ['2026-10-01', false],
    ['', false],
  ];
  for (const [text, is_month] of TEXTS)
    it(`"${text}" is ${is_month ? 'one' : 'none'}`, () => assert.equal(isMonth(text), is_month));

  it('has months beside it, also over the end of a year', () => {
    assert.deepEqual([monthsLater('2026-12', 1), monthsLater('2026-01', -1)], ['2027-01', '2025-12']);
  });

  it('has a first and a last day', () => {
    assert.deepEqual(daysOf('2026-10'), { from: '2026-10-01', to: '2026-10-31' });
    assert.deepEqual(daysOf('2028-02'), { from: '2028-02-01', to: '2028-02-29' });
    assert.deepEqual(daysOf('9999-12'), { from: '9999-12-01', to: '9999-12-31' });
  });

  it('has a name', () =>
    assert.deepEqual([monthInWords('2026-10'), monthBriefly('2026-10')], ['October 2026', 'Oct 2026']));
});
