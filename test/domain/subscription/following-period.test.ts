import assert from 'node:assert/strict';
import {
  latePeriod,
  periodAtEnd,
  periodFollowing,
  type SubscriptionPeriod,
} from '../../../src/domain/subscription/following-period.ts';
import { firstPhase, type PlanSchedule } from '../../../src/domain/subscription/plan-phase.ts';

const at = (day: string) => `2026-${day}T00:00:00.000Z`;

const MONTHLY: PlanSchedule = {
  phases: [
    firstPhase({ id: 'plan_1', interval: 'month', interval_count: 1, opens: false, minimum_amount: null }),
  ],
  start_date: at('01-01'),
  trial_end_date: null,
  billing_anchor: null,
  anchor_is_day: false,
  timezone: 'UTC',
};

function periodOf(start: string, end: string, over: Partial<SubscriptionPeriod> = {}): SubscriptionPeriod {
  const bounds = { period_start: at(start), period_end: at(end) };
  const interval = { interval_start: bounds.period_start, interval_end: bounds.period_end };
  return {
    kind: 'billing',
    ...bounds,
    ...interval,
    full_period_start: bounds.period_start,
    plan_id: 'plan_1',
    ...over,
  };
}

const JANUARY = periodOf('01-01', '02-01');
const FIRST_HALF = periodOf('01-01', '01-16', { interval_end: at('02-01') });
const TRIAL = periodOf('01-01', '01-15', { kind: 'trial' });

const CASES: {
  title: string;
  period: SubscriptionPeriod;
  cancel_at?: string;
  late_usage_days?: number;
  ends_with_items?: boolean;
  /** Kind, start, end, start of the full period; null: the subscription ends. */
  next: [string, string, string, string] | null;
}[] = [
  {
    title: 'a full period is followed by the next',
    period: JANUARY,
    next: ['billing', '02-01', '03-01', '02-01'],
  },
  {
    title: 'the first part of a cut period is followed by the second part of the same full period',
    period: FIRST_HALF,
    next: ['billing', '01-16', '02-01', '01-01'],
  },
  {
    title: 'a cancellation within the next period cuts it',
    period: JANUARY,
    cancel_at: at('02-10'),
    next: ['billing', '02-01', '02-10', '02-01'],
  },
  {
    title: 'the last period is followed by the late period',
    period: JANUARY,
    cancel_at: at('02-01'),
    next: ['late', '02-01', '03-08', '02-01'],
  },
  {
    title: 'no late period follows if late usage is not billed',
    period: JANUARY,
    cancel_at: at('02-01'),
    late_usage_days: 0,
    next: null,
  },
  { title: 'a canceled trial is the end', period: TRIAL, cancel_at: at('01-15'), next: null },
  {
    title: 'a canceled trial with pending items is followed by the late period',
    period: TRIAL,
    cancel_at: at('01-15'),
    ends_with_items: true,
    next: ['late', '01-15', '02-19', '01-15'],
  },
  {
    title: 'the late period is the end',
    period: periodOf('02-01', '03-08', { kind: 'late' }),
    cancel_at: at('02-01'),
    next: null,
  },
];

const textOf = (found: SubscriptionPeriod | null) =>
  found && [found.kind, found.period_start, found.period_end, found.full_period_start];

describe('the period that follows', () => {
  for (const { title, period, next, ...options } of CASES)
    it(title, () => {
      const { cancel_at = null, late_usage_days = 35, ends_with_items = false } = options;
      const context = { schedule: MONTHLY, cancel_at, late_usage_days, ends_with_items };
      assert.deepEqual(
        textOf(periodFollowing(period, context)),
        next && [next[0], at(next[1]), at(next[2]), at(next[3])],
      );
    });

  it('is a late period of exactly late_usage_days days', () => {
    assert.equal(latePeriod(at('02-01'), { late_usage_days: 1, plan_id: 'plan_1' })?.period_end, at('02-02'));
    assert.equal(latePeriod(at('02-01'), { late_usage_days: 0, plan_id: 'plan_1' }), null);
  });
});

