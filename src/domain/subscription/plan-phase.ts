import { USUAL_TERMS, type ChangeTerms, type UnusedTime } from './change-terms.ts';
import {
  billingStart,
  countPeriodEnds,
  earliest,
  latest,
  periodAt,
  type Interval,
  type Period,
  type Schedule,
} from '../time/period.ts';

/**
 * A plan of a subscription from an instant on. `settle` is the use of unused time of fees in advance at the end that
 * the change makes.
 */
export type PlanPhase = ChangeTerms & {
  /** Null for the first plan. */
  from: string | null;
  /** Whether `from` was sent as a day. */
  is_day: boolean;
  plan_id: string;
  interval: Interval;
  interval_count: number;
  /** Whether its periods begin with work: it has fees in advance or grants (billing.md 4 and 10). */
  opens: boolean;
  /** The least that a full period of a whole interval costs; null without (billing.md 13). */
  minimum_amount: string | null;
  /** That of each plan that was exchanged at this instant, by the plan's id. */
  exchanges: Readonly<Record<string, UnusedTime>>;
};

/** The dates of a subscription, and its plans in the order of time. The anchor is that of the first plan. */
export type PlanSchedule = Omit<Schedule, 'interval' | 'interval_count'> & { phases: readonly PlanPhase[] };

/** A plan as far as it decides about periods. */
type Plan = {
  id: string;
  interval: Interval;
  interval_count: number;
  opens: boolean;
  minimum_amount: string | null;
};

/** The first plan of a subscription. */
export function firstPhase({ id: plan_id, ...plan }: Plan): PlanPhase {
  const { interval, interval_count, opens, minimum_amount } = plan;
  return {
    from: null,
    is_day: false,
    plan_id,
    interval,
    interval_count,
    opens,
    minimum_amount,
    exchanges: {},
    ...USUAL_TERMS,
  };
}

/** The plan that holds at an instant: the last one that begins at it or before (billing.md 1). */
export function phaseAt(schedule: Pick<PlanSchedule, 'phases'>, instant: string): PlanPhase {
  return phasesBy(schedule, instant).at(-1)!;
}

/** The plans up to the one that holds at an instant, without those that come after it. */
export function phasesBy({ phases }: Pick<PlanSchedule, 'phases'>, instant: string): PlanPhase[] {
  return phases.filter(({ from }) => from === null || from <= instant);
}

/**
 * Whether the periods of a plan begin with work. A plan that is not among the phases any more counts as one whose
 * periods do.
 */
export function opensPeriods({ phases }: Pick<PlanSchedule, 'phases'>, plan_id: string): boolean {
  const of_plan = phases.filter((phase) => phase.plan_id === plan_id);
  return of_plan.length === 0 || of_plan.some(({ opens }) => opens);
}

/**
 * The minimum of a plan among the phases; null without, and of a plan that is not among them any more: none of its full
 * periods runs (billing.md 13).
 */
export function minimumOf({ phases }: Pick<PlanSchedule, 'phases'>, plan_id: string): string | null {
  return phases.find((phase) => phase.plan_id === plan_id)?.minimum_amount ?? null;
}

/** The plans that hold before a change at an instant: a change that is scheduled is replaced by it. */
export function phasesBefore(
  { phases, now }: Pick<PlanSchedule, 'phases'> & { now: string },
  instant: string,
): PlanPhase[] {
  return phasesBy({ phases }, now).filter(({ from }) => from === null || from < instant);
}

/**
 * The plan that bills a period from `period_start` on; a trial, which is not billed, has the one that holds as it ends.
 */
export function planOfPeriod(
  { phases }: Pick<PlanSchedule, 'phases'>,
  { kind, period_start, period_end }: Pick<Period, 'period_start' | 'period_end'> & { kind: string },
): string {
  if (kind !== 'trial') return phaseAt({ phases }, period_start).plan_id;
  return phases.findLast(({ from }) => from === null || from < period_end)!.plan_id;
}

/**
 * The values that determine the periods from an instant on. Once billing has begun, a change to another interval is the
 * new anchor, as is one that restarts the cycle inside a period (billing.md 1).
 */
