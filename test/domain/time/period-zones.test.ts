import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type Schedule,
  boundary,
  countPeriodEnds,
  firstPeriod,
  fractionOf,
  periodAfter,
  periodAt,
} from '../../../src/domain/time/period.ts';
import { startOfDay } from '../../../src/domain/time/local-time.ts';
import { price } from '../../../src/domain/pricing/pricing.ts';
import { aSchedule } from '../../support/ledger/schedules.ts';
import { instantAt, localAt, stretchesOf, zonedBoundary } from '../../support/oracles/zone-oracle.ts';
import { oracleBoundary } from '../../support/oracles/calendar-oracle.ts';

/** A schedule whose start and anchor are local times, such as 2026-03-29T00:00. */
function inZone(timezone: string, { start, ...parts }: { start: string } & Partial<Schedule>): Schedule {
  return aSchedule({ timezone, start_date: instantAt(timezone, `${start}Z`), ...parts });
}

/** The first boundaries after the start. */
const endsOf = (schedule: Schedule, count: number) => {
  const ends = [firstPeriod(schedule).period_end];
  while (ends.length < count) ends.push(periodAfter(schedule, ends.at(-1)!).period_end);
  return ends;
};

describe('periods in a time zone', () => {
  it('March 2026 in Berlin runs from 2026-02-28T23:00:00Z to 2026-03-31T22:00:00Z, 743 hours', () => {
    const march = firstPeriod(inZone('Europe/Berlin', { start: '2026-03-01T00:00' }));
    assert.deepEqual(
      [march.period_start, march.period_end],
      ['2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
    );
    assert.equal(fractionOf(march).denominator, `${743 * 3_600_000}`);
  });

  it('10.00 flat from 29 March 2026 in Berlin is 71 / 743 x 10.00 = 0.96', () => {
    const billing_anchor = instantAt('Europe/Berlin', '2026-03-01T00:00Z');
    const part = firstPeriod(inZone('Europe/Berlin', { start: '2026-03-29T00:00', billing_anchor }));
    const fraction = fractionOf(part);
    assert.deepEqual(fraction, { numerator: `${71 * 3_600_000}`, denominator: `${743 * 3_600_000}` });
    const pricing = { pricing_model: 'flat', flat_amount: '10.00' } as const;
    assert.equal(
      price(pricing, { quantity: '1', credit: '0', fraction, percents: [] }, 'USD').amount,
      '0.96',
    );
  });

  it('in New York the period of 31 March 23:59 ends at 2026-04-01T04:00:00Z', () => {
    const schedule = inZone('America/New_York', { start: '2026-01-01T00:00' });
    const instant = instantAt('America/New_York', '2026-03-31T23:59Z');
    assert.equal(periodAt(schedule, instant)?.period_end, '2026-04-01T04:00:00.000Z');
  });

  const ENDS: [what: string, schedule: Schedule, ends: string[]][] = [
    [
      'on the last day of each month, local days',
      inZone('Asia/Tokyo', { start: '2026-01-31T00:00' }),
      ['2026-02-27T15:00:00.000Z', '2026-03-30T15:00:00.000Z', '2026-04-29T15:00:00.000Z'],
    ],
    [
      'an hour later where the clocks skip the time of day',
      inZone('Europe/Berlin', { start: '2026-03-28T02:30', interval: 'day' }),
      ['2026-03-29T01:30:00.000Z', '2026-03-30T00:30:00.000Z'],
    ],
    [
      'at the first of two equal local times',
      inZone('Europe/Berlin', { start: '2026-10-24T02:30', interval: 'day' }),
      ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
    ],
    [
      'half an hour later in a gap of half an hour',
      inZone('Australia/Lord_Howe', { start: '2026-10-03T02:15', interval: 'day' }),
      ['2026-10-03T15:45:00.000Z', '2026-10-04T15:15:00.000Z'],
    ],
    [
      'at 1:00 where midnight is skipped, and at midnight again afterwards',
      inZone('America/Sao_Paulo', { start: '2018-10-28T00:00', interval: 'week' }),
      ['2018-11-04T03:00:00.000Z', '2018-11-11T02:00:00.000Z'],
    ],
    [
      'with the next day where a day is skipped: no period is empty',
      inZone('Pacific/Apia', { start: '2011-12-28T12:00', interval: 'day' }),
      ['2011-12-29T22:00:00.000Z', '2011-12-30T22:00:00.000Z', '2011-12-31T22:00:00.000Z'],
    ],
    [
      'an anchor at the second of two equal local times is kept; the next boundary is a day of 24 hours later',
      aSchedule({ timezone: 'Europe/Berlin', start_date: '2026-10-25T01:30:00.000Z', interval: 'day' }),
      ['2026-10-26T01:30:00.000Z', '2026-10-27T01:30:00.000Z'],
    ],
    [
      'at midnight, counted from a day without a midnight',
      aSchedule({
        ...{ timezone: 'America/Santiago', start_date: '2026-09-06T04:00:00.000Z' },
        anchor_is_day: true,
      }),
      ['2026-10-06T03:00:00.000Z', '2026-11-06T03:00:00.000Z'],
    ],
    [
      'at 1:00, counted from the instant at which that day begins',
      aSchedule({ timezone: 'America/Santiago', start_date: '2026-09-06T04:00:00.000Z' }),
      ['2026-10-06T04:00:00.000Z', '2026-11-06T04:00:00.000Z'],
    ],
    [
      'at midnight, counted from a billing anchor on a day without a midnight',
      aSchedule({
        ...{ timezone: 'America/Santiago', start_date: '2026-08-20T12:00:00.000Z' },
        ...{ billing_anchor: '2026-09-06T04:00:00.000Z', anchor_is_day: true },
      }),
      ['2026-09-06T04:00:00.000Z', '2026-10-06T03:00:00.000Z'],
    ],
    [
      'an interval does not drift over years',
      inZone('Europe/Berlin', { start: '2024-02-29T00:00', interval: 'year' }),
      [
        '2025-02-27T23:00:00.000Z',
        '2026-02-27T23:00:00.000Z',
        '2027-02-27T23:00:00.000Z',
        '2028-02-28T23:00:00.000Z',
      ],
    ],
  ];
  for (const [what, schedule, ends] of ENDS)
    it(`end ${what}`, () => {
      assert.deepEqual(endsOf(schedule, ends.length), ends);
      const [after, up_to] = [schedule.start_date, ends.at(-1)!];
      assert.equal(countPeriodEnds(schedule, { after, up_to, limit: 100 }), ends.length);
    });

  it('end with the year 9999, in zones behind UTC too', () => {
    const schedule = inZone('America/New_York', {
      start: '2026-01-01T00:00',
      interval: 'year',
      interval_count: 7974,
    });
    assert.equal(boundary(schedule, 1), '9999-12-31T23:59:59.999Z');
    assert.equal(periodAt(schedule, '9999-12-31T23:59:59.999Z')?.period_start, '9999-12-31T23:59:59.999Z');
  });
});

const ZONES = [
  ...['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Australia/Lord_Howe', 'America/St_Johns'],
  ...[
    'Africa/Casablanca',
    'Pacific/Apia',
    'Asia/Kathmandu',
    'America/Sao_Paulo',
    'Asia/Beirut',
    'America/Havana',
  ],
];
const HALF_HOUR_MS = 1_800_000;

const later = (instant: string, milliseconds: number) =>
  new Date(Date.parse(instant) + milliseconds).toISOString();

/** A schedule with an anchor some intervals from a clock change, close to its time of day, and instants near the change. */
const aCase = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    change: fc.nat(),
    near: fc.integer({ min: -5, max: 5 }),
    from_change: fc.array(fc.tuple(fc.integer({ min: -75, max: 75 }), fc.integer({ min: -1, max: 1 })), {
      minLength: 4,
      maxLength: 4,
    }),
    interval: fc.constantFrom(
      'day' as const,
      'day' as const,
      'week' as const,
      'month' as const,
      'year' as const,
    ),
    interval_count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 2 })),
    intervals: fc.integer({ min: -1, max: 1 }),
    is_late_anchor: fc.boolean(),
  })
  .map(({ zone, change, near, from_change, interval, interval_count, intervals, is_late_anchor }) => {
    // Boundaries years before and after these changes are still in the oracle's table.
    const changes = stretchesOf(zone).filter(
      ({ from }) => Date.UTC(2011, 10) < from && from < Date.UTC(2027, 0),
    );
    const at = changes.length === 0 ? Date.UTC(2026, 2) : changes[change % changes.length]!.from;
    const around = new Date(at + near * HALF_HOUR_MS).toISOString();
    const local = oracleBoundary(localAt(zone, around), interval, -intervals * interval_count);
    const anchor = intervals === 0 ? around : instantAt(zone, local);
    const start_date = later(anchor, -90 * 86_400_000);
    const schedule = aSchedule({
      ...{ timezone: zone, interval, interval_count },
      ...(is_late_anchor ? { start_date, billing_anchor: anchor } : { start_date: anchor }),
    });
    const instants = from_change.map(([steps, ms]) => new Date(at + steps * HALF_HOUR_MS + ms).toISOString());
    return { schedule, anchor, instants };
  });

