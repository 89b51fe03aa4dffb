import fc from 'fast-check';
import { assertRefused } from '../../support/ledger/refused.ts';
import { note } from '../model/world.ts';
import { post } from '../run/session.ts';
import { command, picked, type Command } from './command.ts';

/** A custom plan that is based on a custom plan, which is always refused. */
export const aCustomOfCustom: fc.Arbitrary<Command> = fc.nat(2).map((pick) =>
  command({
    name: 'a custom plan of a custom plan',
    isPossible: ({ plans }) => plans.some(({ custom }) => custom !== undefined),
    is_compared: false,
    run: async (world, session) => {
      const base = picked(
        world.plans.filter(({ custom }) => custom !== undefined),
        pick,
      )!;
      const place = world.plans.indexOf(base);
      session.steps.push(`a custom plan based on plan ${place}`);
      const body = { based_on: session.plans[place]!.id, customer_id: session.customer_id, overrides: [] };
      const answer = await post(session, '/v1/pricing-plans', body);
      note(world, 'custom plan of a custom plan refused');
      assertRefused(answer, { code: 'invalid_request', reason: 'not_allowed', param: 'based_on' });
    },
  }),
);
