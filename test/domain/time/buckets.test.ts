import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  BUCKET_LENGTHS,
  bucketDays,
  firstOfNextMonth,
  firstOfTwelveMonths,
  monthsUpTo,
} from '../../../src/domain/time/buckets.ts';

const LIMIT = 400;

describe('parts of a range of days', () => {
  const CASES: [from: string, to: string, by: 'month' | 'week' | 'day', days: string[]][] = [
    ['2026-01-31', '2026-03-02', 'month', ['2026-01-31', '2026-02-01', '2026-03-01']],
    ['2026-01-01', '2026-03-01', 'month', ['2026-01-01', '2026-02-01']],
    // 1 January 2026 is a Thursday.
    ['2026-01-01', '2026-01-13', 'week', ['2026-01-01', '2026-01-05', '2026-01-12']],
    ['2026-01-05', '2026-01-12', 'week', ['2026-01-05']],
    ['2024-02-28', '2024-03-01', 'day', ['2024-02-28', '2024-02-29']],
    ['2026-01-01', '2026-01-01', 'day', []],
    ['9999-12-30', '9999-12-31', 'month', ['9999-12-30']],
  ];
  for (const [from, to, by, days] of CASES)
    it(`of ${from} to ${to} by ${by} begin on ${days.join(', ') || 'no day'}`, () =>
      assert.deepEqual(bucketDays({ from, to }, by, LIMIT), days));

  it('begin with the range, rise, and lie in it; none is a part of two months or weeks', () => {
    const aDay = fc
      .integer({ min: 0, max: 40_000 })
      .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
    fc.assert(
      fc.property(aDay, fc.nat(380), fc.constantFrom(...BUCKET_LENGTHS), (from, length, by) => {
        const to = new Date(Date.parse(from) + length * 86_400_000).toISOString().slice(0, 10);
        const days = bucketDays({ from, to }, by, LIMIT)!;
        assert.equal(days.length === 0, length === 0);
        if (length > 0) assert.equal(days[0], from);
        for (const [place, day] of days.entries()) {
          assert.ok(day < to && (place === 0 || day > days[place - 1]!));
          if (place > 0 && by === 'month') assert.ok(day.endsWith('-01'));
          if (place > 0 && by === 'week') assert.equal(new Date(day).getUTCDay(), 1);
        }
      }),
    );
  });

  it('are at most as many as the limit', () => {
    assert.equal(bucketDays({ from: '2026-01-01', to: '2027-02-05' }, 'day', LIMIT)!.length, LIMIT);
    assert.equal(bucketDays({ from: '2026-01-01', to: '2027-02-06' }, 'day', LIMIT), null);
  });
});

describe('months', () => {
  it('twelve of them reach to a day that is not included', () => {
    assert.equal(firstOfTwelveMonths('2027-01-01'), '2026-01-01');
    assert.equal(firstOfTwelveMonths('2026-12-15'), '2026-01-01');
  });

  it('follow each other', () => {
    assert.equal(firstOfNextMonth('2026-12-31'), '2027-01-01');
    assert.deepEqual(monthsUpTo('2026-11-30', '2027-02-01'), ['2026-11-01', '2026-12-01', '2027-01-01']);
    assert.deepEqual(monthsUpTo('2027-02-10', '2027-02-01'), []);
  });
});
