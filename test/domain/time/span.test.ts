import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type CutOff, type Span, withoutSpans } from '../../../src/domain/time/span.ts';

const cutOff = (place: number): CutOff => ({ id: `${place}`, epoch: 1, snapshot: '' });
const day = (place: number) => `2026-01-${`${place}`.padStart(2, '0')}T00:00:00.000Z`;

/** A half-open range on each axis; null is unbounded. */
type Box = { cut: [number | null, number]; time: [number, number]; stored: [number | null, number | null] };

const WHOLE: Box = { cut: [null, 9], time: [1, 9], stored: [null, null] };

function spanOf(box: Box): Span {
  const [after, up_to] = box.cut;
  const [stored_from, stored_to] = box.stored;
  return {
    after: after === null ? null : cutOff(after),
    up_to: cutOff(up_to),
    timestamp_from: day(box.time[0]),
    timestamp_to: day(box.time[1]),
    stored_from: stored_from === null ? null : day(stored_from),
    stored_to: stored_to === null ? null : day(stored_to),
  };
}

/** An event that is stored between the cut-offs `cut - 1` and `cut`, on the day `stored`. */
type Point = { cut: number; time: number; stored: number };

function holds(span: Span, { cut, time, stored }: Point): boolean {
  const after = span.after === null ? 0 : Number(span.after.id);
  return (
    cut > after &&
    cut <= Number(span.up_to.id) &&
    day(time) >= span.timestamp_from &&
    day(time) < span.timestamp_to &&
    (span.stored_from === null || day(stored) >= span.stored_from) &&
    (span.stored_to === null || day(stored) < span.stored_to)
  );
}

describe('the spans that no other line holds', () => {
  const rows: [held: Box[], left: Box[], why: string][] = [
    [[], [WHOLE], 'everything'],
    [[WHOLE], [], 'nothing'],
    [
      [{ ...WHOLE, cut: [null, 4] }],
      [{ ...WHOLE, cut: [4, 9] }],
      'what was stored after the cut-off of the line before',
    ],
    [
      [{ ...WHOLE, cut: [3, 5] }],
      [
        { ...WHOLE, cut: [null, 3] },
        { ...WHOLE, cut: [5, 9] },
      ],
      'both sides of a late line: an earlier invoice that is regenerated',
    ],
    [
      [{ ...WHOLE, cut: [null, 4], time: [1, 5] }],
      [
        { ...WHOLE, cut: [4, 9] },
        { ...WHOLE, cut: [null, 4], time: [5, 9] },
      ],
      'the second part of a cut period, and late usage of the first',
    ],
    [
      [{ ...WHOLE, stored: [null, 6] }],
      [{ ...WHOLE, stored: [6, null] }],
      'what was stored too late for a late line',
    ],
    [[{ ...WHOLE, time: [9, 12] }], [WHOLE], 'all of it: the other line covers other times'],
  ];
  for (const [held, left, why] of rows) {
    it(why, () => assert.deepEqual(withoutSpans(spanOf(WHOLE), held.map(spanOf)), left.map(spanOf)));
  }

  it('are, for any held spans, exactly the rest, with each event once', () => {
    const aRange = fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 4 }));
    const aBox: fc.Arbitrary<Box> = fc
      .tuple(aRange, aRange, aRange, fc.nat(3))
      .map(([cut, time, stored, open]) => ({
        cut: [cut[0] === 0 ? null : cut[0], cut[0] + cut[1]],
        time: [time[0] + 1, time[0] + 1 + time[1]],
        stored: [open % 2 === 0 ? null : stored[0] + 1, open < 2 ? null : stored[0] + 1 + stored[1]],
      }));
    fc.assert(
      fc.property(aBox, fc.array(aBox, { maxLength: 4 }), (region, held) => {
        const left = withoutSpans(spanOf(region), held.map(spanOf));
        for (const cut of [1, 3, 5, 8])
          for (const time of [1, 3, 5, 8])
            for (const stored of [1, 3, 5, 8]) {
              const point = { cut, time, stored };
              const isLeft = holds(spanOf(region), point) && !held.some((box) => holds(spanOf(box), point));
              assert.equal(left.filter((span) => holds(span, point)).length, isLeft ? 1 : 0);
            }
      }),
    );
  });
});
