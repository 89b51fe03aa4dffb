import type { ComposedLine } from '../lines/line-item.ts';
import { decimal, sum } from '../money/decimal.ts';
import type { StoredPeriod } from '../subscription/following-period.ts';
import type { Subscription } from '../subscription/subscription.ts';
import { addMilliseconds } from '../time/period.ts';

/** The least age of a part that is billed before its end, so that there is at most one such bill an hour. */
export const PART_AGE_MS = 3_600_000;
/** Events that a look may have read for each millisecond of rest, so that looks take a small part of a processor. */
const EVENTS_PER_REST_MS = 10;
/** Looks that read fewer events need no rest. */
const RESTING_FROM_EVENTS = 10_000;

/** Decision of a look; `at` is by the clock of the customer. */
export type Look =
  { kind: 'none' } | { kind: 'later'; at: string } | { kind: 'now'; part: StoredPeriod; bill_at: string };

/**
 * Decides whether the open part of a subscription is compared with `bill_at` now (billing.md 15): not in a trial,
 * before the start and after the end, and later where it is young, parked, or has work of its own that is due.
 */
export function lookOf(
  { bill_at, attention, now }: Pick<Subscription, 'bill_at' | 'attention' | 'now'>,
  open: StoredPeriod | null,
): Look {
  if (bill_at === null || open?.kind !== 'billing' || open.period_start > now) return { kind: 'none' };
  const is_in_order = attention === null && open.opened_at !== null && open.period_end > now;
  if (!is_in_order) return { kind: 'later', at: addMilliseconds(now, PART_AGE_MS) };
  const grown_at = addMilliseconds(open.period_start, PART_AGE_MS);
  return grown_at > now ? { kind: 'later', at: grown_at } : { kind: 'now', part: open, bill_at };
}

/** Whether the metered lines of a part come to `bill_at`; `lines` are those that `close_now` would make. */
export function isReached(lines: readonly Pick<ComposedLine, 'type' | 'amount'>[], bill_at: string): boolean {
  const metered = lines.filter(({ type }) => type === 'usage');
  return sum(metered.map(({ amount }) => decimal(amount))).gte(decimal(bill_at));
}

/** Milliseconds without looks after a look that may have read this number of events. */
export function restAfter(events: number): number {
  return events < RESTING_FROM_EVENTS ? 0 : events / EVENTS_PER_REST_MS;
}
