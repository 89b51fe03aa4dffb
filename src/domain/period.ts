import { Temporal } from 'temporal-polyfill';

export type Interval = 'day' | 'week' | 'month' | 'year';

/** What decides a subscription's periods. Instants here and everywhere are `2026-01-31T00:00:00.000Z`: they
 *  compare as text. */
export type Schedule = {
  interval: Interval;
  interval_count: number;
  start_date: string;
  trial_end_date: string | null;
  billing_anchor: string | null;
};

/**
 * Half open: `period_start` is in it, `period_end` is not. `interval_*` are the boundaries around a billing period,
 * so that one that was cut short knows the full period it is a part of; a trial is its own full period.
 */
export type Period = {
  kind: 'trial' | 'billing';
  period_start: string;
  period_end: string;
  interval_start: string;
  interval_end: string;
};

/** A part of a full period, both in milliseconds as decimal strings. */
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

/** It may be short where the schedule has an anchor of its own (billing.md 1). */
export function firstBillingPeriod(schedule: Schedule): Period {
  return periodAfter(schedule, billingStart(schedule));
}

/** The billing period that starts at `period_end`, be that a boundary, the end of the trial, or a cut. */
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

/** The uncut period that holds `instant`; null before the start. */
export function periodAt(schedule: Schedule, instant: string): Period | null {
  if (instant < schedule.start_date) return null;
  if (instant < billingStart(schedule)) return firstPeriod(schedule);
  const boundaryBefore = boundaryOf(schedule, indexAt(schedule, instant));
  return periodAfter(schedule, latest(boundaryBefore, billingStart(schedule)));
}

/**
 * How many trial and billing periods end in (`after`, `up_to`]; more than `limit` are told as `limit + 1`. Costs
 * the same for one period and for a million.
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
 * `anchor` plus `n` times `count` intervals in UTC, for any whole `n`. Always counted from the anchor and clamped to
 * the month's last day, so that 31 January is followed by 28 February and then by 31 March (billing.md 1).
 */
export function boundary(anchor: string, interval: Interval, count: number, n: number): string {
  return instantOf(shifted(momentOf(anchor), interval, count * n));
}

/** `days` times 24 hours later; negative days are earlier. */
export function addDays(instant: string, days: number): string {
  return instantOf(shifted(momentOf(instant), 'day', days));
}

export function earliest(a: string, b: string): string {
  return a < b ? a : b;
}

export function latest(a: string, b: string): string {
  return a > b ? a : b;
}

/** How much of its interval a period is, by exact time: 1/1 in effect, unless it was cut (billing.md 1). */
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

/** Where the trial ends and billing begins. */
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
 * The greatest n whose boundary is not after `instant`. Rounding down to a multiple of the interval is the inverse of
 * `boundary`: Temporal clamps to the month's end there too.
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

/** UTC has neither gaps nor folds: without its Z an instant is a plain date and time, and cheap to reckon with. */
function momentOf(instant: string): Temporal.PlainDateTime {
  return Temporal.PlainDateTime.from(instant.slice(0, -1));
}

function instantOf(moment: Temporal.PlainDateTime): string {
  // A fifth digit of the year would break the comparison as text, so that time ends with the year 9999.
  return moment.year > 9999 ? LAST_INSTANT : `${moment.toString({ fractionalSecondDigits: 3 })}Z`;
}
