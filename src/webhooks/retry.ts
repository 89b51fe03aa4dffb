const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
/** Between tries; the last one repeats. */
const DELAYS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  120 * SECOND_MS,
  600 * SECOND_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
];
const DELAY_MS_MAX = 6 * HOUR_MS;
/** Part of a delay that is added by chance, so that deliveries that failed together are not tried together. */
const JITTER = 0.1;
const ASKS_TO_WAIT = new Set([429, 503]);

type Refused = { status: number | null; retry_after: string | null };

/**
 * The instant of the next try after `failures` failed ones, at least 1, the last of which `ended_at` then: after 5 s,
 * 30 s, 2 min, 10 min, 1 h, 3 h and then each 6 h, or when a 429 or 503 asks for it, within 6 h. `chance` is from 0 to
 * 1.
 */
export function nextTryAt(
  { status, retry_after }: Refused,
  { ended_at, failures, chance }: { ended_at: Date; failures: number; chance: number },
): Date {
  const asked_ms = ASKS_TO_WAIT.has(status ?? 0) ? waitOf(retry_after, ended_at) : null;
  const delay_ms = DELAYS_MS[failures - 1] ?? DELAY_MS_MAX;
  return new Date(ended_at.getTime() + Math.round(asked_ms ?? delay_ms * (1 + JITTER * chance)));
}

/** The milliseconds of a Retry-After header, in seconds or as a date, at most 6 hours; null without a valid one. */
function waitOf(retry_after: string | null, ended_at: Date): number | null {
  if (retry_after === null) return null;
  const ms = /^\d{1,9}$/.test(retry_after)
    ? Number(retry_after) * SECOND_MS
    : Date.parse(retry_after) - ended_at.getTime();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), DELAY_MS_MAX);
}
