import assert from 'node:assert/strict';
import fc from 'fast-check';
import { closeMonth, monthOf } from '../model/closed-months.ts';
import { note, type World } from '../model/world.ts';
import { post } from '../run/session.ts';
import { assertInvalidState, command, picked, type Command } from './command.ts';

/** The months in which documents were issued, by position from the newest; the present one without any. */
function monthFor({ invoices, now }: World, pick: number): string {
  const documents = invoices.flatMap(({ issued_at, notes }) => [
    issued_at,
    ...notes.map((made) => made.issued_at),
  ]);
  const months = documents.flatMap((at) => (at === null ? [] : [monthOf(at)]));
  return picked([...new Set(months)].toSorted(), pick) ?? monthOf(now);
}

/** The close of a month in which a document was issued, also of one that is closed. */
export const aMonthClose: fc.Arbitrary<Command> = closing(fc.nat(3));
export const aCloseOfNewest = aCloseOf(0, 0, 1);

/** The close of one of these months, by the position from the newest. */
export function aCloseOf(...places: number[]): fc.Arbitrary<Command> {
  return closing(fc.constantFrom(...places));
}

function closing(picks: fc.Arbitrary<number>): fc.Arbitrary<Command> {
  return picks.map((pick) =>
    command({
      name: `close month ${pick}`,
      is_compared: false,
      run: async (world, session) => {
        const month = monthFor(world, pick);
        session.steps.push(`close ${month}`);
        const answer = await post(session, '/v1/closed-months', { month });
        if (!closeMonth(world, month)) return assertInvalidState(world, answer);
        note(world, world.closed.get(month)!.was_over ? 'month closed' : 'month closed while it runs');
        assert.equal(answer.status, 201, JSON.stringify(answer.body));
        session.closed.set(month, answer.body);
      },
    }),
  );
}

/** The opening of a closed month: the answer is what the close has answered, whatever came since. */
export const aMonthOpening: fc.Arbitrary<Command> = fc.nat(3).map((pick) =>
  command({
    name: `open month ${pick}`,
    isPossible: ({ closed }) => closed.size > 0,
    is_compared: false,
    run: async (world, session) => {
      const month = picked([...world.closed.keys()], pick)!;
      session.steps.push(`open ${month}`);
      const answer = await post(session, `/v1/closed-months/${month}/open`, { reason: 'A wrong price' });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.deepEqual(answer.body, session.closed.get(month));
      world.closed.delete(month);
      note(world, 'month opened');
    },
  }),
);
