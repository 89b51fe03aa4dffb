import type { Counted } from '../usage/counted.ts';
import {
  openedAt,
  periodFollowing,
  type StoredPeriod,
  type SubscriptionPeriod,
} from '../subscription/following-period.ts';
import { addDays, addMilliseconds } from '../time/period.ts';
import { othersOf, type Scope } from '../lines/scope.ts';
import { periodContextOf, type BillingSettings, type Subscription } from '../subscription/subscription.ts';

/** A change of a period of the subscription; each part is null where it stays. */
export type PeriodChange = {
  period_start: string;
  closed_at: string | null;
  late_window: { closed_at: string; late_usage_until: string } | null;
  /** The period that opens when this one closes; null if none does. */
  following: Omit<StoredPeriod, 'closed_at'> | null;
};

/** The change that closes a period now and opens the one that follows. */
export function closingOf(
  subscription: Subscription,
  period: SubscriptionPeriod,
  settings: BillingSettings,
): PeriodChange {
  const { now } = subscription;
  const next = periodFollowing(period, periodContextOf(subscription, settings));
  const opened_at = next && openedAt(next, { schedule: subscription, now, before: period });
  const following = next && { ...next, opened_at };
  return { period_start: period.period_start, closed_at: now, late_window: null, following };
}

/**
 * Upper bound on the time from an event's `created_at`, the start of its transaction, to its commit: the statement
 * timeout is shorter.
 */
const STORED_WITHIN_MS = 120_000;

/**
 * The late windows that an invoice closes: no event can be stored in time any more, no late line waits, and none stands
 * on another draft, which may lose it when it is issued. `waiting` are the starts of full periods with a line that
 * waits. Includes the invoice's own period if the window has passed, the period is uncut and this is its first invoice.
 */
export function lateWindowsToClose(
  scope: Scope & { subscription: Subscription },
  counted: readonly Counted[],
  waiting: readonly string[],
): PeriodChange[] {
  const { own, late, parts, late_usage_days } = scope;
  const { now } = scope.subscription;
  const on_drafts = othersOf(scope).flatMap((line) => (line.is_on_draft ? line.full_period_start : []));
  const stored_by = addMilliseconds(now, -STORED_WITHIN_MS);
  const is_uncut =
    parts.length === 1 &&
    counted.every(
      ({ others, full_period_start }) => full_period_start !== own.period_start || others.length === 0,
    );
  const own_period = { ...own, part_starts: [own.period_start] };
  const billed = late.filter(({ has_void_part }) => !has_void_part);
  return [...(is_uncut ? [own_period] : []), ...billed].flatMap(
    ({ period_start, period_end, part_starts }) => {
      const late_usage_until = addDays(period_end, late_usage_days);
      if (late_usage_until > stored_by || [...waiting, ...on_drafts].includes(period_start)) return [];
      const late_window = { closed_at: now, late_usage_until };
      return part_starts.map((start) => ({ ...unchangedPeriod(start), late_window }));
    },
  );
}

function unchangedPeriod(period_start: string): PeriodChange {
  return { period_start, closed_at: null, late_window: null, following: null };
}

/** One change a period: a period that closes may close its own late window. */
export function mergeChanges(
  closing: readonly PeriodChange[],
  windows: readonly PeriodChange[],
): PeriodChange[] {
  const of_closing = closing.map((change) => {
    const same = windows.find(({ period_start }) => period_start === change.period_start);
    return { ...change, late_window: same?.late_window ?? null };
  });
  const starts = new Set(closing.map(({ period_start }) => period_start));
  return [...of_closing, ...windows.filter(({ period_start }) => !starts.has(period_start))];
}
