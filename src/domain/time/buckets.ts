import { Temporal } from 'temporal-polyfill';

export const BUCKET_LENGTHS = ['month', 'week', 'day'] as const;
/** The length of the parts into which a report divides its range; weeks begin on Monday. */
export type BucketLength = (typeof BUCKET_LENGTHS)[number];

/**
 * The first days of the months, weeks or days that a half-open range of days reaches into, the first of them cut at its
 * start; null for more than `limit`.
 */
export function bucketDays(
  { from, to }: { from: string; to: string },
  by: BucketLength,
  limit: number,
): string[] | null {
  const days: string[] = [];
  const end = Temporal.PlainDate.from(to);
  let day = Temporal.PlainDate.from(from);
  while (Temporal.PlainDate.compare(day, end) < 0) {
    if (days.length >= limit) return null;
    days.push(day.toString());
    day = nextBucket(day, by);
  }
  return days;
}

function nextBucket(day: Temporal.PlainDate, by: BucketLength): Temporal.PlainDate {
  switch (by) {
    case 'month':
      return firstOfMonth(day).add({ months: 1 });
    case 'week':
      return day.add({ days: 8 - day.dayOfWeek });
    case 'day':
      return day.add({ days: 1 });
  }
}

/** The first of the twelve months of which the last one has the day before `to`. */
export function firstOfTwelveMonths(to: string): string {
  const last_day = Temporal.PlainDate.from(to).subtract({ days: 1 });
  return firstOfMonth(last_day).subtract({ months: 11 }).toString();
}

/** The first days of the months from that of a day to `to`, a first of a month. */
export function monthsUpTo(day: string, to: string): string[] {
  return bucketDays({ from: firstOfMonth(Temporal.PlainDate.from(day)).toString(), to }, 'month', Infinity)!;
}

/** Whether a day is the first of its month. */
export function isFirstOfMonth(day: string): boolean {
  return day.endsWith('-01');
}

/** The first day of the month after that of a day. */
export function firstOfNextMonth(day: string): string {
  return firstOfMonth(Temporal.PlainDate.from(day)).add({ months: 1 }).toString();
}

function firstOfMonth(day: Temporal.PlainDate): Temporal.PlainDate {
  return day.with({ day: 1 });
}
