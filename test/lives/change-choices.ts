import fc from 'fast-check';
import { instantAt, localAt } from '../support/zone-oracle.ts';
import type { ChangeRefusal } from './changes.ts';
import { picked } from './command.ts';
import { endsAlone, ENDS_MAX, SETTLES } from './customer-commands.ts';
import { aFeePlanIntention, aPlanIntention, planFor, type PlanIntention } from './life.ts';
import { secondsOf } from './dates.ts';
import { changePlan } from './model.ts';
import { currentPeriod, openPart, statusAt, termsAt } from './periods.ts';
import { later, lengthOf } from './world.ts';
import type { Change, Instant, Invoice, Plan, Settle, Span, Subscription, World } from './world.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** A year has 365 or 366 days, so that instants between these may be too far ahead or not. */
const YEAR_MS = { least: 364 * DAY_MS, most: 367 * DAY_MS };
const TOO_FAR_MS = 400 * DAY_MS;

/** `start` is that of the open part or of the trial; the other instants are inside the period, or before it. */
export type When = 'now' | 'period_end' | 'ahead' | 'later period' | 'start' | 'past' | 'before' | 'too far';

/** A change of plan before it is known what it means in the life. */
export type ChangeChoice = {
  pick: number;
  terms: PlanIntention;
  to: 'same interval' | 'any interval' | 'former' | 'present';
  when: When;
  /** Position in the time that `when` means: 0 is its start, 1 its end. */
  place: number;
  /** The instant is the beginning of a day, and is sent as one. */
  is_day: boolean;
  has_dry_run: boolean;
  /** The value to send; null for none, which means the balance. */
  settle: Settle | null;
};

const USUAL: readonly When[] = [
  ...(['now', 'now', 'now', 'now', 'period_end', 'period_end', 'ahead', 'ahead', 'ahead'] as const),
  ...(['later period', 'start', 'past', 'past', 'past', 'past', 'before', 'too far'] as const),
];

export const aChangeChoice = choosing({ pick: fc.nat(2), terms: aPlanIntention }, USUAL);
/** A change of the newest subscription to a plan that most often has fees in advance. */
export const aFeeChoice = (...whens: When[]) =>
  choosing({ pick: fc.constant(0), terms: aFeePlanIntention }, whens);

type Subject = { pick: fc.Arbitrary<number>; terms: fc.Arbitrary<PlanIntention> };

function choosing({ pick, terms }: Subject, whens: readonly When[]): fc.Arbitrary<ChangeChoice> {
  return fc.record({
    pick,
    terms,
    to: fc.constantFrom(
      ...(['same interval', 'same interval', 'same interval', 'any interval', 'any interval'] as const),
      ...(['any interval', 'former', 'former', 'present'] as const),
    ),
    when: fc.constantFrom(...whens),
    place: fc.constantFrom(0.1, 0.3, 0.5, 0.8),
    is_day: fc.constantFrom(false, false, false, true),
    has_dry_run: fc.constantFrom(false, false, true),
    settle: SETTLES,
  });
}

/** A change to ask for: the instant that it means, and the text that is sent for it. */
export type Asked = Change & { subscription: Subscription; sent: string };

/** The change that a choice means now; null if there is no such instant or plan. */
export function askedOf(world: World, choice: ChangeChoice): Asked | null {
  const subscription = picked(world.subscriptions, choice.pick)!;
  const time = timeOf(world, subscription, choice);
  if (time === null) return null;
  const plan = planOf(world, subscription, { at: time.at, ...choice });
  return plan === null ? null : { subscription, plan, settle: choice.settle ?? 'balance', ...time };
}

type Time = { at: Instant; sent: string };

function timeOf(
  world: World,
  subscription: Subscription,
  { when, place, is_day }: ChangeChoice,
): Time | null {
  const { now } = world;
  if (when === 'now') return { at: now, sent: when };
  const current = currentPeriod(subscription, now);
  // A canceled subscription refuses every instant.
  if (current === null) return { at: now, sent: when === 'period_end' ? when : now };
  const { start, end } = current;
  if (when === 'start') return { at: start, sent: start };
  if (when === 'period_end')
    return { at: statusAt(subscription, now) === 'pending' ? start : end, sent: when };
  const span = spanOf({ when, now, current });
  const instant = later(span.start, Math.floor(lengthOf(span) * place));
  const time = is_day ? dayOf(subscription, instant) : minuteOf(world, subscription, instant);
  return time !== null && span.start < time.at && time.at < span.end ? time : null;
}

type Inside = Exclude<When, 'now' | 'start' | 'period_end'>;

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

/** A new plan or a former one; null if there is no other one. */
function planOf(
  world: World,
  subscription: Subscription,
  { at, to, terms }: { at: Instant } & ChangeChoice,
): Plan | null {
  const { plan } = termsAt(subscription, at);
  const place = world.subscriptions.indexOf(subscription);
  const { interval, interval_count } = plan;
  const before = [subscription.first_plan, ...subscription.changes.map((change) => change.plan)];
  switch (to) {
    case 'same interval':
      return planFor({ ...terms, periods: { interval, interval_count } }, place);
    case 'any interval':
      return planFor(terms, place);
    case 'former':
      return before.findLast((other) => other !== plan) ?? null;
    case 'present':
      return plan;
  }
}

/** Whether the rules say clearly what follows, and it is not too much for a life. */
export function isPossible(world: World, asked: Asked): boolean {
  const { at, subscription } = asked;
  const ahead_ms = lengthOf({ start: world.now, end: at });
  if (YEAR_MS.least < ahead_ms && ahead_ms < YEAR_MS.most) return false;
  if (!isClear(world, asked) || !endsAlone(world, subscription, at)) return false;
  return previewChange(world, asked).made.length <= ENDS_MAX;
}

/**
 * The documents leave open two cases before billing begins: an instant before the start of the trial, and one before another change that has
 * come.
 */
function isClear({ now }: World, { subscription, at }: Asked): boolean {
  const { changes, start } = subscription;
  if (openPart(subscription) !== null || now <= at) return true;
  return start <= at && !changes.some((other) => at < other.at && other.at <= now);
}

type Preview = {
  world: World;
  subscription: Subscription;
  refusal: ChangeRefusal | null;
  made: readonly Invoice[];
};

/** The change on a copy of the world, with the invoices that it makes. */
export function previewChange(world: World, { subscription, plan, at, settle }: Asked): Preview {
  const copy = structuredClone({ world, subscription, plan });
  const refusal = changePlan(copy.world, copy.subscription, { plan: copy.plan, at, settle });
  const made = copy.world.invoices.slice(world.invoices.length);
  return { world: copy.world, subscription: copy.subscription, refusal, made };
}
