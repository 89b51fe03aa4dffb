import assert from 'node:assert/strict';
import fc from 'fast-check';
import { judgedParts, type UndecidedCell } from '../../src/db/reports/judged-parts.ts';

const cell = (judgements: number, place = 0): UndecidedCell => ({
  ...{ customer_key: `${place}`, event_name: 'call', day: '2026-01-01T00:00:00.000Z' },
  judgements,
});
const shapes = (judgements: number[], judgements_max: number) =>
  judgedParts(
    judgements.map((count, place) => cell(count, place)),
    judgements_max,
  ).map(({ cells, divisor, remainder }) => [
    cells.map(({ customer_key }) => customer_key),
    divisor,
    remainder,
  ]);

describe('the parts in which events are judged', () => {
  it('are one for cells that are few', () => assert.deepEqual(shapes([3, 4], 10), [[['0', '1'], 1, 0]]));

  it('begin anew before the limit', () =>
    assert.deepEqual(shapes([6, 4, 1], 10), [
      [['0', '1'], 1, 0],
      [['2'], 1, 0],
    ]));

  it('divide a cell that is too large by the ids of its events', () =>
    assert.deepEqual(shapes([2, 21, 2], 10), [
      [['1'], 3, 0],
      [['1'], 3, 1],
      [['1'], 3, 2],
      [['0', '2'], 1, 0],
    ]));

  it('have each cell once, and no more judgements than the limit', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(50)), fc.integer({ min: 1, max: 20 }), (counts, judgements_max) => {
        const cells = counts.map(cell);
        const parts = judgedParts(cells, judgements_max);
        const shares = parts.flatMap((part) =>
          part.cells.map((of_part) => ({ of_part, share: 1 / part.divisor })),
        );
        for (const one of cells)
          assert.ok(
            Math.abs(1 - shares.reduce((sum, { of_part, share }) => sum + (of_part === one ? share : 0), 0)) <
              1e-9,
          );
        for (const { cells: together, divisor } of parts)
          assert.ok(
            together.reduce((sum, of_part) => sum + (of_part as UndecidedCell).judgements, 0) / divisor <=
              judgements_max,
          );
      }),
    ));
});
