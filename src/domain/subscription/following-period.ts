import { addDays, billingStart, earliest, firstPeriod, periodAfter, type Period } from '../time/period.ts';
import {
  changesAt,
  endBefore,
  firstSchedule,
  opensPeriods,
  phaseAt,
  planOfPeriod,
  scheduleAt,
  type PlanSchedule,
} from './plan-phase.ts';

/**
 * A period of a subscription. Parts of one full period share `full_period_start`. A period of kind `late` collects late
 * usage and invoice items after the end of a canceled subscription. The time before a start at which the subscription
 * ends is a trial.
 */
export type SubscriptionPeriod = Omit<Period, 'kind'> & {
  kind: Period['kind'] | 'late';
  full_period_start: string;
  /** The plan that bills it; of a trial the one that holds at its end. */
  plan_id: string;
};

/**
 * A period of a subscription as it is stored; `closed_at` is null while it is open, `opened_at` until its beginning is
 * worked off.
 */
export type StoredPeriod = SubscriptionPeriod & { opened_at: string | null; closed_at: string | null };

/** Everything besides the current period that decides the next period. */
export type PeriodContext = {
  schedule: PlanSchedule;
  cancel_at: string | null;
  now: string;
  late_usage_days: number;
  /** It ends before it bills anything, and invoice items are pending. */
  ends_with_items: boolean;
};

/**
 * The mark of a period as it is inserted: null where its beginning is work, because it or the period that it follows is
 * billed by a plan with fees in advance (billing.md 10). A trial begins with none.
 */
export function openedAt(
  { kind, plan_id }: SubscriptionPeriod,
  { schedule, now, before }: { schedule: PlanSchedule; now: string; before: SubscriptionPeriod | null },
): string | null {
  const plan_ids = before === null ? [plan_id] : [before.plan_id, plan_id];
  const is_work = kind !== 'trial' && plan_ids.some((id) => opensPeriods(schedule, id));
  return is_work ? null : now;
}

/** The first period: the trial if there is one, else a billing period, which a change of plan may end. */
export function periodAtStart(schedule: PlanSchedule): SubscriptionPeriod {
  const period = firstPeriod(firstSchedule(schedule));
  const { period_start, kind } = period;
  const period_end =
    kind === 'trial' ? period.period_end : endBefore(schedule, period_start, period.period_end);
  const plan_id = planOfPeriod(schedule, period);
  return { ...period, period_end, full_period_start: period_start, plan_id };
}

/** The period after `period`; null if the subscription ends there. */
export function periodFollowing(
  period: SubscriptionPeriod,
  context: Omit<PeriodContext, 'now'>,
): SubscriptionPeriod | null {
  const { period_end } = period;
  const { schedule, cancel_at, late_usage_days, ends_with_items } = context;
  if (period.kind === 'late') return null;
  if (cancel_at !== null && cancel_at <= period_end)
    return period.kind === 'billing' || ends_with_items
      ? latePeriod(cancel_at, { late_usage_days, plan_id: phaseAt(schedule, cancel_at).plan_id })
      : null;
  const next = periodAfter(scheduleAt(schedule, period_end), period_end);
  const is_cut =
    period.kind === 'billing' && period_end < period.interval_end && !changesAt(schedule, period_end);
  const end = endBefore(schedule, period_end, next.period_end);
  return {
    ...next,
    period_end: cancel_at === null ? end : earliest(end, cancel_at),
    full_period_start: is_cut ? period.full_period_start : period_end,
    plan_id: planOfPeriod(schedule, next),
  };
}

/**
 * The open period of a subscription once its trial, its plans or its end have changed: it ends where they let it, and
 * where another plan begins with it, it is a period by that plan (billing.md 1). It closes at once where it makes no
 * invoice.
 */
export function openPeriodBy(period: StoredPeriod, context: PeriodContext): StoredPeriod {
  const { schedule, cancel_at, now } = context;
  if (period.kind === 'late') return period;
  const endless = withoutEnd(period, schedule);
  const is_endless = cancel_at === null || endless.period_end <= cancel_at;
  const ended = is_endless ? endless : periodAtEnd(endless, { ...context, cancel_at });
  const { kind, plan_id, period_start } = ended ?? endless;
  const is_begun_anew =
    kind !== period.kind || plan_id !== period.plan_id || period_start !== period.period_start;
  const opened_at = is_begun_anew
    ? openedAt(ended ?? endless, { schedule, now, before: period })
    : period.opened_at;
  return { ...(ended ?? endless), opened_at, closed_at: ended === null ? now : null };
}

/** The open period as it would be if the subscription had no end. */
function withoutEnd(period: SubscriptionPeriod, schedule: PlanSchedule): SubscriptionPeriod {
  const { kind, period_start } = period;
  // The first one may be the trial, the time until an end before the start, or a billing period that a trial now comes
  // before.
  if (kind === 'trial' || period_start === schedule.start_date) return periodAtStart(schedule);
  const next = periodAfter(scheduleAt(schedule, period_start), period_start);
  return {
    ...next,
    period_end: endBefore(schedule, period_start, next.period_end),
    full_period_start: changesAt(schedule, period_start) ? period_start : period.full_period_start,
    plan_id: planOfPeriod(schedule, next),
  };
}

/**
 * The open period after a cancellation before its end; null if it closes without an invoice (billing.md 5 and 7). A
 * period that has begun is cut. One that would begin at the end or later is the time until then, if the end is still to
 * come, else the late period, provided that something was billed or items are pending. `interval_*` stay, so that they
 * say what was left out. Where the end is in a period that was billed, the late period is never left out, because its
 * invoice credits what was billed after the end.
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
  const { plan_id } = phaseAt(schedule, cancel_at);
  const least_end = has_billed && cancel_at < period.period_start ? now : null;
  const late =
    has_billed || ends_with_items ? latePeriod(cancel_at, { late_usage_days, plan_id, least_end }) : null;
  const { interval_start, interval_end } = period;
  return late && { ...late, interval_start, interval_end };
}

/**
 * The late period after a cancellation; at its end one last invoice bills late usage and pending items (billing.md 5
 * and 7). For `late_usage_days` 0 it ends at `least_end`, and is null without one.
 */
export function latePeriod(
  period_start: string,
  {
    late_usage_days,
    plan_id,
    least_end = null,
  }: { late_usage_days: number; plan_id: string; least_end?: string | null },
): SubscriptionPeriod | null {
  const period_end = late_usage_days === 0 ? least_end : addDays(period_start, late_usage_days);
  if (period_end === null) return null;
  const bounds = {
    period_start,
    period_end,
    interval_start: period_start,
    interval_end: period_end,
  };
  return { kind: 'late', ...bounds, full_period_start: period_start, plan_id };
}
