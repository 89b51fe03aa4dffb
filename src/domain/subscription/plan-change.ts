import { conflict, invalid, type BillingError } from '../money/errors.ts';
import { beginningOf, isDay } from '../time/local-time.ts';
import { addDays, addYears, billingStart, latest, periodAt } from '../time/period.ts';
import {
  endOfPeriodAt,
  phaseAt,
  phasesBefore,
  phasesBy,
  scheduleAt,
  type PlanPhase,
  type PlanSchedule,
} from './plan-phase.ts';

const YEARS_AHEAD_MAX = 1;
const CHANGE_DAYS_BACK_MAX = 35;

/** The limit of days of a cancellation in the past. */
export const CANCEL_DAYS_BACK_MAX = 366;

/** `now`, `period_end`, an instant, or a day, which begins in the time zone of the subscription. */
export type ChangeTime = string;

/** A subscription as far as a change of its plan or of its end asks. */
export type Changing = PlanSchedule & {
  id: string;
  now: string;
  cancel_at: string | null;
  /** The start of the open period. */
  open_from: string;
};

/**
 * The instant of a change, and whether it was sent as a day; the end of a period is one where its anchor is. Throws
 * invalid_request `out_of_range` for an instant or a day more than a year ahead or `days_back_max` back.
 */
export function instantOfChange(
  schedule: PlanSchedule & { now: string },
  at: ChangeTime,
  days_back_max = CHANGE_DAYS_BACK_MAX,
): { at: string; is_day: boolean } {
  const { now, timezone } = schedule;
  if (at === 'now') return { at: now, is_day: false };
  if (at === 'period_end')
    return { at: endOfPeriodAt(schedule, now), is_day: scheduleAt(schedule, now).anchor_is_day };
  const instant = beginningOf(at, timezone);
  const [first, last] = [addDays(now, -days_back_max), addYears(now, YEARS_AHEAD_MAX)];
  if (instant < first || instant > last)
    throw invalid('at', 'out_of_range', `at must be between ${first} and ${last}`);
  return { at: instant, is_day: isDay(at) };
}

/**
 * The plans of a subscription with a change, which takes the place of the one at its instant and of every one that is
 * still to come. Throws conflict `invalid_state` for a subscription that has ended by then, for the plan that holds
 * anyway, and for a time before the open period (contract.md 3).
 */
export function phasesWith(changing: Changing, change: PlanPhase & { from: string }): PlanPhase[] {
  refuseTimeOfChange(changing, change.from);
  const standing = phasesBy(changing, changing.now);
  if (phaseAt({ phases: standing }, change.from).plan_id === change.plan_id)
    throw invalidState(changing, `has the plan ${change.plan_id} at ${change.from} already`);
  const other_phases = standing.filter(({ from }) => from !== change.from);
  return [...other_phases, change].sort((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1));
}

/**
 * Throws invalid_request `not_allowed` for the proration `none` of a change that cannot leave the old fee as it is: to
 * a plan of another interval, and in place of a change that has come and ended the fee (billing.md 10).
 */
export function refuseProration(
  schedule: PlanSchedule & { now: string },
  { from, proration, interval, interval_count }: PlanPhase & { from: string },
): void {
  if (proration !== 'none') return;
  const before = scheduleAt({ ...schedule, phases: phasesBefore(schedule, from) }, from);
  if (interval !== before.interval || interval_count !== before.interval_count)
    throw invalid('proration', 'not_allowed', 'proration none is for a plan of the same interval alone');
  if (from <= billingStart(schedule)) return;
  const come = schedule.phases.find((phase) => phase.from === from && from <= schedule.now);
  const is_boundary = periodAt(before, from)?.period_start === from;
  if (come !== undefined && come.proration !== 'none' && !is_boundary)
    throw invalid(
      'proration',
      'not_allowed',
      `the change at ${from} has come and has ended the fee before it`,
    );
}

/**
 * Throws conflict `invalid_state` for a change of a subscription that has ended, or has by then, and at a time before
 * the open period.
 */
export function refuseTimeOfChange(changing: Changing, at: string): void {
  refuseEnded(changing);
  if (isBilled(changing, at))
    throw invalidState(changing, `is billed up to ${openFrom(changing)}, and at is before it`);
  const { cancel_at } = changing;
  if (cancel_at !== null && cancel_at <= at) throw invalidState(changing, `ends at ${cancel_at}`);
}

/**
 * Throws conflict `invalid_state` for an end of a subscription that has ended, and in what is billed at a time not
 * after its billing began.
 */
export function refuseTimeOfEnd(changing: Changing, at: string): void {
  refuseEnded(changing);
  const began = billingStart(changing);
  if (isBilled(changing, at) && at <= began)
    throw invalidState(
      changing,
      `is billed up to ${openFrom(changing)}, from ${began} on, and at is not after that`,
    );
}

/** Whether a time is before the open period. Before billing begins, the open period may be one that is to come. */
export function isBilled(changing: Changing, at: string): boolean {
  const { now } = changing;
  return at < openFrom(changing) && (at < now || now >= billingStart(changing));
}

/** The open period is the time until the start where the subscription ends before it. */
function openFrom({ open_from, start_date }: Changing): string {
  return latest(open_from, start_date);
}

function refuseEnded(changing: Changing): void {
  const { now, cancel_at } = changing;
  if (cancel_at !== null && cancel_at <= now) throw invalidState(changing, `was canceled at ${cancel_at}`);
}

function invalidState({ id }: Changing, why: string): BillingError {
  return conflict('at', 'invalid_state', `subscription ${id} ${why}`);
}
