import { zonedBoundary } from '../../support/oracles/zone-oracle.ts';
import type {
  Change,
  Instant,
  LatePeriod,
  Part,
  Plan,
  Proration,
  Settle,
  Span,
  Subscription,
  FullPeriod,
} from './world.ts';
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

/** `anchor` is null where it is the start of billing, as the API shows it. */
type Terms = { plan: Plan; anchor: Instant | null };

/**
 * Plan and anchor of an instant. A change after the start of billing to another interval is the new anchor; an earlier one leaves all dates
 * as they are.
 */
export function termsAt(subscription: Subscription, instant: Instant): Terms {
  const { first_plan, changes, anchor } = subscription;
  const first = billingStart(subscription);
  const terms: Terms = { plan: first_plan, anchor };
  for (const { at, plan, cycle } of changes) {
    if (at > instant) break;
    const is_restart = cycle === 'restart' && !isBoundary(subscription, terms, at);
    if (first < at && (is_restart || !hasEqualIntervals(terms.plan, plan))) terms.anchor = at;
    terms.plan = plan;
  }
  return terms;
}

/** Plan and anchor of an instant without a change that comes then. */
export function termsBefore(subscription: Subscription, instant: Instant): Terms {
  const changes = subscription.changes.filter(({ at }) => at < instant);
  return termsAt({ ...subscription, changes }, instant);
}

/** Whether a boundary of these terms is at an instant. */
function isBoundary(subscription: Subscription, terms: Terms, instant: Instant): boolean {
  return intervalAt(subscription, terms, instant).start === instant;
}

/** The proration of the change at an instant, `exact` where no period of the old plan is inside; null without a change. */
export function prorationAt(subscription: Subscription, instant: Instant): Proration | null {
  const change = subscription.changes.find(({ at }) => at === instant);
  if (change === undefined) return null;
  return isInside(subscription, instant) ? change.proration : 'exact';
}

/** Whether an instant is inside a period of the plan before, so that the proration of a change then matters. */
export function isInside(subscription: Subscription, instant: Instant): boolean {
  const is_billed = billingStart(subscription) < instant;
  return is_billed && !isBoundary(subscription, termsBefore(subscription, instant), instant);
}

export function hasEqualIntervals(one: Plan, other: Plan): boolean {
  return one.interval === other.interval && one.interval_count === other.interval_count;
}

/** The interval of a plan between two boundaries that contains the instant (billing.md 1). */
function intervalAt(subscription: Subscription, { plan, anchor }: Terms, instant: Instant): Span {
  const { timezone } = subscription;
  const from = anchor ?? billingStart(subscription);
  const boundary = (n: number) => zonedBoundary(timezone, from, plan.interval, n * plan.interval_count);
  let n = 0;
  while (boundary(n) > instant) n--;
  while (boundary(n + 1) <= instant) n++;
  return { start: boundary(n), end: boundary(n + 1) };
}

/** The full period that starts at this instant; a scheduled cancellation may shorten it. */
export function fullPeriodFrom(subscription: Subscription, start: Instant): FullPeriod {
  const terms = termsAt(subscription, start);
  const interval = intervalAt(subscription, terms, start);
  const end = cutShort(subscription, { start, end: interval.end });
  const { plan } = terms;
  const fee_interval = feeInterval(subscription, start, interval);
  const full_period: FullPeriod = {
    ...{ start, end, plan, interval, fee_interval, parts: [], settle: 'balance', ran_to: null },
  };
  full_period.parts.push({ kind: 'part', start, end, full_period, is_closed: false, cause: null });
  return full_period;
}

/** The time of a fee of the period that begins at an instant (billing.md 10). */
function feeInterval(subscription: Subscription, start: Instant, interval: Span): Span | null {
  const proration = prorationAt(subscription, start);
  if (proration === 'none') return null;
  return proration === 'full' ? { start, end: interval.end } : interval;
}

/** The end of a span, or the cancellation that is scheduled inside. */
function cutShort({ cancel_at }: Subscription, { start, end }: Span): Instant {
  return cancel_at !== null && start < cancel_at && cancel_at < end ? cancel_at : end;
}

/** Ends the open period at the cancellation that is scheduled inside, else at its boundary. */
export function followEnd(subscription: Subscription): void {
  const part = openPart(subscription);
  if (part !== null)
    endPart(part, cutShort(subscription, { start: part.start, end: part.full_period.interval.end }));
}

/** Ends a part here or where it ends anyway, and with it the period, since no part follows. */
export function endPart(part: Part, end: Instant): void {
  part.end = end;
  part.full_period.end = end;
}

/** The part that collects usage now; null before the first period begins and after the last part is closed. */
export function openPart({ full_periods }: Subscription): Part | null {
  const last = full_periods.at(-1)?.parts.at(-1);
  return last === undefined || last.is_closed ? null : last;
}

/** The end of the full period that bills usage of this instant, by the plan then; null if there is none and never will be. */
export function billingEndAt(subscription: Subscription, instant: Instant): Instant | null {
  const { cancel_at } = subscription;
  if (instant < billingStart(subscription) || (cancel_at !== null && cancel_at <= instant)) return null;
  return intervalAt(subscription, termsAt(subscription, instant), instant).end;
}

