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

/**
 * Divides a range into the whole days that it reaches into, and the time that they have beyond it (`less`): a day of
 * which the range has the longer part is taken whole, so that at most half a day is read on either side.
 */
export function divideByShorterParts(range: Range): DividedRange & { less: Range[] } {
  const { days, parts } = divideRange(range);
  const kept_parts: Range[] = [];
  const less: Range[] = [];
  const whole: Range[] = days === null ? [] : [days];
  for (const part of parts) {
    const day = { from: dayOf(part.from), to: nextDay(dayOf(part.from)) };
    const rest = part.from > day.from ? { from: day.from, to: part.from } : { from: part.to, to: day.to };
    // A part in the middle of a day has a rest on both sides.
    const is_middle = part.from > day.from && part.to < day.to;
    if (is_middle || lengthOf(part) <= lengthOf(rest)) kept_parts.push(part);
    else {
      whole.push(day);
      less.push(rest);
    }
  }
  return { days: spanOf(whole), parts: kept_parts, less };
}

function lengthOf({ from, to }: Range): number {
  return Date.parse(to) - Date.parse(from);
}

/** The range from the first of adjacent ranges to the last; null for none. */
function spanOf(ranges: readonly Range[]): Range | null {
  const [first] = ranges.map(({ from }) => from).sort();
  const last = ranges
    .map(({ to }) => to)
    .sort()
    .at(-1);
  return first === undefined || last === undefined ? null : { from: first, to: last };
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

/**
 * A smaller or simpler question than one that took too long: whole days, else half of the days. Null for one whole day.
 */
export function rangeThatFits(range: Range): Range | null {
  const { days, parts } = divideRange(range);
  if (parts.length > 0) return days ?? { from: dayOf(range.from), to: nextDay(dayOf(range.from)) };
  const all = daysOf(range);
  const half = Math.floor(all.length / 2);
  return half === 0 ? null : { from: range.from, to: all[half]! };
}
