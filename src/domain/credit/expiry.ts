import type { GrantTerms } from './credit.ts';
import { addDays, earliest, firstBillingPeriod, latest, periodAt } from '../time/period.ts';
import { firstSchedule, scheduleAt, type PlanSchedule } from '../subscription/plan-phase.ts';

/** The schedule of a subscription; `cancel_at` is null if it has no scheduled end. */
export type BoundedSchedule = PlanSchedule & { id: string; cancel_at: string | null };

/**
 * The instant when a grant expires (billing.md 4): after its days; without rollover also at the end of the billing
 * periods that run when it is made, the earlier of both. Null means not known yet. `all`: the customer's subscriptions
 * that are not canceled.
 */
export function expiryOf(
  grant: Pick<GrantTerms, 'created_at' | 'rollover' | 'subscription_id'> & { expires_in_days: number | null },
  all: readonly BoundedSchedule[],
): { expires_at: string | null; period_bound: string | null } {
  const { created_at, expires_in_days } = grant;
  const schedules = all.filter(({ id }) => grant.subscription_id === null || grant.subscription_id === id);
  const days_end = expires_in_days === null ? null : addDays(created_at, expires_in_days);
  const period_bound = grant.rollover ? null : periodBound(created_at, schedules);
  const expires_at = days_end && period_bound ? earliest(days_end, period_bound) : (days_end ?? period_bound);
  return { expires_at, period_bound };
}

/**
 * The latest end of the billing periods that run at `created_at`; if none runs, the end of the first billing period
 * that starts later.
 */
function periodBound(created_at: string, schedules: readonly BoundedSchedule[]): string | null {
  const running = schedules.map((schedule) => periodAt(scheduleAt(schedule, created_at), created_at));
  const ends = running.flatMap((period) => (period?.kind === 'billing' ? [period.period_end] : []));
  if (ends.length > 0) return ends.sort().at(-1) ?? null;
  const coming = schedules.flatMap((schedule) => {
    const first = firstBillingPeriod(firstSchedule(schedule));
    return schedule.cancel_at === null || first.period_start < schedule.cancel_at ? [first] : [];
  });
  if (coming.length === 0) return null;
  const start = coming.map(({ period_start }) => period_start).reduce(earliest);
  const first = coming.filter(({ period_start }) => period_start === start);
  return first.map(({ period_end }) => period_end).reduce(latest);
}
