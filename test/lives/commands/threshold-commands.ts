import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assertRefused } from '../../support/ledger/refused.ts';
import { setBillAt } from '../model/thresholds.ts';
import { statusAt } from '../model/periods.ts';
import { note } from '../model/world.ts';
import { command, picked, type Command } from './command.ts';

/** Amounts at which the open part is billed before its end (billing.md 15); null takes it away. */

const AMOUNTS = ['1', '5', '5', '10', '20', '50', null] as const;
/** Amounts that no currency takes. */
const WRONG = ['0', '-5', '5.00001'] as const;

type Choice = { pick: number; bill_at: string | null; is_wrong: boolean };

const aChoice = (pick: fc.Arbitrary<number>): fc.Arbitrary<Choice> =>
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record({ pick, bill_at: fc.constantFrom(...AMOUNTS), is_wrong: fc.constant(false) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ pick, bill_at: fc.constantFrom(...WRONG), is_wrong: fc.constant(true) }),
    },
  );

/** Sets the amount of a subscription, which the next advance looks at; sometimes it is refused. */
const setting = (choices: fc.Arbitrary<Choice>): fc.Arbitrary<Command> =>
  choices.map(({ pick, bill_at, is_wrong }) =>
    command({
      name: `bill at ${bill_at}`,
      // The documents leave open which reason comes first where there are two.
      isPossible: (world) =>
        !is_wrong || statusAt(picked(world.subscriptions, pick)!, world.now) !== 'canceled',
      run: async (world, session) => {
        const subscription = picked(world.subscriptions, pick)!;
        const place = world.subscriptions.indexOf(subscription);
        session.steps.push(`bill subscription ${place} at ${bill_at}`);
        const path = `/v1/subscriptions/${session.subscriptions[place]}`;
        const answer = await session.request(path, { method: 'PATCH', body: { bill_at } });
        if (is_wrong) {
          note(world, 'bill_at refused: out_of_range');
          return assertRefused(answer, { code: 'invalid_request', reason: 'out_of_range', param: 'bill_at' });
        }
        if (!setBillAt(world, subscription, bill_at)) {
          note(world, 'bill_at refused: invalid_state');
          return assertRefused(answer, { code: 'conflict', reason: 'invalid_state' });
        }
        note(world, bill_at === null ? 'bill_at taken away' : 'bill_at set');
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
      },
    }),
  );

export const aThreshold = setting(aChoice(fc.nat(2)));
/** One of the newest subscription. */
export const aNewestThreshold = setting(aChoice(fc.constant(0)));
