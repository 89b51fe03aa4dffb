import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assertRefused } from '../../support/ledger/refused.ts';
import type { Received } from '../../support/servers/api.ts';
import {
  endDiscount,
  makeDiscount,
  refusalsOfDiscount,
  refusalsOfEnd,
  type DiscountRefusal,
} from '../model/discounts.ts';
import { note, type World } from '../model/world.ts';
import { post } from '../run/session.ts';
import { assertInvalidState, command, picked, type Command } from './command.ts';
import {
  aDiscountChoice,
  anEndChoice,
  anAmountChoice,
  aPresentAmountChoice,
  aPresentChoice,
  askedOf,
  endOf,
  type DiscountChoice,
  type EndChoice,
} from './discount-choices.ts';

/** A discount, sometimes one that is refused. The documents leave open which reason comes first of two of one status. */
const making = (choices: fc.Arbitrary<DiscountChoice>): fc.Arbitrary<Command> =>
  choices.map((choice) => {
    const { from, until, off } = choice;
    return command({
      name: `discount of ${off.percent === null ? off.amount : `${off.percent} percent`} from ${from.when} until ${until.when}`,
      isPossible: (world) => {
        const asked = askedOf(world, choice);
        return asked !== null && hasClearRefusal(refusalsOfDiscount(world, asked.terms));
      },
      run: async (world, session) => {
        const { terms, body } = askedOf(world, choice)!;
        const place = terms.subscription === null ? null : world.subscriptions.indexOf(terms.subscription);
        session.steps.push(
          `discount ${JSON.stringify(body)}${place === null ? '' : ` of subscription ${place}`}`,
        );
        const answer = await post(session, '/v1/discounts', {
          ...{ customer_id: session.customer_id, ...body },
          ...(place === null ? {} : { subscription_id: session.subscriptions[place] }),
        });
        const [refusal] = refusalsOfDiscount(world, terms);
        if (refusal !== undefined) return assertRefusal(world, answer, { refusal, param: 'subscription_id' });
        makeDiscount(world, terms);
        note(world, `discount from ${from.when} until ${until.when}`);
        if (terms.event_names !== null) note(world, 'discount of some event names');
        assert.equal(answer.status, 201, JSON.stringify(answer.body));
        assert.equal(answer.headers.get('location'), `/v1/discounts/${answer.body.id}`);
      },
    });
  });

export const aDiscount = making(aDiscountChoice);
export const aPresentDiscount = making(aPresentChoice);
/** One of an amount. */
export const anAmount = making(anAmountChoice);
export const aPresentAmount = making(aPresentAmountChoice);

/** One reason, or one that is found before the state is. */
function hasClearRefusal([first, ...others]: readonly DiscountRefusal[]): boolean {
  return others.length === 0 || first === 'out_of_order';
}

type Refused = { refusal: DiscountRefusal; param: string };

function assertRefusal(world: World, answer: Received, { refusal, param }: Refused): void {
  note(world, `discount refused: ${refusal}`);
  if (refusal === 'too_many') return assertInvalidState(world, answer, refusal);
  if (refusal === 'invalid_state') return assertRefused(answer, { code: 'conflict', reason: refusal, param });
  assertRefused(answer, { code: 'invalid_request', reason: refusal, param: 'until' });
}

/** The end of a discount, sometimes one that is refused. */
export const aDiscountEnd: fc.Arbitrary<Command> = anEndChoice.map((choice) =>
  command({
    name: `end discount ${choice.pick}: ${choice.when}`,
    isPossible: (world) => {
      const asked = askedEnd(world, choice);
      return asked !== null && isClear(choice, asked.refusals);
    },
    run: async (world, session) => {
      const { discount, time, refusals } = askedEnd(world, choice)!;
      const place = world.discounts.indexOf(discount);
      session.steps.push(`end discount ${place} at ${time.sent}`);
      const body = choice.when === 'now' ? {} : { until: time.sent };
      const answer = await post(session, `/v1/discounts/${session.discounts[place]}/end`, body);
      const refusal = refusals.at(-1);
      if (refusal !== undefined) {
        note(world, `end of a discount refused: ${refusal}`);
        if (refusal === 'invalid_state') return assertInvalidState(world, answer);
        return assertRefused(answer, { code: 'invalid_request', reason: refusal, param: 'until' });
      }
      endDiscount(world, discount, time.at);
      note(world, `end of a discount: ${choice.when}`);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    },
  }),
);

function askedEnd(world: World, choice: EndChoice) {
  const discount = picked(world.discounts, choice.pick);
  const time = discount === undefined ? null : endOf(world, discount, choice);
  if (discount === undefined || time === null) return null;
  return { discount, time, refusals: refusalsOfEnd(world, discount, time.at) };
}

/** One reason, or that the discount has ended, where no instant is sent. */
function isClear({ when }: EndChoice, refusals: readonly DiscountRefusal[]): boolean {
  return refusals.length < 2 || when === 'now';
}
