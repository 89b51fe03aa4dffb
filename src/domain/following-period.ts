import { addDays, billingStart, earliest, periodAfter, type Period, type Schedule } from './period.ts';

/**
 * A period of a subscription. Parts of one full period share `full_period_start`. A period of kind `late` collects late usage and invoice
 * items after the end of a canceled subscription. The time before a start at which the subscription ends is a trial.
 */
export type SubscriptionPeriod = Omit<Period, 'kind'> & {
  kind: Period['kind'] | 'late';
  full_period_start: string;
};

/** A period of a subscription as it is stored; `closed_at` is null while it is open. */
export type StoredPeriod = SubscriptionPeriod & { closed_at: string | null };

/** Everything besides the current period that decides the next period. */
export type PeriodContext = {
  schedule: Schedule;
  cancel_at: string | null;
  now: string;
  late_usage_days: number;
  /** It ends before it bills anything, and invoice items are pending. */
  ends_with_items: boolean;
};

/** The period after `period`; null if the subscription ends there. */
export function periodFollowing(
  period: SubscriptionPeriod,
  context: Omit<PeriodContext, 'now'>,
): SubscriptionPeriod | null {
  const { period_end } = period;
  const { schedule, cancel_at, late_usage_days, ends_with_items } = context;
  if (period.kind === 'late') return null;
  if (cancel_at !== null && cancel_at <= period_end)
    return period.kind === 'billing' || ends_with_items ? latePeriod(cancel_at, late_usage_days) : null;
  const next = periodAfter(schedule, period_end);
  const is_cut = period.kind === 'billing' && period_end < period.interval_end;
  return {
    ...next,
    period_end: cancel_at === null ? next.period_end : earliest(next.period_end, cancel_at),
    full_period_start: is_cut ? period.full_period_start : period_end,
  };
}

/**
 * The open period after a cancellation before its end; null if it closes without an invoice (billing.md 5 and 7). A period that has begun is
 * cut. One that would begin at the end or later is the time until then, if the end is still to come, else the late period, provided that
 * something was billed or items are pending. `interval_*` stay, so that they say what was left out.
 */
export function periodAtEnd(
  period: SubscriptionPeriod,
  context: PeriodContext & { cancel_at: string },
): SubscriptionPeriod | null {
  const { schedule, cancel_at, now, late_usage_days, ends_with_items } = context;
  const begins = period.period_start < cancel_at;
  if (cancel_at > now)
    return begins
      ? { ...period, period_end: cancel_at }
      : { ...period, kind: 'trial', period_start: now, period_end: cancel_at, full_period_start: now };
  if (begins && cancel_at >= schedule.start_date) return { ...period, period_end: cancel_at };
  const has_billed = cancel_at > billingStart(schedule);
  const late = has_billed || ends_with_items ? latePeriod(cancel_at, late_usage_days) : null;
  const { interval_start, interval_end } = period;
  return late && { ...late, interval_start, interval_end };
}

/**
 * The late period after a cancellation; at its end one last invoice bills late usage and pending items (billing.md 5 and 7). Null for
 * `late_usage_days` 0.
 */
export function latePeriod(period_start: string, late_usage_days: number): SubscriptionPeriod | null {
  if (late_usage_days === 0) return null;
  const period_end = addDays(period_start, late_usage_days);
  const bounds = {
    period_start,
    period_end,
    interval_start: period_start,
    interval_end: period_end,
  };
  return { kind: 'late', ...bounds, full_period_start: period_start };
}
