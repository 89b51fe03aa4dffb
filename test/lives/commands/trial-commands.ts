import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assertRefused } from '../../support/ledger/refused.ts';
import { command, picked, untilSettled, type Command } from './command.ts';
import { ENDS_MAX } from './customer-commands.ts';
import { endsAlone, timeWithin, type Time } from './instants.ts';
import { billingStart, statusAt } from '../model/periods.ts';
import { post } from '../run/session.ts';
import { setTrial } from '../model/trials.ts';
import { later, note, type Span, type Subscription, type World } from '../model/world.ts';

const DAY_MS = 86_400_000;
/** An instant that is too far from every start. */
const TOO_FAR_MS = 101 * 366 * DAY_MS;

/** `longer` is after the trial or, where there is none, after the start; `shorter` is before its end, `early` before the start. */
type TrialEnd = 'now' | 'longer' | 'shorter' | 'past' | 'early' | 'too far';

type TrialChoice = { pick: number; is_fitting: boolean; ends: TrialEnd; place: number; is_day: boolean };

const aTrialChoice: fc.Arbitrary<TrialChoice> = fc.record({
  pick: fc.nat(2),
  is_fitting: fc.constantFrom(true, true, true, true, false),
  ends: fc.constantFrom<TrialEnd>(
    ...([
      'now',
      'now',
      'now',
      'longer',
      'longer',
      'longer',
      'shorter',
      'shorter',
      'past',
      'early',
      'too far',
    ] as const),
  ),
  place: fc.constantFrom(0.1, 0.3, 0.5, 0.8),
  is_day: fc.constantFrom(false, false, true),
});

/** An end of a trial, mostly of a subscription that is not billed yet; sometimes it is refused. */
export const aTrialEnd: fc.Arbitrary<Command> = aTrialChoice.map((choice) =>
  command({
    name: `end the trial: ${choice.ends}`,
    isPossible: (world) => {
      const asked = askedOf(world, choice);
      return asked !== null && endsAlone(world, asked.subscription, asked.at) && isShort(world, asked);
    },
    run: async (world, session) => {
      const { subscription, sent, at } = askedOf(world, choice)!;
      const place = world.subscriptions.indexOf(subscription);
      session.steps.push(`end the trial of subscription ${place} at ${sent}`);
      const path = `/v1/subscriptions/${session.subscriptions[place]}/trial`;
      const answer = await post(session, path, { ends_at: sent });
      const refusal = setTrial(world, subscription, sent === 'now' ? sent : at);
      if (refusal !== null) {
        note(world, `trial refused: ${refusal}, ${choice.ends}`);
        const code = refusal === 'invalid_state' ? 'conflict' : 'invalid_request';
        return assertRefused(answer, { code, reason: refusal });
      }
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      await untilSettled(world, session);
    },
  }),
);

type Asked = Time & { subscription: Subscription };

/** The end that a choice means now; null if there is none. */
function askedOf(world: World, { pick, is_fitting, ends, ...position }: TrialChoice): Asked | null {
  const { now, subscriptions } = world;
  const isFitting = (one: Subscription) => ['pending', 'trialing'].includes(statusAt(one, now));
  const subscription = picked(is_fitting ? subscriptions.filter(isFitting) : subscriptions, pick);
  if (subscription === undefined) return null;
  // The documents leave open which reason comes first where there are two.
  if (!isFitting(subscription) && (hasTwoReasons(ends) || subscription.start === now)) return null;
  if (ends === 'now') return { subscription, at: now, sent: ends };
  const { place, is_day } = position;
  const span = spanOf(world, subscription, ends);
  const time = timeWithin(world, subscription, { place, is_day: is_day && ends !== 'too far', span });
  return time && { subscription, ...time };
}

/** Whether an end is refused for its instant, whatever the state of the subscription. */
function hasTwoReasons(ends: TrialEnd): boolean {
  return ends !== 'now' && ends !== 'longer';
}

/** The time that an end is in, without its bounds. */
function spanOf({ now }: World, subscription: Subscription, ends: Exclude<TrialEnd, 'now'>): Span {
  const { start } = subscription;
  const begins = billingStart(subscription);
  const [first, later_one] = now < begins ? [now, begins] : [begins, now];
  switch (ends) {
    case 'longer':
      return { start: later_one, end: later(later_one, 3 * DAY_MS) };
    case 'shorter':
      return { start: start < first ? first : start, end: begins };
    case 'past':
      return { start, end: now };
    case 'early':
      return { start: now, end: start };
    case 'too far':
      return { start: later(start, TOO_FAR_MS), end: later(start, TOO_FAR_MS + 3 * DAY_MS) };
  }
}

/** Whether the end makes few invoices. */
function isShort(world: World, { subscription, sent, at }: Asked): boolean {
  const copy = structuredClone({ world, subscription });
  setTrial(copy.world, copy.subscription, sent === 'now' ? sent : at);
  return copy.world.invoices.length - world.invoices.length <= ENDS_MAX;
}
