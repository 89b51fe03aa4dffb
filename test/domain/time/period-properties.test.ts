import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type Interval,
  type Period,
  type Schedule,
  boundary,
  countPeriodEnds,
  firstPeriod,
  periodAfter,
  periodAt,
} from '../../../src/domain/time/period.ts';
import { dateText, isLeap, oracleBoundary } from '../../support/oracles/calendar-oracle.ts';
import { aSchedule, anInstant, anySchedule, midnight } from '../../support/ledger/schedules.ts';

function periodsOf(schedule: Schedule, count: number): Period[] {
  const periods = [firstPeriod(schedule)];
  while (periods.length < count) periods.push(periodAfter(schedule, periods.at(-1)!.period_end));
  return periods;
}

/** Period ends in (after, up_to] by the oracle's calendar, one by one. */
function oracleEnds(schedule: Schedule, after: string, up_to: string): string[] {
  const { interval, interval_count, start_date, trial_end_date, billing_anchor } = schedule;
  const begin = trial_end_date ?? start_date;
  const ends = trial_end_date === null ? [] : [trial_end_date];
  // The tests have no anchor after the begin.
  for (let n = 0; ; n += 1) {
    const end = oracleBoundary(billing_anchor ?? begin, interval, n * interval_count);
    if (end > up_to) break;
    if (end > begin) ends.push(end);
  }
  return ends.filter((end) => after < end && end <= up_to);
}

