import assert from 'node:assert/strict';
import { latePeriod, periodFollowing, type SubscriptionPeriod } from '../../src/domain/following-period.ts';
import type { Schedule } from '../../src/domain/period.ts';

const at = (day: string) => `2026-${day}T00:00:00.000Z`;

const MONTHLY: Schedule = {
  interval: 'month',
  interval_count: 1,
  start_date: at('01-01'),
  trial_end_date: null,
  billing_anchor: null,
  anchor_is_day: false,
  timezone: 'UTC',
};

function periodOf(start: string, end: string, over: Partial<SubscriptionPeriod> = {}): SubscriptionPeriod {
  const bounds = { period_start: at(start), period_end: at(end) };
  const interval = { interval_start: bounds.period_start, interval_end: bounds.period_end };
  return { kind: 'billing', ...bounds, ...interval, full_period_start: bounds.period_start, ...over };
}

const JANUARY = periodOf('01-01', '02-01');
const FIRST_HALF = periodOf('01-01', '01-16', { interval_end: at('02-01') });
const TRIAL = periodOf('01-01', '01-15', { kind: 'trial' });

const CASES: {
  title: string;
  period: SubscriptionPeriod;
  cancel_at?: string;
  late_usage_days?: number;
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
    title: 'the late period is the end',
    period: periodOf('02-01', '03-08', { kind: 'late' }),
    cancel_at: at('02-01'),
    next: null,
  },
];

describe('the period that follows', () => {
  for (const { title, period, cancel_at = null, late_usage_days = 35, next } of CASES)
    it(title, () => {
      const found = periodFollowing(period, { schedule: MONTHLY, cancel_at, late_usage_days });
      assert.deepEqual(
        found && [found.kind, found.period_start, found.period_end, found.full_period_start],
        next && [next[0], at(next[1]), at(next[2]), at(next[3])],
      );
    });

  it('is a late period of exactly late_usage_days days', () => {
    assert.equal(latePeriod(at('02-01'), 1)?.period_end, at('02-02'));
    assert.equal(latePeriod(at('02-01'), 0), null);
  });
});
