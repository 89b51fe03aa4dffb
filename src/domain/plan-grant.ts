import { addDays } from './period.ts';

/** Credit that comes with each full period of a plan (billing.md 4). Amounts in units, as decimal strings. */
export type PlanGrant = {
  amount: string;
  /** The events whose charges it covers; null for all. */
  event_names: readonly string[] | null;
  expires: 'period_end' | { days: number };
  /** Units that may cover usage of the next full period; null: none. */
  carry_over_max: string | null;
};

/** The terms of a plan's grants for a full period that begins, in the order of the plan's list. */
export function grantsOfPeriod(
  grants: readonly PlanGrant[],
  { period_start, period_end }: { period_start: string; period_end: string },
) {
  return grants.map(({ amount, event_names, expires, carry_over_max }, place) => {
    const lasts = expires === 'period_end';
    return {
      ...{ place, amount, event_names, carry_over_max, full_period_start: period_start },
      ...{ created_at: period_start, rollover: !lasts, expires_in_days: lasts ? null : expires.days },
      period_bound: lasts ? period_end : null,
      expires_at: lasts ? period_end : addDays(period_start, expires.days),
    };
  });
}
