import { Temporal } from 'temporal-polyfill';

export type Interval = 'day' | 'week' | 'month' | 'year';

/** What determines a subscription's periods. All instants have the form `2026-01-31T00:00:00.000Z`, so that they compare as text. */
export type Schedule = {
  interval: Interval;
  interval_count: number;
  start_date: string;
  trial_end_date: string | null;
  billing_anchor: string | null;
};

/**
 * Half-open: `period_start` is inside, `period_end` is not. `interval_*` are the boundaries around a billing period, from which a cut part
 * knows its full period; a trial is its own full period.
 */
export type Period = {
  kind: 'trial' | 'billing';
  period_start: string;
  period_end: string;
  interval_start: string;
  interval_end: string;
};

/** A fraction of a full period; both numbers are milliseconds as decimal strings. */
export type Fraction = { numerator: string; denominator: string };

const LAST_INSTANT = '9999-12-31T23:59:59.999Z';

/** The trial if there is one, else the first billing period. */
export function firstPeriod(schedule: Schedule): Period {
  const { start_date, trial_end_date } = schedule;
  if (trial_end_date === null) return firstBillingPeriod(schedule);
  return {
    kind: 'trial',
    period_start: start_date,
    period_end: trial_end_date,
    interval_start: start_date,
    interval_end: trial_end_date,
  };
}

/** The first billing period; shorter than an interval if the schedule has its own anchor (billing.md 1). */
export function firstBillingPeriod(schedule: Schedule): Period {
  return periodAfter(schedule, billingStart(schedule));
}

/** The billing period that starts at `period_end`, whether that is a boundary, the end of the trial, or a cut. */
export function periodAfter(schedule: Schedule, period_end: string): Period {
  const index = indexAt(schedule, period_end);
  const interval_end = boundaryOf(schedule, index + 1);
  return {
    kind: 'billing',
    period_start: period_end,
    period_end: interval_end,
    interval_start: boundaryOf(schedule, index),
    interval_end,
  };
}

/** The full period that contains `instant`; null before the start. */
export function periodAt(schedule: Schedule, instant: string): Period | null {
  if (instant < schedule.start_date) return null;
  if (instant < billingStart(schedule)) return firstPeriod(schedule);
  const boundaryBefore = boundaryOf(schedule, indexAt(schedule, instant));
  return periodAfter(schedule, latest(boundaryBefore, billingStart(schedule)));
}

/**
 * Number of trial and billing periods that end in (`after`, `up_to`]; `limit + 1` if there are more than `limit`. Constant cost, whether
 * for one period or a million.
 */
export function countPeriodEnds(
  schedule: Schedule,
  { after, up_to, limit }: { after: string; up_to: string; limit: number },
): number {
  const { trial_end_date } = schedule;
  const trialEnds = trial_end_date !== null && after < trial_end_date && trial_end_date <= up_to ? 1 : 0;
  const from = latest(after, billingStart(schedule));
  const billingEnds = up_to > from ? indexAt(schedule, up_to) - indexAt(schedule, from) : 0;
  const ends = trialEnds + billingEnds;
  return ends > limit ? limit + 1 : ends;
}

/**
 * `anchor` plus `n` times `count` intervals in UTC, for any integer `n`. Counted from the anchor and clamped to the last day of the month,
 * so that 31 January, 28 February and 31 March follow each other (billing.md 1).
 */
export function boundary(anchor: string, interval: Interval, count: number, n: number): string {
  return instantOf(shifted(momentOf(anchor), interval, count * n));
}

/** `days` times 24 hours later; negative days are earlier. */
export function addDays(instant: string, days: number): string {
  return instantOf(shifted(momentOf(instant), 'day', days));
}

/** `milliseconds` later; a negative number gives an earlier instant. */
export function addMilliseconds(instant: string, milliseconds: number): string {
  return instantOf(momentOf(instant).add({ milliseconds }));
}

/** The earlier of two instants. */
export function earliest(a: string, b: string): string {
  return a < b ? a : b;
}

/** The later of two instants. */
export function latest(a: string, b: string): string {
  return a > b ? a : b;
}

/** The period's share of its interval, by exact time: 1/1 unless the period was cut (billing.md 1). */
export function fractionOf(period: Period): Fraction {
  return {
    numerator: millisecondsBetween(period.period_start, period.period_end),
    denominator: millisecondsBetween(period.interval_start, period.interval_end),
  };
}

function millisecondsBetween(from: string, to: string): string {
  const { milliseconds } = momentOf(from).until(momentOf(to), { largestUnit: 'millisecond' });
  return `${milliseconds}`;
}

/** The end of the trial, where billing begins. */
function billingStart({ start_date, trial_end_date }: Schedule): string {
  return trial_end_date ?? start_date;
}

function anchorOf(schedule: Schedule): string {
  return schedule.billing_anchor ?? billingStart(schedule);
}

function boundaryOf(schedule: Schedule, n: number): string {
  return boundary(anchorOf(schedule), schedule.interval, schedule.interval_count, n);
}

/**
 * The greatest n whose boundary is at or before `instant`. Inverse of `boundary`: rounding down to a multiple of the interval clamps to the
 * month's end as well.
 */
function indexAt(schedule: Schedule, instant: string): number {
  const { interval, interval_count } = schedule;
  const distance = momentOf(anchorOf(schedule)).until(momentOf(instant), {
    largestUnit: interval,
    smallestUnit: interval,
    roundingIncrement: interval_count,
    roundingMode: 'floor',
  });
  return distance[`${interval}s`] / interval_count;
}

function shifted(
  moment: Temporal.PlainDateTime,
  interval: Interval,
  intervals: number,
): Temporal.PlainDateTime {
  return moment.add({ [`${interval}s`]: intervals });
}

/** An instant without its Z, as a plain date and time: cheap to compute with, and exact because UTC has no gaps or repeated hours. */
function momentOf(instant: string): Temporal.PlainDateTime {
  return Temporal.PlainDateTime.from(instant.slice(0, -1));
}

function instantOf(moment: Temporal.PlainDateTime): string {
  // Time ends with the year 9999, because a fifth digit would break text comparison.
  return moment.year > 9999 ? LAST_INSTANT : `${moment.toString({ fractionalSecondDigits: 3 })}Z`;
}
