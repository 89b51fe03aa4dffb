import { conflict, invalid, type BillingError } from './errors.ts';
import { beginningOf, isDay } from './local-time.ts';
import { addDays, addYears, billingStart } from './period.ts';
import {
  endOfPeriodAt,
  phaseAt,
  phasesBy,
  scheduleAt,
  type PlanPhase,
  type PlanSchedule,
} from './plan-phase.ts';

const YEARS_AHEAD_MAX = 1;
const DAYS_BACK_MAX = 35;

/** `now`, `period_end`, an instant, or a day, which begins in the time zone of the subscription. */
export type ChangeTime = string;

/** A subscription as far as a change of its plan asks. */
export type Changing = PlanSchedule & {
  id: string;
  now: string;
  cancel_at: string | null;
  /** The start of the open period. */
  open_from: string;
};

/** The instant of a change, and whether it was sent as a day; the end of a period is one where its anchor is. */
export function instantOfChange(
  schedule: PlanSchedule & { now: string },
  at: ChangeTime,
): { at: string; is_day: boolean } {
  const { now, timezone } = schedule;
  if (at === 'now') return { at: now, is_day: false };
  if (at === 'period_end')
    return { at: endOfPeriodAt(schedule, now), is_day: scheduleAt(schedule, now).anchor_is_day };
  return { at: beginningOf(at, timezone), is_day: isDay(at) };
}

/**
 * The plans of a subscription with a change, which takes the place of the one at its instant and of every one that is still to come. Throws
 * invalid_request `out_of_range`, and conflict `invalid_state` for a subscription that has ended by then, for the plan that holds anyway, and
 * for a time before the open period (contract.md 3).
 */
export function phasesWith(changing: Changing, change: PlanPhase & { from: string }): PlanPhase[] {
  refuseTime(changing, change.from);
  const standing = phasesBy(changing, changing.now);
  if (phaseAt({ phases: standing }, change.from).plan_id === change.plan_id)
    throw invalidState(changing, `has the plan ${change.plan_id} at ${change.from} already`);
  const kept = standing.filter(({ from }) => from !== change.from);
  return [...kept, change].sort((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1));
}

function refuseTime(changing: Changing, at: string): void {
  const { now, cancel_at, open_from } = changing;
  const earliest = addDays(now, -DAYS_BACK_MAX);
  const latest = addYears(now, YEARS_AHEAD_MAX);
  if (at < earliest || at > latest)
    throw invalid('at', 'out_of_range', `at must be between ${earliest} and ${latest}`);
  if (cancel_at !== null && cancel_at <= now) throw invalidState(changing, `was canceled at ${cancel_at}`);
  if (cancel_at !== null && cancel_at <= at) throw invalidState(changing, `ends at ${cancel_at}`);
  // Before billing begins, the open period may be one that is to come.
  if (at < open_from && (at < now || now >= billingStart(changing)))
    throw invalidState(changing, `is billed up to ${open_from}, and at is before it`);
}

function invalidState({ id }: Changing, why: string): BillingError {
  return conflict('at', 'invalid_state', `subscription ${id} ${why}`);
}
