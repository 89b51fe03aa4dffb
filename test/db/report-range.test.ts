import assert from 'node:assert/strict';
import {
  daysOf,
  divideByShorterParts,
  divideRange,
  rangeThatFits,
  type DividedRange,
  type Range,
} from '../../src/db/reports/report-range.ts';

const at = (day: number, time = '00:00') => `2026-01-${String(day).padStart(2, '0')}T${time}:00.000Z`;
const range = (from: string, to: string): Range => ({ from, to });

/** A range, its whole days and the parts of days that it cuts, and the range to ask for if it takes too long. */
const RANGES: [Range, DividedRange, Range | null][] = [
  [range(at(1), at(4)), { days: range(at(1), at(4)), parts: [] }, range(at(1), at(2))],
  [range(at(1), at(2)), { days: range(at(1), at(2)), parts: [] }, null],
  [
    range(at(1, '12:00'), at(3, '06:00')),
    { days: range(at(2), at(3)), parts: [range(at(1, '12:00'), at(2)), range(at(3), at(3, '06:00'))] },
    range(at(2), at(3)),
  ],
  [
    range(at(1, '12:00'), at(2, '06:00')),
    { days: null, parts: [range(at(1, '12:00'), at(2)), range(at(2), at(2, '06:00'))] },
    range(at(1), at(2)),
  ],
  [
    range(at(1, '06:00'), at(1, '12:00')),
    { days: null, parts: [range(at(1, '06:00'), at(1, '12:00'))] },
    range(at(1), at(2)),
  ],
  [range(at(1, '06:00'), at(1, '06:00')), { days: null, parts: [] }, null],
];

describe('the range of a report', () => {
  for (const [given, divided, fits] of RANGES)
    it(`${given.from} to ${given.to} is divided at midnight, and has one that fits`, () => {
      assert.deepEqual(divideRange(given), divided);
      assert.deepEqual(rangeThatFits(given), fits);
    });

  for (const [given, days, parts, less] of [
    [range(at(1), at(4)), range(at(1), at(4)), [], []],
    [
      range(at(1, '23:00'), at(3, '23:00')),
      range(at(2), at(4)),
      [range(at(1, '23:00'), at(2))],
      [range(at(3, '23:00'), at(4))],
    ],
    [
      range(at(1, '01:00'), at(2, '23:00')),
      range(at(1), at(3)),
      [],
      [range(at(1), at(1, '01:00')), range(at(2, '23:00'), at(3))],
    ],
    [
      range(at(1, '12:00'), at(2, '12:00')),
      null,
      [range(at(1, '12:00'), at(2)), range(at(2), at(2, '12:00'))],
      [],
    ],
    [range(at(1), at(1, '23:00')), range(at(1), at(2)), [], [range(at(1, '23:00'), at(2))]],
    [range(at(1, '01:00'), at(1, '23:00')), null, [range(at(1, '01:00'), at(1, '23:00'))], []],
    [range(at(1, '06:00'), at(1, '06:00')), null, [], []],
  ] as [Range, Range | null, Range[], Range[]][])
    it(`${given.from} to ${given.to} is divided by the shorter parts of its days`, () => {
      assert.deepEqual(divideByShorterParts(given), { days, parts, less });
    });

  it('touches every day of which it has an instant', () => {
    assert.deepEqual(daysOf(range(at(1, '23:59'), at(3))), [at(1), at(2)]);
    assert.deepEqual(daysOf(range(at(1), at(1))), []);
  });
});
