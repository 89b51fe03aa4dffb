import { invalid } from '../money/errors.ts';
import { dayAfter, dayOf, startOfDay } from '../time/local-time.ts';

/** Why a person pauses the collection of an invoice or of all that a customer owes (billing.md 18). */
export const PAUSE_REASONS = ['disputed', 'promised', 'other'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** Days ahead of today on which a pause may end. */
export const PAUSE_DAYS_MAX = 366;

/**
 * The instant at which a pause is over: the end of its last day in the customer's time zone; null without one. Throws
 * invalid_request `out_of_range` for a day before today, and for one that is more than PAUSE_DAYS_MAX ahead.
 */
export function pauseEndsAt(
  until: string | null,
  { now, timezone }: { now: string; timezone: string },
): string | null {
  if (until === null) return null;
  const today = dayOf(now, timezone);
  const last = dayAfter(today, PAUSE_DAYS_MAX);
  if (until < today || until > last)
    throw invalid('until', 'out_of_range', `until must be from ${today} to ${last}, days in ${timezone}`);
  return startOfDay(dayAfter(until), timezone);
}
