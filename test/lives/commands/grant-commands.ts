import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assertInvalidState, command, picked, type Command } from './command.ts';
import { noLimits, someLimits, type Limits } from './grant-choices.ts';
import { byAge, makeGrant, voidGrant, type Terms } from '../model/grants.ts';
import { HAS_GRANTS_OF_PLANS } from './life.ts';
import { post } from '../run/session.ts';
import { note } from '../model/world.ts';

type Choice = Omit<Terms, 'event_names' | 'subscription' | 'note'>;

export const aGrantCommand = granting({
  amount: fc.constantFrom('1', '3', '5', '2.5', '12', '40'),
  expires_in_days: fc.constantFrom(null, null, 1, 2, 33),
  rollover: fc.boolean(),
});

/** A grant that is soon used up and outlives its period. */
export const aSmallGrant = granting({
  amount: fc.constantFrom('1', '3', '5', '2.5'),
  expires_in_days: fc.constantFrom(null, null, 33),
  rollover: fc.constant(true),
});

function granting(terms: { [Term in keyof Choice]: fc.Arbitrary<Choice[Term]> }): fc.Arbitrary<Command> {
  return fc
    .record({ chosen: fc.record<Choice>(terms), limits: HAS_GRANTS_OF_PLANS ? someLimits : noLimits })
    .map(({ chosen, limits }) => aGrant(chosen, limits));
}

function aGrant(chosen: Choice, { names, place, note: text }: Limits): Command {
  const limits = JSON.stringify({ names, place, text });
  const name = `grant ${JSON.stringify(chosen)}${(names ?? place ?? text) ? ` ${limits}` : ''}`;
  return command({
    name,
    run: async (world, session) => {
      session.steps.push(name);
      const of = place === null ? null : place % world.subscriptions.length;
      const answer = await post(session, '/v1/credit-grants', {
        ...{ customer_id: session.customer_id, ...chosen, amount: Number(chosen.amount) },
        ...(names === null ? {} : { event_names: names }),
        ...(of === null ? {} : { subscription_id: session.subscriptions[of] }),
        ...(text === null ? {} : { note: text }),
      });
      const subscription = of === null ? null : world.subscriptions[of]!;
      const grant = makeGrant(world, { ...chosen, event_names: names, subscription, note: text });
      if (grant === null) return assertInvalidState(world, answer);
      if (names !== null) note(world, 'grant for event names');
      if (subscription !== null) note(world, 'grant for a subscription');
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
    },
  });
}

export const aGrantVoid: fc.Arbitrary<Command> = fc.nat(3).map((pick) =>
  command({
    name: `void a grant`,
    isPossible: ({ grants }) => grants.length > 0,
    run: async (world, session) => {
      const grants = byAge(world.grants);
      const grant = picked(grants, pick)!;
      const place = grants.indexOf(grant);
      session.steps.push(`void grant ${place}`);
      const answer = await post(session, `/v1/credit-grants/${session.grants[place]}/void`);
      if (!voidGrant(grant)) return assertInvalidState(world, answer);
      note(world, grant.origin === null ? 'grant voided' : 'grant of a plan voided');
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    },
  }),
);
