import fc from 'fast-check';
import { instantAt, localAt } from '../../support/oracles/zone-oracle.ts';
import { secondsOf } from './dates.ts';
import { billingStart, currentPeriod, periodEnd } from '../model/periods.ts';
import { later, lengthOf, type Instant, type Span, type Subscription, type World } from '../model/world.ts';

/** Instants of changes and of ends, as a life means them and as they are sent. */

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** A year has 365 or 366 days, so that instants between these may be too far ahead or not. */
const YEAR_MS = { least: 364 * DAY_MS, most: 367 * DAY_MS };
const TOO_FAR_MS = 400 * DAY_MS;
/** An end may be so far back. */
const BACK_MS = 365 * DAY_MS;

/** `start` is that of the open part or of the trial; the other instants are inside the period, or before it, `billed` after billing began. */
export type When =
  ('now' | 'period_end' | 'ahead' | 'later period' | 'start' | 'past' | 'before' | 'too far') | 'billed';

/** An instant before it is known what it means in the life. */
export type Moment = {
  when: When;
  /** Position in the time that `when` means: 0 is its start, 1 its end. */
  place: number;
  /** The instant is the beginning of a day, and is sent as one. */
  is_day: boolean;
};

export const momentOf = (whens: readonly When[]) => ({
  when: fc.constantFrom(...whens),
  place: fc.constantFrom(0.1, 0.3, 0.5, 0.8),
  is_day: fc.constantFrom(false, false, false, true),
});

/** An instant, and the text that is sent for it. */
export type Time = { at: Instant; sent: string };

/** The instant that a moment means now; null if there is none. */
export function timeOf(world: World, subscription: Subscription, { when, ...position }: Moment): Time | null {
  const { now } = world;
  if (when === 'now') return { at: now, sent: when };
  const current = currentPeriod(subscription, now);
  // A canceled subscription refuses every instant.
  if (current === null) return { at: now, sent: when === 'period_end' ? when : now };
  if (when === 'start') return { at: current.start, sent: current.start };
  if (when === 'period_end') return { at: periodEnd(subscription, now)!, sent: when };
  if (when === 'billed') {
    const first = [billingStart(subscription), later(now, -BACK_MS)].toSorted()[1]!;
    return timeWithin(world, subscription, { ...position, span: { start: first, end: current.start } });
  }
  return timeWithin(world, subscription, { ...position, span: spanOf({ when, now, current }) });
}

/** An instant at a position inside a span; null if it is none of its inside. */
export function timeWithin(
  world: World,
  subscription: Subscription,
  { span, place, is_day }: Omit<Moment, 'when'> & { span: Span },
): Time | null {
  if (span.end <= span.start) return null;
  const instant = later(span.start, Math.floor(lengthOf(span) * place));
  const time = is_day ? dayOf(subscription, instant) : minuteOf(world, subscription, instant);
  return time !== null && span.start < time.at && time.at < span.end ? time : null;
}

type Inside = Exclude<When, 'now' | 'start' | 'period_end' | 'billed'>;

/** The time that `when` means, without its bounds. */
function spanOf({ when, now, current }: { when: Inside; now: Instant; current: Span }): Span {
  const { start, end } = current;
  const length_ms = lengthOf(current);
  switch (when) {
    case 'ahead':
      return { start: now, end };
    case 'later period':
      return { start: end, end: later(end, 2 * length_ms) };
    case 'past':
      return { start, end: now };
    case 'before':
      return { start: later(start, -2 * DAY_MS), end: start };
    case 'too far':
      return { start: later(now, TOO_FAR_MS), end: later(now, TOO_FAR_MS + 3 * DAY_MS) };
  }
}

/** The minute of an instant, at the seconds at which no other subscription ends. */
function minuteOf({ subscriptions }: World, subscription: Subscription, instant: Instant): Time {
  const minute_ms = Math.floor(Date.parse(instant) / MINUTE_MS) * MINUTE_MS;
  const at = new Date(minute_ms + secondsOf(subscriptions.indexOf(subscription))).toISOString();
  return { at, sent: at };
}

/** The day of an instant in the time zone of the subscription; null if it has no midnight. */
function dayOf({ timezone }: Subscription, instant: Instant): Time | null {
  const sent = localAt(timezone, instant).slice(0, 10);
  const midnight = `${sent}T00:00:00.000Z`;
  const at = instantAt(timezone, midnight);
  return localAt(timezone, at) === midnight ? { at, sent } : null;
}

/** Whether an instant is so close to a year ahead that the length of the year decides. */
export function isAboutAYearAhead({ now }: World, at: Instant): boolean {
  const ahead_ms = lengthOf({ start: now, end: at });
  return YEAR_MS.least < ahead_ms && ahead_ms < YEAR_MS.most;
}

/**
 * Subscriptions that end at the same time of day may end at the same instant, and then either could get the credit. Where clocks change,
 * the time of day is only the same to the minute: the seconds of each subscription are its own.
 */
export function endsAlone({ subscriptions, timezone }: World, ending: Subscription, end: Instant): boolean {
  const time_from = timezone === 'UTC' ? 10 : 16;
  const times = subscriptions.flatMap((other) =>
    other === ending
      ? []
      : [
          other.start,
          other.trial_end,
          other.anchor,
          other.cancel_at,
          ...other.changes.map(({ at }) => at),
          ...other.quantities.map(({ at }) => at),
        ],
  );
  return times.every((time) => time?.slice(time_from) !== end.slice(time_from));
}
