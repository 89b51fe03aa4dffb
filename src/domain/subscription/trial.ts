import { conflict, invalid } from '../money/errors.ts';
import { beginningOf, isDay } from '../time/local-time.ts';
import { addYears, billingStart } from '../time/period.ts';
import type { PlanSchedule } from './plan-phase.ts';

const TRIAL_YEARS_MAX = 100;

/** `now`, an instant, or a day, which begins in the time zone of the subscription. */
export type TrialTime = string;

/**
 * The end of a trial that is changed, and whether it was sent as a day. Throws conflict `invalid_state` for a
 * subscription that bills already or has ended, and for `now` before the start; invalid_request as refuseTrialEnd does,
 * and `out_of_range` for the past (contract.md 3).
 */
export function trialEndOf(
  subscription: PlanSchedule & { id: string; now: string; cancel_at: string | null },
  ends_at: TrialTime,
): { trial_end_date: string; is_day: boolean } {
  const { id, now, start_date, cancel_at, timezone } = subscription;
  const invalidState = (why: string) => conflict('ends_at', 'invalid_state', `subscription ${id} ${why}`);
  if (cancel_at !== null && cancel_at <= now) throw invalidState(`was canceled at ${cancel_at}`);
  const billed_from = billingStart(subscription);
  if (billed_from <= now) throw invalidState(`is billed since ${billed_from}, and has no trial any more`);
  const is_now = ends_at === 'now';
  const trial_end_date = is_now ? now : beginningOf(ends_at, timezone);
  if (is_now && now < start_date) throw invalidState(`begins at ${start_date}`);
  refuseTrialEnd('ends_at', trial_end_date, start_date);
  if (trial_end_date < now) throw invalid('ends_at', 'out_of_range', `ends_at must not be before ${now}`);
  return { trial_end_date, is_day: !is_now && isDay(ends_at) };
}

/**
 * Throws invalid_request `out_of_order` for an end of a trial that is not after the start, and `out_of_range` 100 years
 * after it.
 */
export function refuseTrialEnd(
  param: 'trial_end_date' | 'ends_at',
  trial_end_date: string,
  start_date: string,
): void {
  if (trial_end_date <= start_date)
    throw invalid(param, 'out_of_order', `${param} must be after the start date, ${start_date}`);
  const longest = addYears(start_date, TRIAL_YEARS_MAX);
  if (trial_end_date > longest) throw invalid(param, 'out_of_range', `${param} must not be after ${longest}`);
}
