import fc from 'fast-check';
import { currentPeriod } from '../model/periods.ts';
import type { Discount } from '../model/percents.ts';
import { later, lengthOf, type Instant, type Span, type Subscription, type World } from '../model/world.ts';
import { timeWithin, type Time } from './instants.ts';
import { HAS_PERIOD_LINES } from './life.ts';

/** Discounts as a life intends them, and the instants that they mean in it. */

const DAY_MS = 86_400_000;

/** `start` and `end` are the bounds of the period that runs, `before` and `later` the two periods before and after it. */
type When = 'now' | 'start' | 'end' | 'past' | 'before' | 'ahead' | 'later';

/** An instant as a life intends it; sometimes a day. */
type Moment<Kind> = { when: Kind; place: number; is_day: boolean };

const momentOf = <Kind>(...whens: Kind[]): fc.Arbitrary<Moment<Kind>> =>
  fc.record({
    when: fc.constantFrom(...whens),
    place: fc.constantFrom(0.1, 0.3, 0.5, 0.8),
    is_day: fc.constantFrom(false, false, true),
  });

export type DiscountChoice = {
  /** The place of a subscription; null for all. */
  place: number | null;
  /** A percent, or an amount. */
  off: Pick<Discount, 'percent' | 'amount'>;
  /** Places of the charges of a plan whose event names it has; null for all. */
  charges: readonly number[] | null;
  from: Moment<When>;
  until: Moment<When | 'never'>;
};

type Off = DiscountChoice['off'];
const PERCENTS: readonly Off[] = [...['10', '10', '20', '33.3333', '100', '0.5', '0.0001', '99.9999']].map(
  (percent) => ({ percent, amount: null }),
);
const AMOUNTS: readonly Off[] = ['10', '10', '3', '25', '100'].map((amount) => ({ percent: null, amount }));

type Whens = { from: readonly When[]; until: readonly (When | 'never')[] };

const choosing = (offs: readonly Off[], { from, until }: Whens): fc.Arbitrary<DiscountChoice> =>
  fc.record({
    place: fc.constantFrom(null, null, 0, 0, 1, 2),
    off: fc.constantFrom(...offs),
    charges: fc.constantFrom<(readonly number[] | null)[]>(null, null, null, [0], [1], [0, 2]),
    from: momentOf(...from),
    until: momentOf(...until),
  });

const USUAL: Whens = {
  from: ['now', 'now', 'now', 'start', 'end', 'past', 'before', 'ahead', 'later'],
  until: ['never', 'never', 'never', 'never', 'now', 'start', 'end', 'past', 'ahead', 'later', 'later'],
};
/** It holds for the period that runs. */
const PRESENT: Whens = {
  from: ['now', 'start', 'past', 'before'],
  until: ['never', 'never', 'end', 'ahead', 'later'],
};

export const aDiscountChoice = choosing([...PERCENTS, ...(HAS_PERIOD_LINES ? AMOUNTS : [])], USUAL);
export const aPresentChoice = choosing([...PERCENTS, ...(HAS_PERIOD_LINES ? AMOUNTS : [])], PRESENT);
export const anAmountChoice = choosing(AMOUNTS, USUAL);
export const aPresentAmountChoice = choosing(AMOUNTS, PRESENT);

/** The discount that a choice means now; null if there is no such instant. */
export function askedOf(world: World, { place, charges, from, until, off }: DiscountChoice) {
  const { subscriptions, now, discounts } = world;
  const of = subscriptions[(place ?? 0) % subscriptions.length]!;
  const begins = timeOf(world, of, from);
  const ends = until.when === 'never' ? null : timeOf(world, of, { ...until, when: until.when });
  if (begins === null || (ends === null && until.when !== 'never')) return null;
  const subscription = place === null ? null : of;
  const event_names = charges === null || off.percent === null ? null : namesOf(of, charges);
  const name = `Discount ${discounts.length}`;
  const terms = { subscription, name, ...off, event_names, from: begins.at, until: ends?.at ?? null };
  const body = {
    ...{ name },
    ...(off.percent === null ? { amount: off.amount } : { percent: off.percent }),
    ...(event_names === null ? {} : { event_names }),
    ...(from.when === 'now' ? {} : { from: begins.sent }),
    ...(ends === null ? {} : { until: ends.sent === 'now' ? now : ends.sent }),
  };
  return { terms, body };
}

/** The event names of charges at some places of the plan that came last, wrapped around. */
function namesOf({ first_plan, changes }: Subscription, places: readonly number[]): string[] {
  const { charges } = changes.at(-1)?.plan ?? first_plan;
  return [...new Set(places.map((place) => charges[place % charges.length]!.event_name))];
}

function timeOf(world: World, subscription: Subscription, { when, ...position }: Moment<When>): Time | null {
  const { now } = world;
  const around = { start: later(now, -DAY_MS), end: later(now, DAY_MS) };
  const current = currentPeriod(subscription, now) ?? around;
  const exactly = (at: Instant) => ({ at, sent: at });
  if (when === 'now') return { at: now, sent: when };
  if (when === 'start' || when === 'end') return exactly(current[when]);
  return timeWithin(world, subscription, { ...position, span: spanOf(when, { now, current }) });
}

type Inside = Exclude<When, 'now' | 'start' | 'end'>;

function spanOf(when: Inside, { now, current }: { now: Instant; current: Span }): Span {
  const { start, end } = current;
  const two_ms = 2 * lengthOf(current);
  switch (when) {
    case 'past':
      return { start, end: now };
    case 'before':
      return { start: later(start, -two_ms), end: start };
    case 'ahead':
      return { start: now, end };
    case 'later':
      return { start: end, end: later(end, two_ms) };
  }
}

/** `from` and `until` are the ones of the discount, `before` and `beyond` the day before and after them. */
export type EndChoice = Moment<'now' | 'from' | 'until' | 'earlier' | 'later' | 'before' | 'beyond'> & {
  pick: number;
};

export const anEndChoice: fc.Arbitrary<EndChoice> = fc
  .record({
    pick: fc.nat(4),
    moment: momentOf(
      ...(['now', 'now', 'now', 'from', 'from', 'until', 'earlier', 'earlier'] as const),
      ...(['later', 'later', 'before', 'beyond'] as const),
    ),
  })
  .map(({ pick, moment }) => ({ pick, ...moment }));

/** The end that a choice means now; null if there is no such instant. */
export function endOf(world: World, discount: Discount, { when, ...position }: EndChoice): Time | null {
  const { now } = world;
  const { from, until } = discount;
  const of = discount.subscription ?? world.subscriptions[0]!;
  const exactly = (at: Instant | null) => (at === null ? null : { at, sent: at });
  const within = (start: Instant, end: Instant) =>
    timeWithin(world, of, { ...position, span: { start, end } });
  switch (when) {
    case 'now':
      return { at: now, sent: when };
    case 'from':
      return exactly(from);
    case 'until':
      return exactly(until);
    case 'earlier':
      return within(from, until !== null && until < now ? until : now);
    case 'later':
      return within(now < from ? from : now, until ?? later(now, 20 * DAY_MS));
    case 'before':
      return within(later(from, -DAY_MS), from);
    case 'beyond':
      return until === null ? null : within(until, later(until, DAY_MS));
  }
}
