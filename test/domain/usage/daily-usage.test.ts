import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import {
  addTotals,
  divideByDay,
  type Day,
  type DayTotals,
  type UsageDay,
} from '../../../src/domain/usage/daily-usage.ts';
import type { CutOff, Span } from '../../../src/domain/time/span.ts';

/** Includes every event with a lower transaction id. */
const cutOff = (xid: number): CutOff => ({ id: `${xid}`, epoch: 2, snapshot: `${xid}:${xid + 5}:` });
const day = (place: number, hour = 0) =>
  `2026-01-${`${place}`.padStart(2, '0')}T${`${hour}`.padStart(2, '0')}:00:00.000Z`;

const TOTALS: DayTotals = { events: '3', skipped_events: 1, total: '2.5', maximum: '2' };
const MARCH = '2026-03-01T00:00:00.000Z';

const days = (place: number) => ({ starts_at: day(place), ends_at: day(place + 1) });

function rolledUp(place: number, fields: Partial<UsageDay> = {}): UsageDay {
  const stored = { first_stored_at: day(place, 1), last_stored_at: day(place, 2) };
  return {
    ...days(place),
    ...stored,
    last_epoch: 2,
    last_xid: '10',
    events: '3',
    totals: [TOTALS],
    ...fields,
  };
}

function span(fields: Partial<Span> = {}): Span {
  const bounds = { timestamp_from: day(1), timestamp_to: day(5), stored_from: null, stored_to: null };
  return { after: null, up_to: cutOff(20), ...bounds, ...fields };
}

describe('usage by days', () => {
  const january = [1, 2, 3, 4].map((place) => rolledUp(place));
  type Row = [
    what: string,
    spans: Span[],
    rolled_up: UsageDay[],
    recent: Day[],
    totals: number,
    read: Span[],
  ];
  const rows: Row[] = [
    ['whole days', [span()], january, [], 4, []],
    ['a day without events', [span()], january.slice(1), [], 3, []],
    [
      'a part of a day at each end',
      [span({ timestamp_from: day(1, 6), timestamp_to: day(4, 6) })],
      january,
      [],
      2,
      [
        span({ timestamp_from: day(1, 6), timestamp_to: day(2) }),
        span({ timestamp_from: day(4), timestamp_to: day(4, 6) }),
      ],
    ],
    [
      'two days with events that are not rolled up, read as one span',
      [span()],
      january,
      [days(3), days(2)],
      2,
      [span({ timestamp_from: day(2), timestamp_to: day(4) })],
    ],
    [
      'a day whose events are all recent',
      [span()],
      [],
      [days(2)],
      0,
      [span({ timestamp_from: day(2), timestamp_to: day(3) })],
    ],
    ['another day, with recent events only', [span()], january, [days(9)], 4, []],
    [
      'a day with an event that was stored after the cut-off',
      [span()],
      [rolledUp(1), rolledUp(2, { last_xid: '20' })],
      [],
      1,
      [span({ timestamp_from: day(2), timestamp_to: day(3) })],
    ],
    [
      'an earlier epoch, whatever its ids',
      [span()],
      [rolledUp(1, { last_epoch: 1, last_xid: '99' })],
      [],
      1,
      [],
    ],
    [
      'a later epoch',
      [span()],
      [rolledUp(1, { last_epoch: 3, last_xid: '1' })],
      [],
      0,
      [span({ timestamp_to: day(2) })],
    ],
    ['no late usage', [span({ after: cutOff(15), up_to: cutOff(20) })], january, [], 0, []],
    [
      'late usage of one day',
      [span({ after: cutOff(15), up_to: cutOff(20) })],
      [rolledUp(1), rolledUp(2, { last_xid: '16' })],
      [],
      0,
      [span({ after: cutOff(15), timestamp_from: day(2), timestamp_to: day(3) })],
    ],
    [
      'a line and its late line together',
      [span({ up_to: cutOff(15) }), span({ after: cutOff(15) })],
      [rolledUp(1), rolledUp(2, { last_xid: '16' })],
      [],
      2,
      [],
    ],
    [
      'the same two lines in reverse order',
      [span({ after: cutOff(15) }), span({ up_to: cutOff(15) })],
      [rolledUp(2, { last_xid: '16' })],
      [],
      1,
      [],
    ],
    [
      'spans with a gap between their cut-offs',
      [span({ up_to: cutOff(12) }), span({ after: cutOff(15) })],
      [rolledUp(2, { last_xid: '16' })],
      [],
      0,
      [
        span({ up_to: cutOff(12), timestamp_from: day(2), timestamp_to: day(3) }),
        span({ after: cutOff(15), timestamp_from: day(2), timestamp_to: day(3) }),
      ],
    ],
    ['a storing limit that all events meet', [span({ stored_to: MARCH })], january, [], 4, []],
    [
      'a storing limit that one event exceeds',
      [span({ stored_to: MARCH })],
      [rolledUp(1), rolledUp(2, { last_stored_at: MARCH })],
      [],
      1,
      [span({ stored_to: MARCH, timestamp_from: day(2), timestamp_to: day(3) })],
    ],
    ['usage stored too late: none', [span({ stored_from: MARCH })], january, [], 0, []],
    [
      'a charge that must read its events',
      [span()],
      january.map((known) => ({ ...known, totals: null })),
      [],
      0,
      [span()],
    ],
    ['a charge that must read its events: none', [span()], [], [], 0, []],
  ];
  for (const [what, spans, rolled_up, recent_days, totals, read] of rows) {
    it(`${what}: ${totals} by their totals, ${read.length} read`, () => {
      const divided = divideByDay(spans, { days: rolled_up, recent_days });
      assert.deepEqual([divided.days.length, divided.spans], [totals, read]);
      assert.ok(divided.days.every((complete) => rolled_up.some((one) => isDeepStrictEqual(one, complete))));
    });
  }

  it('adds sums, never below 0, and takes the maximum of all parts', () => {
    const other: DayTotals = { events: '2', skipped_events: 0, total: '-9', maximum: '-4' };
    const nothing = { quantity: null, skipped_events: 0 };
    const sums = [
      addTotals('count', { totals: [TOTALS, other], rest: { quantity: '4', skipped_events: 0 } }),
      addTotals('sum', { totals: [TOTALS, TOTALS], rest: { quantity: '0.25', skipped_events: 2 } }),
      addTotals('sum', { totals: [TOTALS, other], rest: nothing }),
      addTotals('max', { totals: [other, TOTALS], rest: { quantity: '1', skipped_events: 1 } }),
      addTotals('max', { totals: [other], rest: nothing }),
      addTotals('unique', { totals: [], rest: { quantity: '7', skipped_events: 0 } }),
      addTotals('max', { totals: [], rest: nothing }),
    ];
    assert.deepEqual(
      sums.map(({ quantity, skipped_events }) => [quantity, skipped_events]),
      [
        ['9', 1],
        ['5.25', 4],
        ['0', 1],
        ['2', 2],
        ['0', 0],
        ['7', 0],
        ['0', 0],
      ],
    );
  });
});
