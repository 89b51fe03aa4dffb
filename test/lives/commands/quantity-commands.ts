import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assertRefused } from '../../support/ledger/refused.ts';
import {
  comingOf,
  refusalsOfQuantities,
  setQuantities,
  takeBackQuantities,
} from '../model/quantity-requests.ts';
import type { QuantityRefusal, QuantityRequest } from '../model/quantity-requests.ts';
import { billingStart, openPart } from '../model/periods.ts';
import { namesAt } from '../model/quantities.ts';
import { note, type Settle, type Subscription, type World } from '../model/world.ts';
import { post } from '../run/session.ts';
import { QUANTITY_KINDS } from './charges.ts';
import { assertInvalidState, command, picked, untilSettled, type Command } from './command.ts';
import { SETTLES } from './customer-commands.ts';
import { endsAlone, isAboutAYearAhead, momentOf, timeOf, type Moment, type When } from './instants.ts';
import { aQuantity } from './life.ts';

/** Quantities before it is known what they mean in the life. */
type QuantityChoice = Moment & {
  pick: number;
  kinds: readonly (typeof QUANTITY_KINDS)[number][];
  /** Only names that the plan has, so that nothing is refused for its names. */
  fits: boolean;
  quantities: readonly string[];
  /** The values to send; null for none. */
  settle: Settle | null;
  bill: 'with_next' | 'now' | null;
};

/** Fewer than may be to come. */
const COMING_MAX = 10;

const USUAL: readonly When[] = [
  ...(['now', 'now', 'now', 'ahead', 'ahead', 'ahead', 'past', 'past', 'start'] as const),
  ...(['period_end', 'later period', 'before', 'too far'] as const),
];

type Subject = { pick: fc.Arbitrary<number>; fits: fc.Arbitrary<boolean> };

const choosing = (subject: Subject, whens: readonly When[]): fc.Arbitrary<QuantityChoice> =>
  fc.record({
    ...subject,
    ...momentOf(whens),
    kinds: fc.constantFrom<QuantityChoice['kinds'][]>(
      ['seat'],
      ['seat'],
      ['seat'],
      ['site'],
      ['seat', 'site'],
    ),
    quantities: fc.array(aQuantity, { minLength: 2, maxLength: 2 }),
    settle: SETTLES,
    bill: fc.constantFrom(null, 'with_next', 'now', 'now'),
  });

type Asked = { subscription: Subscription; request: QuantityRequest; body: object };

function askedOf(world: World, choice: QuantityChoice): Asked | null {
  const subscription = picked(world.subscriptions, choice.pick)!;
  const time = timeOf(world, subscription, choice);
  if (time === null) return null;
  const place = world.subscriptions.indexOf(subscription);
  const { settle, bill } = choice;
  const asked = choice.kinds.map((kind) => `${kind}-${place}`);
  const known = namesAt(subscription, time.at);
  const fitting = asked.filter((name) => known.includes(name));
  const names = choice.fits ? (fitting.length > 0 ? fitting : known) : asked;
  if (names.length === 0) return null;
  const quantities = Object.fromEntries(names.map((name, nth) => [name, choice.quantities[nth]!]));
  const request = {
    quantities,
    at: time.at,
    settle: settle ?? 'balance',
    bill: bill ?? 'with_next',
  } as const;
  const sent = { ...(settle === null ? {} : { settle }), ...(bill === null ? {} : { bill }) };
  return { subscription, request, body: { quantities, at: time.sent, ...sent } };
}

/** Whether the rules say clearly what follows. */
function isClear(world: World, { subscription, request }: Asked): boolean {
  const { at } = request;
  if (isAboutAYearAhead(world, at) || !endsAlone(world, subscription, at)) return false;
  if (comingOf(world, subscription).length >= COMING_MAX) return false;
  // What a change of plan before billing sends with it may come before or after the beginning.
  const isWithChange = subscription.quantities.some(
    (step) => step.with_change && step.at! <= billingStart(subscription),
  );
  if (openPart(subscription) === null && isWithChange) return false;
  return refusalsOfQuantities(world, subscription, request).length <= 1;
}

/** A request for quantities, sometimes one that is refused. */
const setting = (choices: fc.Arbitrary<QuantityChoice>): fc.Arbitrary<Command> =>
  choices.map((choice) =>
    command({
      name: `quantities: ${choice.when}, ${choice.bill}`,
      isPossible: (world) => {
        const asked = askedOf(world, choice);
        return asked !== null && isClear(world, asked);
      },
      run: async (world, session) => {
        const { subscription, request, body } = askedOf(world, choice)!;
        const place = world.subscriptions.indexOf(subscription);
        session.steps.push(`quantities of subscription ${place}: ${JSON.stringify(body)}`);
        const answer = await post(
          session,
          `/v1/subscriptions/${session.subscriptions[place]}/quantities`,
          body,
        );
        const [refusal] = refusalsOfQuantities(world, subscription, request);
        if (refusal !== undefined) {
          note(world, `quantities refused: ${refusal}`);
          return assertRefused(answer, { code: codeOf(refusal), reason: refusal });
        }
        setQuantities(world, subscription, request);
        note(world, `quantities: ${choice.when}`);
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        await untilSettled(world, session);
      },
    }),
  );

function codeOf(refusal: QuantityRefusal): 'conflict' | 'invalid_request' {
  return refusal === 'invalid_state' || refusal === 'too_many' ? 'conflict' : 'invalid_request';
}

export const someQuantities = setting(
  choosing({ pick: fc.nat(2), fits: fc.constantFrom(true, true, false) }, USUAL),
);
/** Quantities of the newest subscription, of names that its plan has. */
export const quantitiesAt = (...whens: When[]) =>
  setting(choosing({ pick: fc.constant(0), fits: fc.constant(true) }, whens));

/** Takes back what is scheduled for an instant, also where nothing is. */
export const aQuantityTakeBack: fc.Arbitrary<Command> = fc
  .record({ pick: fc.nat(2), nth: fc.nat(3) })
  .map(({ pick, nth }) =>
    command({
      name: 'take back quantities',
      run: async (world, session) => {
        const subscription = picked(world.subscriptions, pick)!;
        const place = world.subscriptions.indexOf(subscription);
        const coming = comingOf(world, subscription);
        const at = coming.length === 0 ? world.now : coming[nth % coming.length]!.at!;
        session.steps.push(`take back the quantities of subscription ${place} at ${at}`);
        const path = `/v1/subscriptions/${session.subscriptions[place]}/quantities?at=${at}`;
        const answer = await session.request(path, { method: 'DELETE' });
        if (!takeBackQuantities(world, subscription, at)) return assertInvalidState(world, answer);
        note(world, 'quantities taken back');
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
      },
    }),
  );
