import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  openPeriodBy,
  periodAtStart,
  periodFollowing,
  type PeriodContext,
  type SubscriptionPeriod,
} from '../../../src/domain/subscription/following-period.ts';
import { addDays, billingStart } from '../../../src/domain/time/period.ts';
import {
  addedPlanTimes,
  countEnds,
  endOfPeriodAt,
  phaseAt,
  scheduleAt,
  type PlanSchedule,
} from '../../../src/domain/subscription/plan-phase.ts';
import { USUAL_TERMS } from '../../../src/domain/subscription/change-terms.ts';
import { midnight } from '../../support/ledger/schedules.ts';

const MONTH = { interval: 'month', interval_count: 1 } as const;
const YEAR = { interval: 'year', interval_count: 1 } as const;
const KIND = { opens: false, minimum_amount: null, exchanges: {}, ...USUAL_TERMS };
const FIRST = { from: null, is_day: false, plan_id: 'plan_1', ...KIND, ...MONTH };
const DATES = {
  start_date: midnight('2026-01-01'),
  trial_end_date: null,
  billing_anchor: null,
  anchor_is_day: false,
  timezone: 'UTC',
};
const changed = (...phases: PlanSchedule['phases']): PlanSchedule => ({
  ...DATES,
  phases: [FIRST, ...phases],
});
const to = (day: string, interval: object, plan_id = 'plan_2') => ({
  ...{ from: midnight(day), is_day: true, plan_id, ...KIND },
  ...(interval as typeof MONTH),
});

/** The periods of a subscription from its start on. */
function walk(schedule: PlanSchedule, count: number): SubscriptionPeriod[] {
  const context = { schedule, cancel_at: null, late_usage_days: 35, ends_with_items: false };
  const periods = [periodAtStart(schedule)];
  while (periods.length < count) periods.push(periodFollowing(periods.at(-1)!, context)!);
  return periods;
}

const shown = ({ period_start, period_end, full_period_start, plan_id }: SubscriptionPeriod) =>
  `${period_start.slice(0, 10)} ${period_end.slice(0, 10)} ${plan_id}${full_period_start === period_start ? '' : ' part'}`;

