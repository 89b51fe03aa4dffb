import { monthIn, UTC } from '../../domain/time/local-time.ts';
import { addMilliseconds } from '../../domain/time/period.ts';

/** The clocks of no time zone are further from UTC. */
const FURTHEST_MS = 86_400_000;

/** When a month begins and when it is over, by the name of the time zone. */
export type PrintedMonth = Readonly<Record<string, readonly [from: string, to: string]>>;

/** The instants that any time zone has in a month such as 2026-10: a range for an index. */
export function widestMonth(month: string): { from: string; to: string } {
  const { from, to } = monthIn(month, UTC);
  return { from: addMilliseconds(from, -FURTHEST_MS), to: addMilliseconds(to, FURTHEST_MS) };
}

/** The instants of a month by the clocks that print its documents; null without a month. */
export function printedMonth(month: string | undefined, timezones: readonly string[]): PrintedMonth | null {
  if (month === undefined) return null;
  return Object.fromEntries(
    timezones.map((timezone) => {
      const { from, to } = monthIn(month, timezone);
      return [timezone, [from, to]];
    }),
  );
}

/** SQL: `instant` is in the `month`, a PrintedMonth, by the time zone of the invoice `i`. */
export function isPrintedIn(month: string, instant: string): string {
  const bound = (place: number) => `(${month} -> i.timezone ->> ${place})::timestamptz`;
  return `${instant} >= ${bound(0)} and ${instant} < ${bound(1)}`;
}
