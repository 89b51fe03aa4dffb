import { Temporal } from 'temporal-polyfill';

export const UTC = 'UTC';

/** Time ends with the year 9999, because a fifth digit would break text comparison. */
const LAST_INSTANT = '9999-12-31T23:59:59.999Z';
const LAST = Temporal.Instant.from(LAST_INSTANT);

/**
 * Whether a text is the IANA name of a time zone, such as Europe/Berlin or UTC, in exactly that spelling. An offset is
 * no name.
 */
export function isTimezone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false;
  try {
    // Temporal accepts names in any case, and whole timestamps, and returns the name in the spelling of IANA.
    return new Temporal.ZonedDateTime(0n, name).timeZoneId === name;
  } catch {
    return false;
  }
}

/**
 * The local date and time of an instant. In UTC it is the instant without its Z: cheap to compute with, and exact
 * because UTC has no gaps or repeated hours.
 */
export function localOf(instant: string, timezone: string): Temporal.PlainDateTime {
  if (timezone === UTC) return Temporal.PlainDateTime.from(instant.slice(0, -1));
  return Temporal.Instant.from(instant).toZonedDateTimeISO(timezone).toPlainDateTime();
}

/**
 * The instant of a local date and time. One that the clocks skip moves forward by the length of the gap, and one that
 * occurs twice is the first (billing.md 1).
 */
export function instantOf(local: Temporal.PlainDateTime, timezone: string): string {
  if (local.year > 9999) return LAST_INSTANT;
  if (timezone === UTC) return `${local.toString({ fractionalSecondDigits: 3 })}Z`;
  return textOf(local.toZonedDateTime(timezone, { disambiguation: 'compatible' }));
}

/** The local date and time as `2026-03-31T23:59:00.000`. */
export function localText(instant: string, timezone: string): string {
  if (timezone === UTC) return instant.slice(0, -1);
  return localOf(instant, timezone).toString({ fractionalSecondDigits: 3 });
}

/** The local day of an instant, such as 2026-03-31. */
export function dayOf(instant: string, timezone: string): string {
  return localText(instant, timezone).slice(0, 10);
}

/**
 * Makes a function like dayOf that is fast for instants near each other: it asks the time zone again only at another
 * day.
 */
export function dayReader(timezone: string): (instant: string) => string {
  let day = '';
  let [from, to] = ['', ''];
  return (instant) => {
    if (instant < from || instant >= to) {
      day = dayOf(instant, timezone);
      from = startOfDay(day, timezone);
      to = startOfDay(dayAfter(day), timezone);
    }
    return day;
  };
}

/** The first instant of a day such as 2026-03-31: midnight, or a later time if the clocks skip midnight. */
export function startOfDay(day: string, timezone: string): string {
  // A year of five digits.
  if (day.length > 10) return LAST_INSTANT;
  if (timezone === UTC) return `${day}T00:00:00.000Z`;
  return textOf(Temporal.PlainDate.from(day).toZonedDateTime(timezone));
}

/** The first instants of the days of a time zone that a half-open range of instants reaches into, in order. */
export function startsOfDays({ from, to }: { from: string; to: string }, timezone: string): string[] {
  const starts: string[] = [];
  for (let day = localOf(from, timezone).toPlainDate().toString(); ; day = dayAfter(day)) {
    const start = startOfDay(day, timezone);
    // A day that the zone leaves out begins when the next one does.
    if (start >= to) return starts;
    if (start !== starts.at(-1)) starts.push(start);
  }
}

/** Whether a date has no time, such as 2026-03-31. */
export function isDay(date: string): boolean {
  return !date.includes('T');
}

/** The first instant of a day; an instant stays as it is. */
export function beginningOf(date: string, timezone: string): string {
  return isDay(date) ? startOfDay(date, timezone) : date;
}

/** The day that many days after a day such as 2026-03-31. */
export function dayAfter(day: string, days = 1): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** The day one month after a day, clamped to the month's last day. */
export function nextMonth(day: string): string {
  return Temporal.PlainDate.from(day).add({ months: 1 }).toString();
}

/** The first instants of a month such as 2026-10 in a time zone, and of the month after it. */
export function monthIn(month: string, timezone: string): { from: string; to: string } {
  const first = `${month}-01`;
  return { from: startOfDay(first, timezone), to: startOfDay(nextMonth(first), timezone) };
}

/** Whether an instant is the first one of its local day. */
export function isStartOfDay(instant: string, timezone: string): boolean {
  return startOfDay(dayOf(instant, timezone), timezone) === instant;
}

function textOf(zoned: Temporal.ZonedDateTime): string {
  const instant = zoned.toInstant();
  if (Temporal.Instant.compare(instant, LAST) > 0) return LAST_INSTANT;
  return instant.toString({ fractionalSecondDigits: 3 });
}
