import type { Db } from '../../db/connection/pool.ts';
import {
  lockClock,
  openPeriodsOf,
  readClock,
  releaseHeldDrafts,
  setClockTarget,
  type CustomerKey,
  type OpenPeriod,
} from '../../db/subscriptions/test-clock.ts';
import { invalid } from '../../domain/money/errors.ts';
import { addYears } from '../../domain/time/period.ts';
import { countEnds } from '../../domain/subscription/plan-phase.ts';

const ADVANCE_YEARS_MAX = 5;
const ADVANCE_PERIODS_MAX = 100;

/**
 * Sets the target of a customer's test clock; the first advance also stops the clock. Repeating an interrupted advance
 * resumes it. Throws not_found if the customer was deleted, and invalid_request for a target before the customer's time
 * (`clock_moved_back`), more than five years ahead (`out_of_range`) or with more than 100 period ends
 * (`too_many_periods`).
 */
export async function beginAdvance(
  db: Db,
  key: CustomerKey,
  advance: { to: string; hold_drafts: boolean },
): Promise<void> {
  const { to, hold_drafts } = advance;
  await lockClock(db, key);
  const { now, target } = await readClock(db, key);
  const earliest = target ?? now;
  if (to < earliest)
    throw invalid('to', 'clock_moved_back', `to must not be before the customer's current time, ${earliest}`);
  const limit = addYears(now, ADVANCE_YEARS_MAX);
  if (to > limit)
    throw invalid(
      'to',
      'out_of_range',
      `to must be at most ${ADVANCE_YEARS_MAX} years ahead, until ${limit}`,
    );
  refuseTooManyPeriods(await openPeriodsOf(db, key), to);
  await setClockTarget(db, key, { to, hold_drafts });
  if (!hold_drafts) await releaseHeldDrafts(db, key, now);
}

/** The number of periods of a customer that end by `to` and are not closed yet. */
export async function countPeriodsLeft(db: Db, key: CustomerKey, to: string): Promise<number> {
  return endsOf(await openPeriodsOf(db, key), to);
}

function endsOf(open_periods: readonly OpenPeriod[], to: string): number {
  return open_periods.reduce((ends, open) => ends + endsBy(open, to), 0);
}

function refuseTooManyPeriods(open_periods: readonly OpenPeriod[], to: string): void {
  if (endsOf(open_periods, to) <= ADVANCE_PERIODS_MAX) return;
  const message = `more than ${ADVANCE_PERIODS_MAX} periods end by ${to}; advance in smaller steps`;
  throw invalid('to', 'too_many_periods', message);
}

/** Number of period ends by `to`, from the open period on, including the late period after a cancellation. */
function endsBy(open: OpenPeriod, to: string): number {
  const { kind, period_start, period_end, cancel_at } = open;
  if (kind === 'late') return period_end <= to ? 1 : 0;
  // The end of a trial makes no invoice.
  const after = kind === 'trial' ? period_end : period_start;
  const isCanceled = cancel_at !== null && cancel_at <= to;
  const ends = countEnds(open, { after, up_to: isCanceled ? cancel_at : to, limit: ADVANCE_PERIODS_MAX });
  // Two more: the period that the cancellation cuts short, and the late period.
  return isCanceled ? ends + 2 : ends;
}
