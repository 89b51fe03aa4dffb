import assert from 'node:assert/strict';
import type fc from 'fast-check';
import type { Received } from '../support/api.ts';
import { assertRefused } from '../support/refused.ts';
import { differences } from './difference.ts';
import { expected } from './shown.ts';
import { observed, type Session } from './session.ts';
import { note, type World } from './world.ts';

export type Command = fc.AsyncCommand<World, Session>;

type Parts = {
  /** What it does, in short; the steps of the session say it with all particulars. */
  name: string;
  isPossible?: (world: World) => boolean;
  /** False for what changes nothing that is compared; the next command would find it. */
  is_compared?: boolean;
  run: (world: World, session: Session) => Promise<void>;
};

/** A command that compares everything that the API shows of the customer with the model, once it is done. */
export function command({ name, isPossible = () => true, is_compared = true, run }: Parts): Command {
  return {
    check: isPossible,
    run: async (world, session) => {
      note(world, 'command');
      await run(world, session);
      if (is_compared) await compare(world, session);
    },
    toString: () => name,
  };
}

export async function compare(world: World, session: Session): Promise<void> {
  const found = differences(await observed(session), expected(world));
  assert.ok(found.length === 0, found.join('\n'));
}

/** For what the state does not allow; it changes nothing. */
export function assertInvalidState(world: World, answer: Received): void {
  note(world, 'command refused');
  assertRefused(answer, { code: 'conflict', reason: 'invalid_state' });
}

/** The one that a number names, counted from the newest, again and again. */
export function picked<Item>(items: readonly Item[], pick: number): Item | undefined {
  return items.at(-1 - (pick % items.length));
}