export function scheduleAt(schedule: PlanSchedule, instant: string): Schedule {
  const { phases: _, ...dates } = schedule;
  const [first, ...changes] = phasesBy(schedule, instant);
  const { interval, interval_count } = first!;
  return changes.reduce(scheduleAfter, { ...dates, interval, interval_count });
}

function scheduleAfter(before: Schedule, phase: PlanPhase): Schedule {
  const { interval, interval_count, cycle, is_day } = phase;
  const from = phase.from!;
  const after = { ...before, interval, interval_count };
  if (from <= billingStart(before)) return after;
  const is_same = interval === before.interval && interval_count === before.interval_count;
  if (is_same && (cycle === 'keep' || isBoundary(before, from))) return after;
  return { ...after, billing_anchor: from, anchor_is_day: is_day };
}

function isBoundary(schedule: Schedule, instant: string): boolean {
  return periodAt(schedule, instant)?.period_start === instant;
}

/** The schedule of the first billing period. */
export function firstSchedule(schedule: PlanSchedule): Schedule {
  return scheduleAt(schedule, billingStart(schedule));
}

/**
 * Whether a period ends and another plan begins at this instant. Until billing begins, a change exchanges the plan and
 * ends nothing.
 */
export function changesAt(schedule: PlanSchedule, instant: string): boolean {
  return instant > billingStart(schedule) && schedule.phases.some(({ from }) => from === instant);
}

/** The earlier of `end` and the first change of plan after `instant` that ends a period. */
export function endBefore(schedule: PlanSchedule, instant: string, end: string): string {
  const changes = schedule.phases.flatMap(({ from }) =>
    from !== null && from > instant && changesAt(schedule, from) ? [from] : [],
  );
  return changes.reduce(earliest, end);
}

/** A plan of a subscription in [from, to); `to` is null without an end. */
export type PlanTime = { plan_id: string; from: string; to: string | null };

/** The plans of a subscription one after the other, from its start to its end. */
function planTimes({
  phases,
  start_date,
  cancel_at,
}: PlanSchedule & { cancel_at: string | null }): PlanTime[] {
  return phases.flatMap(({ plan_id, from }, place) => {
    const next = phases[place + 1]?.from ?? null;
    const to = next === null || cancel_at === null ? (next ?? cancel_at) : earliest(next, cancel_at);
    const begins = latest(from ?? start_date, start_date);
    return to === null || begins < to ? [{ plan_id, from: begins, to }] : [];
  });
}

/**
 * The times at which a subscription has a plan that it did not have at that time before its plans or its end changed.
 */
export function addedPlanTimes(
  before: PlanSchedule & { cancel_at: string | null },
  after: PlanSchedule & { cancel_at: string | null },
): PlanTime[] {
  const had = planTimes(before);
  return planTimes(after).flatMap((time) => {
    const same = had.find(({ plan_id, from }) => plan_id === time.plan_id && from === time.from);
    if (same === undefined) return [time];
    const { to } = same;
    return to !== null && (time.to === null || to < time.to) ? [{ ...time, from: to }] : [];
  });
}

/**
 * The end of the period that runs at an instant, whatever is scheduled; of a trial its end, and before the start the
 * start.
 */
export function endOfPeriodAt(schedule: PlanSchedule, instant: string): string {
  const period = periodAt(scheduleAt(schedule, instant), instant);
  return period === null ? schedule.start_date : period.period_end;
}

/**
 * Number of periods that end in (`after`, `up_to`] by the plans that hold; `limit + 1` if there are more than `limit`.
 */
export function countEnds(
  schedule: PlanSchedule,
  { after, up_to, limit }: { after: string; up_to: string; limit: number },
): number {
  let ends = 0;
  for (let from = after; from < up_to && ends <= limit;) {
    const to = endBefore(schedule, from, up_to);
    const counted = countPeriodEnds(scheduleAt(schedule, from), { after: from, up_to: to, limit });
    // A change that ends a period at no boundary of the plan before it.
    const is_cut = changesAt(schedule, to) && periodAt(scheduleAt(schedule, from), to)?.period_start !== to;
    ends += counted + (is_cut ? 1 : 0);
    from = to;
  }
  return ends > limit ? limit + 1 : ends;
}
