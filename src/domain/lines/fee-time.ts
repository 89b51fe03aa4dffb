import { billingStart, earliest, latest } from '../time/period.ts';
import { changesAt, endBefore, phaseAt, type PlanSchedule } from '../subscription/plan-phase.ts';
import type { Proration } from '../subscription/change-terms.ts';
import type { FullPeriod } from './scope.ts';

/** The plans of a subscription, with its end. */
type Ends = PlanSchedule & { cancel_at: string | null };

/**
 * The time that the fees in advance of a full period bill, with the interval for which they are whole (billing.md 10):
 * they run on over changes with proration `none`, and begin whole with a change with `full`. Null for a period in which
 * the fees of the plan before run on.
 */
export function feeTimeOf(ends: Ends, full_period: FullPeriod): FullPeriod | null {
  const { period_start, interval_end, interval_start } = full_period;
  const proration = midCycleProration(ends, period_start, full_period);
  if (proration === 'none') return null;
  const is_whole = proration === 'full';
  let { period_end } = full_period;
  while (midCycleProration(ends, period_end, full_period) === 'none') {
    const end = endBefore(ends, period_end, interval_end);
    period_end = ends.cancel_at === null ? end : earliest(end, ends.cancel_at);
  }
  return { ...full_period, period_end, interval_start: is_whole ? period_start : interval_start };
}

/**
 * The full period whose fees in advance end with a full period: itself, or one before it whose fees ran on. Null where
 * its fees run on.
 */
export function feesEndingWith(ends: Ends, full_period: FullPeriod): FullPeriod | null {
  if (midCycleProration(ends, full_period.period_end, full_period) === 'none') return null;
  const { period_start } = full_period;
  if (midCycleProration(ends, period_start, full_period) !== 'none') return full_period;
  const start = ends.phases
    .flatMap(({ from, proration }) =>
      from !== null && from < period_start && proration !== 'none' && changesAt(ends, from) ? [from] : [],
    )
    .reduce(latest, latest(full_period.interval_start, billingStart(ends)));
  return { ...full_period, period_start: start, plan_id: phaseAt(ends, start).plan_id };
}

/** The full period that begins with the time of fees, up to its own end: its fees may run on over changes. */
export function withOwnEnd(ends: Ends, fee_time: FullPeriod): FullPeriod {
  const { period_start, interval_end } = fee_time;
  const end = endBefore(ends, period_start, interval_end);
  return { ...fee_time, period_end: ends.cancel_at === null ? end : earliest(end, ends.cancel_at) };
}

/**
 * The proration of the change that ends a period at an instant that is no boundary of its interval; null if there is
 * none.
 */
function midCycleProration(
  ends: Ends,
  instant: string,
  { interval_start, interval_end }: Pick<FullPeriod, 'interval_start' | 'interval_end'>,
): Proration | null {
  if (instant <= interval_start || instant >= interval_end || !changesAt(ends, instant)) return null;
  if (ends.cancel_at !== null && ends.cancel_at <= instant) return null;
  return phaseAt(ends, instant).proration;
}
