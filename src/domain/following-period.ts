import { addDays, earliest, periodAfter, type Period, type Schedule } from './period.ts';

/**
 * A period of a subscription. Parts of one full period share `full_period_start`. A period of kind `late` collects late usage after the
 * end of a canceled subscription.
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
};

/** The period after `period`; null if the subscription ends there. */
export function periodFollowing(
  period: SubscriptionPeriod,
  context: Omit<PeriodContext, 'now'>,
): SubscriptionPeriod | null {
  const { period_end } = period;
  const { schedule, cancel_at, late_usage_days } = context;
  if (period.kind === 'late') return null;
  if (cancel_at !== null && cancel_at <= period_end)
    return period.kind === 'billing' ? latePeriod(cancel_at, late_usage_days) : null;
  const next = periodAfter(schedule, period_end);
  const is_cut = period.kind === 'billing' && period_end < period.interval_end;
  return {
    ...next,
    period_end: cancel_at === null ? next.period_end : earliest(next.period_end, cancel_at),
    full_period_start: is_cut ? period.full_period_start : period_end,
  };
}

/** The late period after a cancellation; at its end one last invoice bills late usage (billing.md 5). Null for `late_usage_days` 0. */
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