/** The different boundaries of the oracle from the start on, up to some days after the last of the instants. */
function oracleBoundaries({
  schedule,
  anchor,
  instants,
}: {
  schedule: Schedule;
  anchor: string;
  instants: string[];
}) {
  const { timezone, interval, interval_count } = schedule;
  const boundaries: string[] = [];
  const last = instants.toSorted().at(-1)!;
  let n = 0;
  const at = (index: number) => zonedBoundary(timezone, anchor, interval, index * interval_count);
  while (at(n) > schedule.start_date) n -= 1;
  for (; ; n += 1) {
    if (boundaries.at(-1) !== at(n)) boundaries.push(at(n));
    if (boundaries.at(-1)! > last) return boundaries;
  }
}

describe('any schedule in a time zone', () => {
  it('has the boundaries of an oracle that counts days and reads offsets from a table', () => {
    fc.assert(
      fc.property(aCase, ({ schedule, anchor }) => {
        const { timezone, interval, interval_count } = schedule;
        for (let n = -2; n <= 4; n += 1)
          assert.equal(boundary(schedule, n), zonedBoundary(timezone, anchor, interval, n * interval_count));
      }),
      { numRuns: 100 },
    );
  });

  it('has midnights as boundaries where its anchor is a day, by the same oracle', () => {
    fc.assert(
      fc.property(aCase, ({ schedule: { billing_anchor: _, ...schedule }, anchor }) => {
        const { timezone, interval, interval_count } = schedule;
        const day = localAt(timezone, anchor).slice(0, 10);
        const by_day = {
          ...{ ...schedule, start_date: startOfDay(day, timezone) },
          ...{ billing_anchor: null, anchor_is_day: true },
        };
        assert.equal(boundary(by_day, 0), by_day.start_date);
        for (const n of [-2, -1, 1, 2, 3, 4])
          assert.equal(
            boundary(by_day, n),
            instantAt(timezone, oracleBoundary(`${day}T00:00:00.000Z`, interval, n * interval_count)),
          );
        assert.equal(periodAt(by_day, by_day.start_date)?.period_end, boundary(by_day, 1));
      }),
      { numRuns: 100 },
    );
  });

  it('finds the period of each instant near a clock change', () => {
    let periods = 0;
    fc.assert(
      fc.property(aCase, (drawn) => {
        const { schedule, instants } = drawn;
        const boundaries = oracleBoundaries(drawn);
        for (const instant of instants) {
          const period = periodAt(schedule, instant);
          if (instant < schedule.start_date) {
            assert.equal(period, null);
            continue;
          }
          const place = boundaries.findLastIndex((each) => each <= instant);
          periods += 1;
          const [interval_start, interval_end] = [boundaries[place]!, boundaries[place + 1]!];
          const period_start = interval_start < schedule.start_date ? schedule.start_date : interval_start;
          assert.deepEqual(period, {
            ...{ kind: 'billing', period_start, period_end: interval_end },
            ...{ interval_start, interval_end },
          });
          assert.deepEqual(periodAfter(schedule, period_start), period);
        }
      }),
      { numRuns: 100 },
    );
    assert.ok(periods > 200, `${periods}`);
  });

  it('counts the period ends near a clock change', () => {
    fc.assert(
      fc.property(aCase, (drawn) => {
        const { schedule, instants } = drawn;
        const ends = oracleBoundaries(drawn).filter((each) => each > schedule.start_date);
        const [after, up_to] = instants.toSorted() as [string, string];
        const expected = ends.filter((end) => after < end && end <= up_to).length;
        assert.equal(countPeriodEnds(schedule, { after, up_to, limit: 100 }), expected);
        assert.equal(countPeriodEnds(schedule, { after, up_to, limit: 1 }), Math.min(expected, 2));
        const all = ends.filter((end) => end <= up_to).length;
        const from_the_start = { after: schedule.start_date, up_to, limit: 10_000 };
        assert.equal(countPeriodEnds(schedule, from_the_start), all);
      }),
      { numRuns: 100 },
    );
  });
});
