import type { Temporal } from 'temporal-polyfill';
import { instantOf, localOf } from '../time/local-time.ts';

/** Hours of the day in which emails leave: `from` up to `until`, which is not in it; 0 to 24 is the whole day. */
export type EmailHours = { from: number; until: number };

/**
 * The next instant within the hours, by the local time of a time zone: the instant itself, or the next beginning of
 * the hours. A beginning that the clocks skip is the end of the gap.
 */
export function sendAt(instant: string, timezone: string, hours: EmailHours): string {
  const local = localOf(instant, timezone);
  if (local.hour >= hours.from && local.hour < hours.until) return instant;
  const next = instantOf(nextBeginning(local, hours), timezone);
  // Clocks that go back by hours repeat a beginning, and time has an end: then the email does not wait.
  if (next <= instant) return instant;
  // A gap may take the hours of a day as a whole.
  return sendAt(next, timezone, hours);
}

function nextBeginning(local: Temporal.PlainDateTime, { from }: EmailHours): Temporal.PlainDateTime {
  const today = local.with({ hour: from, minute: 0, second: 0, millisecond: 0 });
  return local.hour < from ? today : today.add({ days: 1 });
}
