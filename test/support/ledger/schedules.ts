import fc from 'fast-check';
import type { Schedule } from '../../../src/domain/time/period.ts';
import { firstPhase, type PlanSchedule } from '../../../src/domain/subscription/plan-phase.ts';
import type { FullPeriod } from '../../../src/domain/lines/scope.ts';
import { dateText, monthLength } from '../oracles/calendar-oracle.ts';

/** Midnight UTC of a date such as 2026-01-31. */
export function midnight(date: string): string {
  return `${date}T00:00:00.000Z`;
}

/** A monthly schedule from 1 January 2026; `parts` overrides. */
export function aSchedule(parts: Partial<Schedule> = {}): Schedule {
  return {
    interval: 'month',
    interval_count: 1,
    start_date: midnight('2026-01-01'),
    trial_end_date: null,
    billing_anchor: null,
    anchor_is_day: false,
    timezone: 'UTC',
    ...parts,
  };
}

/** The schedule of a subscription that keeps its plan, `plan_1`. */
export function withOnePlan({ interval, interval_count, ...dates }: Schedule): PlanSchedule {
  return {
    ...dates,
    phases: [firstPhase({ id: 'plan_1', interval, interval_count, opens: false, minimum_amount: null })],
  };
}

/** A full billing period of the plan `plan_1`. */
export function aPeriod(start: string, end: string): FullPeriod {
  const [period_start, period_end] = [midnight(start), midnight(end)];
  return {
    kind: 'billing',
    period_start,
    period_end,
    interval_start: period_start,
    interval_end: period_end,
    plan_id: 'plan_1',
  };
}

/** Any instant between two years, often at the end of a month or at midnight. */
export function anInstant(from: number, to: number): fc.Arbitrary<string> {
  const aTime = fc.oneof(
    fc.constantFrom('00:00:00.000', '23:59:59.999'),
    fc.integer({ min: 0, max: 86_399_999 }).map((ms) => new Date(ms).toISOString().slice(11, 23)),
  );
  const aDay = fc.oneof(fc.integer({ min: 28, max: 31 }), fc.integer({ min: 1, max: 31 }));
  return fc
    .tuple(fc.integer({ min: from, max: to }), fc.integer({ min: 1, max: 12 }), aDay, aTime)
    .map(([year, month, day, time]) => {
      const date = dateText(year, month, Math.min(day, monthLength(year, month)));
      return `${date}T${time}Z`;
    });
}

/** Any schedule in UTC, with or without a trial and an anchor; the anchor may lie before or after the start. */
export const anySchedule: fc.Arbitrary<Schedule> = fc
  .record({
    interval: fc.constantFrom('day' as const, 'week' as const, 'month' as const, 'year' as const),
    interval_count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 14 })),
    start_date: anInstant(1970, 2100),
    trial_end_date: fc.option(anInstant(1970, 2101)),
    billing_anchor: fc.option(fc.oneof(anInstant(1970, 2101), anInstant(1970, 9000))),
    anchor_is_day: fc.constant(false),
    timezone: fc.constant('UTC'),
  })
  .map((schedule) => {
    const { start_date, trial_end_date } = schedule;
    return trial_end_date !== null && trial_end_date <= start_date
      ? { ...schedule, trial_end_date: null }
      : schedule;
  });