/** billing.md 1, Change of plan. */
describe('the plans of a subscription', () => {
  it('one after the other, with equal intervals: boundaries stay', () => {
    assert.deepEqual(walk(changed(to('2026-02-16', MONTH)), 4).map(shown), [
      '2026-01-01 2026-02-01 plan_1',
      '2026-02-01 2026-02-16 plan_1',
      '2026-02-16 2026-03-01 plan_2',
      '2026-03-01 2026-04-01 plan_2',
    ]);
  });

  it('another interval is the new anchor, clamped from there', () => {
    const schedule = changed(to('2026-01-31', YEAR), to('2027-01-31', MONTH, 'plan_3'));
    assert.deepEqual(walk(schedule, 5).map(shown), [
      '2026-01-01 2026-01-31 plan_1',
      '2026-01-31 2027-01-31 plan_2',
      '2027-01-31 2027-02-28 plan_3',
      '2027-02-28 2027-03-31 plan_3',
      '2027-03-31 2027-04-30 plan_3',
    ]);
    assert.deepEqual(scheduleAt(schedule, midnight('2026-02-01')).anchor_is_day, true);
  });

  it('until billing begins a change ends nothing, and sets no anchor', () => {
    const trial = { ...changed(to('2026-01-10', YEAR)), trial_end_date: midnight('2026-01-15') };
    assert.deepEqual(walk(trial, 2).map(shown), [
      '2026-01-01 2026-01-15 plan_2',
      '2026-01-15 2027-01-15 plan_2',
    ]);
    const at_end = { ...changed(to('2026-01-15', YEAR)), trial_end_date: midnight('2026-01-15') };
    assert.deepEqual(walk(at_end, 2).map(shown), [
      '2026-01-01 2026-01-15 plan_1',
      '2026-01-15 2027-01-15 plan_2',
    ]);
  });

  const fitted = (
    period: SubscriptionPeriod,
    schedule: PlanSchedule,
    { cancel_at = null, now = midnight('2026-02-05') }: Partial<PeriodContext> = {},
  ) => {
    const context = { schedule, cancel_at, now, late_usage_days: 35, ends_with_items: false };
    const stored = { ...period, opened_at: now, closed_at: null };
    const { opened_at: _, closed_at, ...fit } = openPeriodBy(stored, context);
    assert.equal(closed_at, null);
    return fit;
  };

  it('the open period follows its plans, and has its boundary again without them', () => {
    const [, february] = walk(changed(), 2);
    const cut = fitted(february!, changed(to('2026-02-16', MONTH)));
    assert.equal(shown(cut), '2026-02-01 2026-02-16 plan_1');
    assert.deepEqual(fitted(cut, changed()), february);
    const exchanged = fitted(february!, changed(to('2026-02-01', YEAR)));
    assert.equal(shown(exchanged), '2026-02-01 2027-02-01 plan_2');
    const ending = fitted(february!, changed(to('2026-02-16', MONTH)), { cancel_at: midnight('2026-02-10') });
    assert.equal(shown(ending), '2026-02-01 2026-02-10 plan_1');
    assert.deepEqual(fitted(ending, changed()), february);
  });

  it('the open period follows a trial that is added, moved, or ended, and an end before the start that is taken back', () => {
    const now = midnight('2025-12-20');
    const first = periodAtStart(changed());
    const trying = { ...changed(), trial_end_date: midnight('2026-01-15') };
    const trial = fitted(first, trying, { now });
    assert.deepEqual([trial.kind, shown(trial)], ['trial', '2026-01-01 2026-01-15 plan_1']);
    const longer = fitted(trial, { ...trying, trial_end_date: midnight('2026-02-15') });
    assert.deepEqual(
      [longer.interval_end, shown(longer)],
      [midnight('2026-02-15'), '2026-01-01 2026-02-15 plan_1'],
    );
    const ending = fitted(trial, trying, { cancel_at: midnight('2026-01-10') });
    assert.deepEqual(
      [ending.interval_end, shown(ending)],
      [midnight('2026-01-15'), '2026-01-01 2026-01-10 plan_1'],
    );
    assert.deepEqual(fitted(ending, trying), trial);
    const waiting = fitted(first, changed(), { now, cancel_at: midnight('2025-12-25') });
    assert.deepEqual([waiting.kind, shown(waiting)], ['trial', '2025-12-20 2025-12-25 plan_1']);
    assert.deepEqual(fitted(waiting, changed(), { now }), first);
    const later = fitted(waiting, changed(), { now, cancel_at: midnight('2026-01-10') });
    assert.deepEqual([later.kind, shown(later)], ['billing', '2026-01-01 2026-01-10 plan_1']);
  });

  it('the times that a later end or another plan adds', () => {
    const until = (schedule: PlanSchedule, day: string | null) => ({
      ...schedule,
      cancel_at: day && midnight(day),
    });
    const times = (...[before, after]: Parameters<typeof addedPlanTimes>) =>
      addedPlanTimes(before, after).map(
        ({ plan_id, from, to }) => `${plan_id} ${from.slice(0, 10)} ${to?.slice(0, 10)}`,
      );
    const growing = changed(to('2026-02-16', MONTH));
    assert.deepEqual(times(until(growing, '2026-03-01'), until(growing, null)), [
      'plan_2 2026-03-01 undefined',
    ]);
    assert.deepEqual(times(until(growing, '2026-02-01'), until(growing, '2026-04-01')), [
      'plan_1 2026-02-01 2026-02-16',
      'plan_2 2026-02-16 2026-04-01',
    ]);
    assert.deepEqual(times(until(growing, null), until(growing, '2026-02-20')), []);
    assert.deepEqual(times(until(growing, '2025-12-20'), until(growing, '2026-01-02')), [
      'plan_1 2026-01-01 2026-01-02',
    ]);
    assert.deepEqual(
      times(until(growing, null), until(changed(to('2026-02-20', MONTH)), null)),
      ['plan_1 2026-02-16 2026-02-20'].concat(['plan_2 2026-02-20 undefined']),
    );
  });

  it('the end of the period that runs is that without what is scheduled', () => {
    const schedule = changed(to('2026-02-16', MONTH));
    assert.equal(endOfPeriodAt(schedule, midnight('2026-02-10')), midnight('2026-03-01'));
    assert.equal(endOfPeriodAt(schedule, midnight('2025-12-31')), midnight('2026-01-01'));
  });

  const aPhase = fc.record({
    days: fc.integer({ min: -5, max: 200 }),
    interval: fc.constantFrom('day' as const, 'week' as const, 'month' as const, 'year' as const),
    interval_count: fc.integer({ min: 1, max: 3 }),
  });
  const aPlanSchedule = fc
    .record({
      phases: fc.uniqueArray(aPhase, { selector: ({ days }) => days, maxLength: 4 }),
      trial: fc.constantFrom(0, 0, 9),
    })
    .map(({ phases, trial }): PlanSchedule => {
      const sorted = phases.toSorted((a, b) => a.days - b.days);
      return {
        ...DATES,
        trial_end_date: trial === 0 ? null : addDays(DATES.start_date, trial),
        phases: [
          FIRST,
          ...sorted.map(({ days, ...interval }, place) => ({
            ...{
              from: addDays(DATES.start_date, days),
              is_day: false,
              plan_id: `plan_${place + 2}`,
              ...KIND,
            },
            ...interval,
          })),
        ],
      };
    });

  it('property: periods follow each other, each by the plan of its start, and a period ends at each change', () => {
    fc.assert(
      fc.property(aPlanSchedule, (schedule) => {
        const periods = walk(schedule, 60).filter(({ kind }) => kind === 'billing');
        assert.equal(periods[0]!.period_start, billingStart(schedule));
        for (const [place, period] of periods.entries()) {
          const next = periods[place + 1];
          assert.ok(period.period_start < period.period_end && period.period_end <= period.interval_end);
          assert.equal(period.plan_id, phaseAt(schedule, period.period_start).plan_id);
          assert.ok(next === undefined || next.period_start === period.period_end);
        }
        const last = periods.at(-1)!.period_end;
        const ends = new Set(periods.map(({ period_end }) => period_end));
        for (const { from } of schedule.phases)
          if (from !== null && billingStart(schedule) < from && from <= last) assert.ok(ends.has(from));
      }),
    );
  });

  it('property: an end and a trial that are taken back leave no trace in the open period', () => {
    const anEnd = fc.record({
      days: fc.integer({ min: 1, max: 400 }),
      trial: fc.integer({ min: 10, max: 90 }),
    });
    fc.assert(
      fc.property(aPlanSchedule, fc.nat(20), fc.array(anEnd, { maxLength: 4 }), (schedule, place, ends) => {
        const period = walk(schedule, 25)[place]!;
        const is_first = period.period_start === schedule.start_date;
        const now = is_first ? addDays(schedule.start_date, -10) : period.period_start;
        let open = period;
        for (const { days, trial } of ends) {
          const trial_end_date = is_first ? addDays(schedule.start_date, trial) : schedule.trial_end_date;
          open = fitted(open, { ...schedule, trial_end_date }, { now, cancel_at: addDays(now, days) });
          assert.ok(open.period_start < open.period_end && open.period_end <= addDays(now, days));
        }
        assert.deepEqual(fitted(open, schedule, { now }), period);
      }),
    );
  });

  it('property: the number of period ends is that of the periods', () => {
    fc.assert(
      fc.property(aPlanSchedule, fc.nat(40), (schedule, place) => {
        const periods = walk(schedule, 60).filter(({ kind }) => kind === 'billing');
        const after = periods[0]!.period_start;
        const range = { after, up_to: periods[place]!.period_end, limit: 100 };
        assert.equal(countEnds(schedule, range), place + 1);
        assert.equal(countEnds(schedule, { ...range, limit: 3 }), place + 1 > 3 ? 4 : place + 1);
      }),
    );
  });
});
