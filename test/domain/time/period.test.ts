import assert from 'node:assert/strict';
import {
  type Interval,
  type Period,
  type Schedule,
  addDays,
  addYears,
  boundary,
  countPeriodEnds,
  earliest,
  firstBillingPeriod,
  firstPeriod,
  fractionOf,
  periodAfter,
  periodAt,
} from '../../../src/domain/time/period.ts';
import { aSchedule, midnight } from '../../support/ledger/schedules.ts';

const span = ({ kind, period_start, period_end }: Period) => [kind, period_start, period_end];

/** Ends of the first `count` periods, as dates. */
function endsOf(schedule: Schedule, count: number): string[] {
  const ends = [firstPeriod(schedule).period_end];
  while (ends.length < count) ends.push(periodAfter(schedule, ends.at(-1)!).period_end);
  return ends.map((end) => end.replace('T00:00:00.000Z', ''));
}

describe('boundaries', () => {
  const rows: [anchor: string, interval: Interval, count: number, expected: string[], why: string][] = [
    [
      '2026-01-31',
      'month',
      1,
      ['2026-02-28', '2026-03-31', '2026-04-30'],
      'clamped, but counted from the anchor',
    ],
    ['2024-01-31', 'month', 1, ['2024-02-29', '2024-03-31', '2024-04-30'], 'a leap year'],
    [
      '2026-01-30',
      'month',
      1,
      ['2026-02-28', '2026-03-30', '2026-04-30'],
      'the 30th clamps in February only',
    ],
    ['2026-08-31', 'month', 3, ['2026-11-30', '2027-02-28', '2027-05-31'], 'quarters'],
    ['2024-02-29', 'year', 1, ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'], 'a leap day'],
    ['2096-02-29', 'year', 4, ['2100-02-28', '2104-02-29'], '2100 is no leap year'],
    ['2026-12-31', 'day', 1, ['2027-01-01', '2027-01-02'], 'days'],
    ['2024-02-26', 'week', 1, ['2024-03-04', '2024-03-11'], 'a week over a leap day'],
    ['2026-01-01', 'week', 2, ['2026-01-15', '2026-01-29'], 'every other week'],
  ];
  for (const [anchor, interval, count, expected, why] of rows) {
    it(`${anchor} every ${count} ${interval}: ${expected.join(', ')} (${why})`, () => {
      const schedule = aSchedule({ start_date: midnight(anchor), interval, interval_count: count });
      const actual = expected.map((_, place) => boundary(schedule, place + 1));
      assert.deepEqual(actual, expected.map(midnight));
    });
  }

  it('lie before the anchor too', () => {
    const monthly = aSchedule({ start_date: midnight('2026-03-31') });
    const yearly = aSchedule({ start_date: midnight('2024-02-29'), interval: 'year' });
    assert.equal(boundary(monthly, -1), midnight('2026-02-28'));
    assert.equal(boundary(yearly, -1), midnight('2023-02-28'));
    assert.equal(boundary(monthly, 0), midnight('2026-03-31'));
  });

  it('keep the time of day to the millisecond', () => {
    const schedule = aSchedule({ start_date: '2026-01-31T23:59:59.999Z' });
    assert.equal(boundary(schedule, 1), '2026-02-28T23:59:59.999Z');
  });

  it('end with the year 9999, because the year 10000 would sort before it as text', () => {
    assert.equal(
      boundary(aSchedule({ interval: 'year', interval_count: 9000 }), 1),
      '9999-12-31T23:59:59.999Z',
    );
  });
});

describe('periods', () => {
  it('follow each other from the start', () => {
    const schedule = aSchedule({ start_date: midnight('2026-01-31') });
    assert.deepEqual(endsOf(schedule, 3), ['2026-02-28', '2026-03-31', '2026-04-30']);
  });

  it('begin with the trial, whose end is the anchor', () => {
    const schedule = aSchedule({
      start_date: midnight('2026-01-10'),
      trial_end_date: midnight('2026-01-31'),
    });
    assert.deepEqual(span(firstPeriod(schedule)), ['trial', midnight('2026-01-10'), midnight('2026-01-31')]);
    assert.deepEqual(endsOf(schedule, 4), ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30']);
    assert.deepEqual(span(firstBillingPeriod(schedule)), [
      'billing',
      midnight('2026-01-31'),
      midnight('2026-02-28'),
    ]);
  });

  it('may be longer than an interval in the trial', () => {
    const schedule = aSchedule({
      start_date: midnight('2026-01-01'),
      trial_end_date: midnight('2026-06-15'),
    });
    assert.deepEqual(endsOf(schedule, 2), ['2026-06-15', '2026-07-15']);
  });

  it('start with a short period if they have an anchor of their own, and know the full period', () => {
    const schedule = aSchedule({
      start_date: midnight('2026-04-20'),
      billing_anchor: midnight('2026-05-01'),
    });
    assert.deepEqual(firstPeriod(schedule), {
      kind: 'billing',
      period_start: midnight('2026-04-20'),
      period_end: midnight('2026-05-01'),
      interval_start: midnight('2026-04-01'),
      interval_end: midnight('2026-05-01'),
    });
    assert.deepEqual(endsOf(schedule, 3), ['2026-05-01', '2026-06-01', '2026-07-01']);
  });

  const anchors: [anchor: string, ends: string[], why: string][] = [
    ['1999-12-31', ['2026-04-30', '2026-05-31'], 'long before the start'],
    ['2026-04-20', ['2026-05-20', '2026-06-20'], 'at the start: nothing is short'],
    ['2031-10-25', ['2026-04-25', '2026-05-25'], 'years after the start'],
  ];
  for (const [anchor, ends, why] of anchors) {
    it(`from 2026-04-20 with the anchor ${anchor} end at ${ends.join(', ')}: the anchor lies ${why}`, () => {
      const schedule = aSchedule({ start_date: midnight('2026-04-20'), billing_anchor: midnight(anchor) });
      assert.deepEqual(endsOf(schedule, 2), ends);
    });
  }

  it('after a trial run to the next boundary of the given anchor', () => {
    const schedule = aSchedule({
      start_date: midnight('2026-03-05'),
      trial_end_date: midnight('2026-03-19'),
      billing_anchor: midnight('2026-01-01'),
    });
    assert.deepEqual(endsOf(schedule, 3), ['2026-03-19', '2026-04-01', '2026-05-01']);
    assert.deepEqual(firstBillingPeriod(schedule).interval_start, midnight('2026-03-01'));
  });

  it('go on after a cut to the boundary of the uncut period', () => {
    const schedule = aSchedule({ start_date: midnight('2026-04-01') });
    assert.deepEqual(periodAfter(schedule, '2026-04-11T07:30:00.000Z'), {
      kind: 'billing',
      period_start: '2026-04-11T07:30:00.000Z',
      period_end: midnight('2026-05-01'),
      interval_start: midnight('2026-04-01'),
      interval_end: midnight('2026-05-01'),
    });
  });

  const trialled = aSchedule({ start_date: midnight('2026-01-10'), trial_end_date: midnight('2026-01-31') });
  const lookups: [instant: string, expected: string[] | null, why: string][] = [
    ['2026-01-09T23:59:59.999Z', null, 'before the start'],
    [midnight('2026-01-10'), ['trial', '2026-01-10', '2026-01-31'], 'the start is inside'],
    ['2026-01-30T23:59:59.999Z', ['trial', '2026-01-10', '2026-01-31'], 'the last instant of the trial'],
    [
      midnight('2026-01-31'),
      ['billing', '2026-01-31', '2026-02-28'],
      'the end of the trial is the next period',
    ],
    ['2026-02-27T23:59:59.999Z', ['billing', '2026-01-31', '2026-02-28'], 'the last instant'],
    [midnight('2026-02-28'), ['billing', '2026-02-28', '2026-03-31'], 'exactly the end is the next period'],
    ['9998-06-15T00:00:00.000Z', ['billing', '9998-05-31', '9998-06-30'], 'far away'],
  ];
  for (const [instant, expected, why] of lookups) {
    it(`at ${instant}: ${expected?.join(' ') ?? 'none'} (${why})`, () => {
      const found = periodAt(trialled, instant);
      assert.deepEqual(found && span(found), expected && [expected[0]!, ...expected.slice(1).map(midnight)]);
    });
  }

  const fractions: [start: string, end: string, numerator: string, denominator: string][] = [
    [midnight('2026-04-20'), midnight('2026-05-01'), '950400000', '2592000000'],
    [midnight('2026-04-01'), midnight('2026-05-01'), '2592000000', '2592000000'],
    [midnight('2026-04-01'), '2026-04-01T00:00:00.001Z', '1', '2592000000'],
  ];
  for (const [period_start, period_end, numerator, denominator] of fractions) {
    it(`${period_start} to ${period_end} is ${numerator} of ${denominator} milliseconds of April`, () => {
      const period = periodAfter(aSchedule({ start_date: midnight('2026-04-01') }), midnight('2026-04-01'));
      assert.deepEqual(fractionOf({ ...period, period_start, period_end }), { numerator, denominator });
    });
  }
});

describe('period ends', () => {
  const schedule = aSchedule({ start_date: midnight('2026-01-10'), trial_end_date: midnight('2026-01-31') });
  const rows: [after: string, up_to: string, limit: number, expected: number, why: string][] = [
    ['2026-01-10', '2026-01-30', 100, 0, 'still in the trial'],
    ['2026-01-10', '2026-01-31', 100, 1, 'the trial, its end included'],
    ['2026-01-31', '2026-01-31', 100, 0, 'the end itself is excluded at the left'],
    ['2026-01-10', '2026-04-30', 100, 4, 'the trial and three months'],
    ['2026-02-28', '2026-03-31', 100, 1, 'from end to end'],
    ['2026-02-01', '2026-02-27', 100, 0, 'inside one month'],
    ['1970-01-01', '2026-01-31', 100, 1, 'nothing ends before the start'],
    ['2026-04-01', '2026-03-01', 100, 0, 'backwards'],
    ['2026-01-10', '2027-01-31', 13, 13, 'as many as the limit'],
    ['2026-01-10', '2027-01-31', 12, 13, 'more than the limit: reported as limit + 1'],
    ['2026-01-10', '9999-12-31', 5, 6, 'many more than the limit, which are not counted'],
  ];
  for (const [after, up_to, limit, expected, why] of rows) {
    it(`after ${after} up to ${up_to}, limit ${limit}: ${expected} (${why})`, () => {
      const range = { after: midnight(after), up_to: midnight(up_to), limit };
      assert.equal(countPeriodEnds(schedule, range), expected);
    });
  }
});

describe('instants', () => {
  it('a day has 24 hours', () => {
    assert.equal(addDays('2026-02-27T12:00:00.000Z', 2), '2026-03-01T12:00:00.000Z');
    assert.equal(addDays('2026-03-01T12:00:00.000Z', -1), '2026-02-28T12:00:00.000Z');
    assert.equal(addDays('9999-12-01T00:00:00.000Z', 3650), '9999-12-31T23:59:59.999Z');
  });

  it('a year later is the same day, or the last of its month', () => {
    assert.equal(addYears('2024-02-29T12:00:00.000Z', 1), '2025-02-28T12:00:00.000Z');
    assert.equal(addYears('2024-02-29T12:00:00.000Z', -4), '2020-02-29T12:00:00.000Z');
  });

  it('earliest is the earlier of two', () => {
    assert.equal(earliest(midnight('2026-02-01'), midnight('2026-01-31')), midnight('2026-01-31'));
    assert.equal(earliest(midnight('2026-01-31'), midnight('2026-02-01')), midnight('2026-01-31'));
  });
});
