import { offsetInWords } from '../../../src/domain/time/repeated-time.ts';

/** The instant a month later: the same day and time in the next month, or its last day if it has no such day. */
export function aMonthAfter(instant: string): string {
  const date = new Date(instant);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + 1);
  const last_day = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last_day));
  return date.toISOString();
}

/** The latest of some instants in the API's format; null ones are ignored. */
export function latestOf(instants: readonly (string | null)[]): string | null {
  return instants.reduce((latest, instant) => ((instant ?? '') > (latest ?? '') ? instant : latest), null);
}

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

const DISTANCE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Distance between two instants in words: "in 3 days", "2 hours ago". */
export function distanceInWords(instant: string, now: string): string {
  const seconds = (Date.parse(instant) - Date.parse(now)) / 1000;
  // Use a unit only from two of it on: "in 45 days" is more precise than "next month".
  const [unit, length] = STEPS.find(([, step]) => Math.abs(seconds) >= 2 * step) ?? ['second', 1];
  return DISTANCE.format(Math.round(seconds / length), unit);
}

const DAY_IN_WORDS = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Text for a subscription that needs a person: "Not billed since 27 November 2026: the reason". */
export function notBilled(since: string | null, reason: string): string {
  const when = since === null ? '' : ` since ${dayInWords(since)}`;
  return `Not billed${when}: ${reason}`;
}

/** The day of a date or of an instant in UTC as "27 November 2026". */
export function dayInWords(date: string): string {
  return DAY_IN_WORDS.format(new Date(date));
}

const DAY_MS = 86_400_000;

/** The day after a day such as 2026-11-21. A text that is no day is returned unchanged, for the API to refuse. */
export function dayAfter(day: string): string {
  return dayAt(Date.parse(day) + DAY_MS) ?? day;
}

/**
 * First and last of a half-open interval in a time zone. If it begins and ends with a day, its first and, as on the
 * PDF, its last day, else both ends as 2026-11-21 09:30:05, or 2027-10-31 02:30:00 CEST where this time of day occurs
 * twice.
 */
export function endsIn(timezone: string, { from, to }: { from: string; to: string }): [string, string] {
  const localTime = localTimeIn(timezone);
  const [starts, before_start] = [localTime(from), localTime(from, -1)];
  const [ends, before_end] = [localTime(to), localTime(to, -1)];
  const day = (local: string) => local.slice(0, 10);
  const is_of_days = day(before_start) !== day(starts) && day(before_end) !== day(ends);
  if (is_of_days) return [day(starts), day(before_end)];
  const withOffset = (local: string, offset: string | null) =>
    offset === null ? local : `${local} ${offset}`;
  return [withOffset(starts, offsetInWords(from, timezone)), withOffset(ends, offsetInWords(to, timezone))];
}

/** The day of an instant in a time zone, such as 2026-11-21, as documents print it. */
export function dayIn(timezone: string, instant: string): string {
  return localTimeIn(timezone)(instant).slice(0, 10);
}

/**
 * The first instant of a day such as 2026-11-21 in a time zone: midnight, or later where its clocks skip midnight. A
 * text that is no day is returned unchanged, for the API to refuse.
 */
export function startOfDayIn(timezone: string, day: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight)) return day;
  const localTime = localTimeIn(timezone);
  // The offsets of the day before and of the day after: one of them is in force as the day begins.
  const starts = [midnight - DAY_MS, midnight + DAY_MS].map((at) => {
    const offset_ms = Date.parse(`${localTime(new Date(at).toISOString()).replace(' ', 'T')}Z`) - at;
    return new Date(midnight - offset_ms).toISOString();
  });
  const isStart = (start: string) =>
    localTime(start).startsWith(day) && !localTime(start, -1).startsWith(day);
  return starts.find(isStart) ?? starts[0]!;
}

/** An instant in a time zone: its day, such as 2026-11-21, if it begins one, else with the time of day. */
export function dayOrTimeIn(timezone: string, instant: string): string {
  return localTimeIn(timezone)(instant).replace(/ 00:00:00$/, '');
}

function localTimeIn(timezone: string): (instant: string, later_ms?: number) => string {
  // Sweden writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone: timezone,
  });
  return (instant, later_ms = 0) => format.format(Date.parse(instant) + later_ms);
}

function dayAt(milliseconds: number): string | null {
  return Number.isNaN(milliseconds) ? null : new Date(milliseconds).toISOString().slice(0, 10);
}