const TRYING: PlanSchedule = { ...MONTHLY, trial_end_date: at('01-15') };
/** Runs from 1 January; it is 10 January unless the row says otherwise. */
const ENDS: {
  title: string;
  period: SubscriptionPeriod;
  cancel_at: string;
  schedule?: PlanSchedule;
  now?: string;
  ends_with_items?: boolean;
  late_usage_days?: number;
  /** Kind, start, end, start of the full period; null: it closes. */
  becomes: [string, string, string, string] | null;
}[] = [
  {
    title: 'one that runs is cut',
    ...{ period: JANUARY, cancel_at: at('01-10'), becomes: ['billing', '01-01', '01-10', '01-01'] },
  },
  {
    title: 'one that runs is cut at an end to come',
    ...{ period: JANUARY, cancel_at: at('01-20'), becomes: ['billing', '01-01', '01-20', '01-01'] },
  },
  {
    title: 'a trial that runs is cut',
    ...{ schedule: TRYING, period: TRIAL, cancel_at: at('01-10') },
    becomes: ['trial', '01-01', '01-10', '01-01'],
  },
  {
    title: 'one that begins at the end turns into the late period, if another was billed',
    ...{ period: periodOf('02-01', '03-01'), cancel_at: at('02-01'), now: at('02-01') },
    becomes: ['late', '02-01', '03-08', '02-01'],
  },
  {
    title: 'one that begins at the end closes, if late usage is not billed',
    ...{ period: periodOf('02-01', '03-01'), cancel_at: at('02-01'), now: at('02-01') },
    ...{ late_usage_days: 0, becomes: null },
  },
  {
    title: 'one that begins after an end in a billed period turns into the late period from the end on',
    ...{ period: periodOf('03-01', '04-01'), cancel_at: at('01-20'), now: at('03-05') },
    becomes: ['late', '01-20', '02-24', '01-20'],
  },
  {
    title:
      'one that begins after an end in a billed period turns into a late period up to now, if late usage is not billed',
    ...{ period: periodOf('03-01', '04-01'), cancel_at: at('01-20'), now: at('03-05') },
    ...{ late_usage_days: 0, becomes: ['late', '01-20', '03-05', '01-20'] },
  },
  {
    title: 'the first one closes, if the subscription ends before it',
    ...{ period: JANUARY, cancel_at: at('01-01'), now: at('01-01'), becomes: null },
  },
  {
    title: 'the first one turns into the late period, if the subscription ends before it with items',
    ...{ period: periodOf('02-01', '03-01'), schedule: { ...MONTHLY, start_date: at('02-01') } },
    ...{ cancel_at: at('01-10'), ends_with_items: true, becomes: ['late', '01-10', '02-14', '01-10'] },
  },
  {
    title: 'the first one becomes the time until the start, if the subscription is to end there',
    ...{ period: periodOf('02-01', '03-01'), schedule: { ...MONTHLY, start_date: at('02-01') } },
    ...{ cancel_at: at('02-01'), becomes: ['trial', '01-10', '02-01', '01-10'] },
  },
  {
    title: 'the time until the start closes, if the subscription ends before that',
    ...{ period: periodOf('01-05', '02-01', { kind: 'trial' }), cancel_at: at('01-10'), becomes: null },
    schedule: { ...MONTHLY, start_date: at('02-01') },
  },
  {
    title: 'the first one after a trial closes, if the subscription ends with the trial',
    ...{ period: periodOf('01-15', '02-15'), schedule: TRYING },
    ...{ cancel_at: at('01-15'), now: at('01-15'), becomes: null },
  },
];

describe('the open period of a subscription that ends', () => {
  for (const { title, period, cancel_at, becomes, ...options } of ENDS)
    it(title, () => {
      const {
        schedule = MONTHLY,
        now = at('01-10'),
        ends_with_items = false,
        late_usage_days = 35,
      } = options;
      const found = periodAtEnd(period, { schedule, cancel_at, now, late_usage_days, ends_with_items });
      assert.deepEqual(
        textOf(found),
        becomes && [becomes[0], at(becomes[1]), at(becomes[2]), at(becomes[3])],
      );
    });
});