/** The first full period by the plan that is scheduled for its start; null if a cancellation comes before it. */
export function firstBillingPeriod(subscription: Subscription): Span | null {
  const start = billingStart(subscription);
  if (neverBills(subscription)) return null;
  const { end } = intervalAt(subscription, termsAt(subscription, start), start);
  return { start, end };
}

/** The change of plan that ends a period before its own end; null if there is none. */
function changeWithin({ changes }: Subscription, { start, end }: Span): Change | null {
  return changes.find(({ at }) => start < at && at < end) ?? null;
}

/** Whether a full period has ended, or was taken out at its start. */
export function isOver({ parts }: FullPeriod): boolean {
  return parts.at(-1)?.is_closed ?? true;
}

/** The end of a full period as far as it is known: the next boundary, or a change of plan or a cancellation before it. */
export function knownEnd(
  subscription: Subscription,
  full_period: FullPeriod,
): { end: Instant; settle: Settle } {
  const { end, settle } = full_period;
  if (isOver(full_period)) return { end, settle };
  const change = changeWithin(subscription, full_period);
  if (change !== null) return { end: change.at, settle: change.settle };
  return { end, settle: subscription.cancel_at === end ? subscription.settle : settle };
}

/** The end of a period's fees as far as it is known, and the full period that it ends with: the old fee may run on after a change. */
export function feeEnd(
  subscription: Subscription,
  full_period: FullPeriod,
): { end: Instant; settle: Settle; last: FullPeriod } {
  let last = full_period;
  for (;;) {
    const { end, settle } = knownEnd(subscription, last);
    const runs_on = last.start < end && prorationAt(subscription, end) === 'none';
    const next = runs_on ? followingPeriod(subscription, last) : null;
    if (next === null) return { end, settle, last };
    last = next;
  }
}

/** The full period whose fees run in this one: itself, or the one before it that a change left running. */
export function feePeriod({ full_periods }: Subscription, full_period: FullPeriod): FullPeriod {
  let first = full_period;
  while (first.fee_interval === null) {
    const { start } = first;
    first = full_periods.find(({ end }) => end === start)!;
  }
  return first;
}

/** The full periods that were billed, those that an end left out since too, oldest first. */
export function billedPeriods({ full_periods, left_out }: Subscription): FullPeriod[] {
  return [...full_periods, ...left_out].toSorted((a, b) => (a.start < b.start ? -1 : 1));
}

/** The full period that follows, also one that has not begun; null after a cancellation. */
export function followingPeriod(subscription: Subscription, full_period: FullPeriod): FullPeriod | null {
  const { cancel_at, full_periods } = subscription;
  const { end } = knownEnd(subscription, full_period);
  if (cancel_at !== null && cancel_at <= end) return null;
  return full_periods.find(({ start }) => start === end) ?? fullPeriodFrom(subscription, end);
}

/** The end of a period, or the change of plan that ends it before. */
export function endOf(subscription: Subscription, period: Part | LatePeriod): Instant {
  const change = period.kind === 'part' ? changeWithin(subscription, period) : null;
  return change?.at ?? period.end;
}

/** The open part or the late window, whichever ends next and is then billed. Null before the first period begins. */
export function nextEnding(subscription: Subscription): Part | LatePeriod | null {
  const { late_period } = subscription;
  return late_period !== null && !late_period.is_closed ? late_period : openPart(subscription);
}

/** The instant at which the clock must stop next: at an end, or at the start of the first period. */
export function nextInstant(subscription: Subscription): Instant | null {
  const ending = nextEnding(subscription);
  if (ending !== null) return endOf(subscription, ending);
  if (neverBills(subscription)) return subscription.has_ended ? null : subscription.cancel_at;
  const has_begun = subscription.full_periods.length > 0;
  return has_begun ? null : billingStart(subscription);
}

/** The period that runs, without what is scheduled inside; null once canceled. */
export function currentPeriod(subscription: Subscription, now: Instant): Span | null {
  const { start, trial_end } = subscription;
  if (statusAt(subscription, now) === 'canceled') return null;
  if (trial_end !== null && now < trial_end) return { start, end: trial_end };
  const part = openPart(subscription);
  if (part !== null) return { start: part.start, end: part.full_period.interval.end };
  return { start, end: intervalAt(subscription, termsAt(subscription, start), start).end };
}

/** The instant that `period_end` means: the end of the period that runs, before the start the start; null once canceled. */
export function periodEnd(subscription: Subscription, now: Instant): Instant | null {
  if (statusAt(subscription, now) === 'pending') return subscription.start;
  return currentPeriod(subscription, now)?.end ?? null;
}

/** The current period that the API shows: a change that is scheduled inside ends it, and a cancellation, also in a trial. */
export function shownPeriod(subscription: Subscription, now: Instant): Span | null {
  const period = currentPeriod(subscription, now);
  if (period === null) return null;
  const shown = { ...period, end: cutShort(subscription, period) };
  const { trial_end } = subscription;
  if (trial_end !== null && now < trial_end) return shown;
  return { ...shown, end: changeWithin(subscription, shown)?.at ?? shown.end };
}
