import { addMilliseconds, earliest } from '../time/period.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Between tries; the last one repeats. */
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS];
const DELAY_MS_MAX = 6 * HOUR_MS;
const TRIED_FOR_MS = 72 * HOUR_MS;

/**
 * The instant of the next try after `failures` failed ones, at least 1, the last of which `ended_at` then: after 1, 5
 * and 30 minutes, 2 hours and then each 6 hours. The last try is 72 hours after the first one; null after it.
 */
export function nextTryAt({
  first_tried_at,
  ended_at,
  failures,
}: {
  first_tried_at: string;
  ended_at: string;
  failures: number;
}): string | null {
  const last_at = addMilliseconds(first_tried_at, TRIED_FOR_MS);
  if (ended_at >= last_at) return null;
  return earliest(addMilliseconds(ended_at, DELAYS_MS[failures - 1] ?? DELAY_MS_MAX), last_at);
}
