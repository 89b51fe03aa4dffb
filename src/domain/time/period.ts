import type { Temporal } from 'temporal-polyfill';
import { instantOf, localOf, UTC } from './local-time.ts';

export type Interval = 'day' | 'week' | 'month' | 'year';

/**
 * The values that determine a subscription's periods. All instants have the form `2026-01-31T00:00:00.000Z`, so that
 * they compare as text.
 */
export type Schedule = {
  interval: Interval;
  interval_count: number;
  start_date: string;
  trial_end_date: string | null;
  billing_anchor: string | null;
  /**
   * Whether the anchor is a day: boundaries are then at midnight, also where that day begins later than at midnight.
   */
  anchor_is_day: boolean;
  /** IANA name of the time zone whose days and months the periods follow. */
  timezone: string;
};

/**
 * Half-open: `period_start` is inside, `period_end` is not. `interval_*` are the boundaries around a billing period,
 * from which a cut part knows its full period; a trial is its own full period.
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
  const interval_end = boundary(schedule, index + 1);
  return {
    kind: 'billing',
    period_start: period_end,
    period_end: interval_end,
    interval_start: boundary(schedule, index),
    interval_end,
  };
}

/** The full period that contains `instant`; null before the start. */
export function periodAt(schedule: Schedule, instant: string): Period | null {
  if (instant < schedule.start_date) return null;
  if (instant < billingStart(schedule)) return firstPeriod(schedule);
  const boundaryBefore = boundary(schedule, indexAt(schedule, instant));
  return periodAfter(schedule, latest(boundaryBefore, billingStart(schedule)));
}

/**
 * Number of trial and billing periods that end in (`after`, `up_to`]; `limit + 1` if there are more than `limit`.
 * Constant cost, whether for one period or a million, except for daily periods outside UTC, whose cost grows up to the
 * limit.
 */
export function countPeriodEnds(
  schedule: Schedule,
  { after, up_to, limit }: { after: string; up_to: string; limit: number },
): number {
  const { trial_end_date } = schedule;
  const trialEnds = trial_end_date !== null && after < trial_end_date && trial_end_date <= up_to ? 1 : 0;
  const from = latest(after, billingStart(schedule));
  const billingEnds = up_to > from ? countBoundaries(schedule, { after: from, up_to, limit }) : 0;
  const ends = trialEnds + billingEnds;
  return ends > limit ? limit + 1 : ends;
}

/**
 * Number of different boundaries in (`after`, `up_to`]; of daily ones outside UTC not many more than `limit` are
 * counted.
 */
function countBoundaries(
  schedule: Schedule,
  { after, up_to, limit }: { after: string; up_to: string; limit: number },
): number {
  const { interval, interval_count, timezone } = schedule;
  const [first, last] = [indexAt(schedule, after), indexAt(schedule, up_to)];
  if (timezone === UTC || interval !== 'day' || interval_count !== 1) return last - first;
  // A day that a zone leaves out, as Samoa left out 30 December 2011, has the boundary of the next day.
  let count = 0;
  for (let n = first + 1; n <= last && count <= limit; n += 1)
    if (boundary(schedule, n) > boundary(schedule, n - 1)) count += 1;
  return count;
}

/**
 * The anchor plus `n` intervals of the schedule in the local time of its zone, for any integer `n`. Counted from the
 * anchor and clamped to the last day of the month, so that 31 January, 28 February and 31 March follow each other
 * (billing.md 1).
 */
export function boundary(schedule: Schedule, n: number): string {
  const { interval, interval_count, timezone } = schedule;
  // The anchor may be the second of two equal local times, of which every other boundary takes the first.
  if (n === 0) return anchorOf(schedule);
  return instantOf(shifted(localAnchorOf(schedule), interval, interval_count * n), timezone);
}

/**
 * Adds years: the day and time in UTC stay, clamped to the last day of the month; a negative number gives an earlier
 * instant.
 */
export function addYears(instant: string, years: number): string {
  return instantOf(shifted(localOf(instant, UTC), 'year', years), UTC);
}

/** `days` times 24 hours later; negative days are earlier. */
export function addDays(instant: string, days: number): string {
  return instantOf(shifted(localOf(instant, UTC), 'day', days), UTC);
}

/** `milliseconds` later; a negative number gives an earlier instant. */
export function addMilliseconds(instant: string, milliseconds: number): string {
  return instantOf(localOf(instant, UTC).add({ milliseconds }), UTC);
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
  return `${Date.parse(to) - Date.parse(from)}`;
}

/** The end of the trial, else the start: where billing begins. */
export function billingStart({
  start_date,
  trial_end_date,
}: Pick<Schedule, 'start_date' | 'trial_end_date'>): string {
  return trial_end_date ?? start_date;
}

function anchorOf(schedule: Schedule): string {
  return schedule.billing_anchor ?? billingStart(schedule);
}

/** The local time from which intervals are counted: of a day its midnight, which the clocks may have skipped. */
function localAnchorOf(schedule: Schedule): Temporal.PlainDateTime {
  const local = localOf(anchorOf(schedule), schedule.timezone);
  return schedule.anchor_is_day ? local.withPlainTime() : local;
}

/**
 * The greatest n whose boundary is at or before `instant`. Inverse of `boundary`: rounding down to a multiple of the
 * interval clamps to the month's end as well.
 */
function indexAt(schedule: Schedule, instant: string): number {
  const { interval, interval_count, timezone } = schedule;
  const distance = localAnchorOf(schedule).until(localOf(instant, timezone), {
    largestUnit: interval,
    smallestUnit: interval,
    roundingIncrement: interval_count,
    roundingMode: 'floor',
  });
  const n = distance[`${interval}s`] / interval_count;
  if (timezone === UTC) return n;
  // Where clocks change, local times are not in the order of instants: the index may be one too high after a gap, and
  // one too low in a repeated hour.
  if (boundary(schedule, n) > instant) return n - 1;
  return boundary(schedule, n + 1) <= instant ? n + 1 : n;
}

function shifted(
  local: Temporal.PlainDateTime,
  interval: Interval,
  intervals: number,
): Temporal.PlainDateTime {
  return local.add({ [`${interval}s`]: intervals });
}