describe('any schedule', () => {
  it('has periods in order, without gap or overlap, that hold each instant once', () => {
    const aThousandth = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(anySchedule, aThousandth, (schedule, thousandths) => {
        const periods = periodsOf(schedule, 5);
        assert.equal(periods[0]!.period_start, schedule.start_date);
        for (const [place, period] of periods.entries()) {
          assert.ok(period.period_start < period.period_end);
          assert.ok(period.interval_start <= period.period_start && period.period_end <= period.interval_end);
          if (place > 0) assert.equal(period.period_start, periods[place - 1]!.period_end);
          const [from, to] = [Date.parse(period.period_start), Date.parse(period.period_end)];
          const inside = new Date(from + Math.floor(((to - from - 1) * thousandths) / 1000)).toISOString();
          assert.deepEqual(periodAt(schedule, inside), period);
          assert.deepEqual(periodAt(schedule, period.period_start), period);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("ends its periods on the boundaries of the oracle's calendar", () => {
    fc.assert(
      fc.property(anySchedule, (schedule) => {
        const { interval, interval_count, billing_anchor } = schedule;
        const [, second, third] = periodsOf(schedule, 3);
        const anchor = billing_anchor ?? schedule.trial_end_date ?? schedule.start_date;
        const isBoundary = (instant: string, period: Period) => {
          const n = [-1, 0, 1].map((step) => step + estimate(anchor, instant, interval, interval_count));
          const near = n.map((index) => oracleBoundary(anchor, interval, index * interval_count));
          assert.ok(near.includes(instant), `${instant} of ${JSON.stringify(period)} is no boundary`);
        };
        isBoundary(second!.period_end, second!);
        isBoundary(third!.period_start, third!);
        isBoundary(third!.interval_start, third!);
      }),
      { numRuns: 60 },
    );
  });

  it('finds the period of a distant instant as it finds a near one', () => {
    fc.assert(
      fc.property(anySchedule, anInstant(2102, 9000), (schedule, instant) => {
        const period = periodAt(schedule, instant);
        assert.ok(period !== null && period.period_start <= instant && instant < period.period_end);
        assert.equal(periodAfter(schedule, period.period_start).period_end, period.period_end);
      }),
      { numRuns: 60 },
    );
  });

  it('counts period ends as a loop counts them', () => {
    const aRange = fc.record({ after: anInstant(2000, 2003), up_to: anInstant(2000, 2005) });
    const aNearSchedule = anySchedule.map((schedule) => ({
      ...schedule,
      start_date: `2000${schedule.start_date.slice(4).replace('02-29', '02-28')}`,
      trial_end_date:
        schedule.trial_end_date && `2001${schedule.trial_end_date.slice(4).replace('02-29', '02-28')}`,
      billing_anchor:
        schedule.billing_anchor && `1999${schedule.billing_anchor.slice(4).replace('02-29', '02-28')}`,
    }));
    fc.assert(
      fc.property(aNearSchedule, aRange, (schedule, { after, up_to }) => {
        const expected = oracleEnds(schedule, after, up_to).length;
        assert.equal(countPeriodEnds(schedule, { after, up_to, limit: 10_000 }), expected);
        assert.equal(countPeriodEnds(schedule, { after, up_to, limit: 3 }), Math.min(expected, 4));
      }),
      { numRuns: 40 },
    );
  });

  it('does not depend on the time zone of the machine', () => {
    const { env } = process;
    const before = env['TZ'];
    const schedule = aSchedule({ start_date: '2026-01-31T02:30:00.000Z' });
    const spoken = ['UTC', 'America/Los_Angeles', 'Pacific/Apia', 'Asia/Kolkata'].map((zone) => {
      env['TZ'] = zone;
      return JSON.stringify([periodsOf(schedule, 14), new Date(0).getHours()]);
    });
    if (before === undefined) delete env['TZ'];
    else env['TZ'] = before;
    assert.equal(new Set(spoken).size, 4, 'the zones must have taken effect');
    assert.equal(new Set(spoken.map((text) => text.replace(/,\d+\]$/, ''))).size, 1);
  });
});

describe('the instants near a clamped boundary', () => {
  const later = (instant: string, milliseconds: number) =>
    new Date(Date.parse(instant) + milliseconds).toISOString();
  for (const day of ['2023-12-29', '2023-12-30', '2023-12-31', '2024-02-29', '2024-08-31']) {
    for (const interval_count of [1, 2, 5]) {
      it(`belong to the right period: ${day}, every ${interval_count} months`, () => {
        const billing_anchor = `${day}T10:30:00.500Z`;
        const schedule = aSchedule({ start_date: midnight('2020-01-01'), billing_anchor, interval_count });
        for (let n = -8; n <= 8; n += 1) {
          const instant = oracleBoundary(billing_anchor, 'month', n * interval_count);
          for (const before of [-86_400_000, -1]) {
            assert.equal(periodAt(schedule, later(instant, before))?.period_end, instant);
          }
          for (const after of [0, 1, 86_400_000]) {
            assert.equal(periodAt(schedule, later(instant, after))?.period_start, instant);
          }
        }
      });
    }
  }
});

describe('the calendar', () => {
  for (const day of [28, 29, 30, 31]) {
    it(`400 years of months from the ${day}th: twelve a year, clamped, never drifting`, () => {
      const schedule = aSchedule({ start_date: midnight(`1999-12-${day}`) });
      for (let n = 1; n <= 4800; n += n % 12 === 2 ? 1 : 7) {
        const month = ((n - 1) % 12) + 1;
        const year = 2000 + Math.floor((n - 1) / 12);
        const lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        const expected = midnight(dateText(year, month, Math.min(day, lengths[month - 1]!)));
        assert.equal(boundary(schedule, n), expected);
      }
    });
  }

  it('agrees with an oracle that counts days, for any anchor and any whole n', () => {
    const anInterval = fc.constantFrom<Interval>('day', 'week', 'month', 'year');
    fc.assert(
      fc.property(
        anInstant(3000, 6000),
        anInterval,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: -90, max: 90 }),
        (anchor, interval, count, n) => {
          const schedule = aSchedule({ start_date: anchor, interval, interval_count: count });
          assert.equal(boundary(schedule, n), oracleBoundary(anchor, interval, count * n));
        },
      ),
      { numRuns: 200 },
    );
  });
});

/** Index of the boundary near an instant, correct to within one. */
function estimate(anchor: string, instant: string, interval: Interval, count: number): number {
  const days = { day: 1, week: 7, month: 30.436875, year: 365.2425 }[interval] * count;
  return Math.round((Date.parse(instant) - Date.parse(anchor)) / 86_400_000 / days);
}
