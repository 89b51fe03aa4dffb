import { zonedBoundary } from '../support/zone-oracle.ts';
import type { Instant, LatePeriod, Part, Span, Subscription, FullPeriod } from './world.ts';
import { later } from './world.ts';

const LATE_USAGE_MS = 35 * 86_400_000;

/** End of the late window: an event must be stored before it for a late line of the period that ends at `end`. */
export function lateUntil(end: Instant): Instant {
  return later(end, LATE_USAGE_MS);
}

export type Status = 'pending' | 'trialing' | 'active' | 'canceled';

/** The subscription's status at an instant, as the API shows it. */
export function statusAt({ cancel_at, start, trial_end }: Subscription, now: Instant): Status {
  if (cancel_at !== null && cancel_at <= now) return 'canceled';
  if (now < start) return 'pending';
  return trial_end !== null && now < trial_end ? 'trialing' : 'active';
}

/** Billing starts at the end of the trial, else at the start. */
export function billingStart({ start, trial_end }: Subscription): Instant {
  return trial_end ?? start;
}

/** Whether a subscription ends before it bills anything. */
export function neverBills(subscription: Subscription): boolean {
  const { cancel_at } = subscription;
  return cancel_at !== null && cancel_at <= billingStart(subscription);
}

/** The interval between two boundaries that contains the instant (billing.md 1). */
export function intervalAt(subscription: Subscription, instant: Instant): Span {
  const { plan, anchor, timezone } = subscription;
  const boundary = (n: number) =>
    zonedBoundary(timezone, anchor ?? billingStart(subscription), plan.interval, n * plan.interval_count);
  let n = 0;
  while (boundary(n) > instant) n--;
  while (boundary(n + 1) <= instant) n++;
  return { start: boundary(n), end: boundary(n + 1) };
}

/** The full period that starts at this instant. */
export function fullPeriodFrom(subscription: Subscription, start: Instant): FullPeriod {
  const interval = intervalAt(subscription, start);
  const full_period: FullPeriod = { start, end: interval.end, interval, parts: [] };
  full_period.parts.push({ kind: 'part', start, end: interval.end, full_period, is_closed: false });
  return full_period;
}

/** The part that collects usage now; null before the first period begins and after the last part is closed. */
export function openPart({ full_periods }: Subscription): Part | null {
  const last = full_periods.at(-1)?.parts.at(-1);
  return last === undefined || last.is_closed ? null : last;
}

/** The full period that bills usage of this instant; null if there is none and never will be. */
export function billingPeriodAt(subscription: Subscription, instant: Instant): Span | null {
  const { cancel_at } = subscription;
  if (instant < billingStart(subscription) || (cancel_at !== null && cancel_at <= instant)) return null;
  const { start, end } = intervalAt(subscription, instant);
  const first = billingStart(subscription);
  return { start: start < first ? first : start, end };
}

/** The first full period; null if a cancellation comes before it. */
export function firstBillingPeriod(subscription: Subscription): Span | null {
  return billingPeriodAt(subscription, billingStart(subscription));
}

/** The open part or the late window, whichever ends next and is then billed. Null before the first period begins. */
export function nextEnding(subscription: Subscription): Part | LatePeriod | null {
  const { late_period } = subscription;
  return late_period !== null && !late_period.is_closed ? late_period : openPart(subscription);
}

/** The instant at which the clock must stop next: at an end, or at the start of the first period. */
export function nextInstant(subscription: Subscription): Instant | null {
  const ending = nextEnding(subscription);
  if (ending !== null) return ending.end;
  if (neverBills(subscription)) return subscription.has_ended ? null : subscription.cancel_at;
  const has_begun = subscription.full_periods.length > 0;
  return has_begun ? null : (firstBillingPeriod(subscription)?.start ?? null);
}

/** The current period that the API shows; null once canceled. */
export function currentPeriod(subscription: Subscription, now: Instant): Span | null {
  const { start, trial_end } = subscription;
  if (statusAt(subscription, now) === 'canceled') return null;
  if (trial_end !== null && now < trial_end) return { start, end: trial_end };
  const { start: from, end } = openPart(subscription) ?? fullPeriodFrom(subscription, start);
  return { start: from, end };
}
