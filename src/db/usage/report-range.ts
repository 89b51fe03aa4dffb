import { nextDay } from './counted-causes.ts';

/** Half-open interval of instants. */
export type Range = { from: string; to: string };

/** A range as whole UTC days, null if it has none, and the parts of days that it cuts. */
export type DividedRange = { days: Range | null; parts: Range[] };

const MIDNIGHT = 'T00:00:00.000Z';

/** Divides a range at the midnights of UTC. */
export function divideRange({ from, to }: Range): DividedRange {
  if (from >= to) return { days: null, parts: [] };
  const first = from.endsWith(MIDNIGHT) ? from : nextDay(dayOf(from));
  const last = dayOf(to);
  if (first > last) return { days: null, parts: [{ from, to }] };
  const parts = [
    { from, to: first },
    { from: last, to },
  ].filter((part) => part.from < part.to);
  return { days: first < last ? { from: first, to: last } : null, parts };
}

/** The UTC day of an instant, by its first instant. */
export function dayOf(instant: string): string {
  return `${instant.slice(0, 10)}${MIDNIGHT}`;
}

/** Every UTC day that a range touches. */
export function daysOf({ from, to }: Range): string[] {
  const days: string[] = [];
  for (let day = dayOf(from); day < to; day = nextDay(day)) days.push(day);
  return from < to ? days : [];
}

/** A smaller or simpler question than one that took too long: whole days, else half of the days. Null for one whole day. */
export function rangeThatFits(range: Range): Range | null {
  const { days, parts } = divideRange(range);
  if (parts.length > 0) return days ?? { from: dayOf(range.from), to: nextDay(dayOf(range.from)) };
  const all = daysOf(range);
  const half = Math.floor(all.length / 2);
  return half === 0 ? null : { from: range.from, to: all[half]! };
}
