import assert from 'node:assert/strict';
import type fc from 'fast-check';
import type { Received } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { missingDeposits } from '../run/provider.ts';
import { differences } from '../run/difference.ts';
import { expected } from '../run/shown.ts';
import { planDifferences } from '../run/shown-collection.ts';
import { observed, untilBilled, type Session } from '../run/session.ts';
import { settleCollection } from '../model/settling.ts';
import { look } from '../model/thresholds.ts';
import { note, type World } from '../model/world.ts';

export type Command = fc.AsyncCommand<World, Session>;

type Parts = {
  /** Short name; the session's steps have all particulars. */
  name: string;
  isPossible?: (world: World) => boolean;
  /** False for a command that changes nothing that is compared; if it did, the next command would find the difference. */
  is_compared?: boolean;
  run: (world: World, session: Session) => Promise<void>;
};

/** A command that afterwards compares everything the API shows about the customer with the model. */
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

/** Advances to the present, which bills what is due and looks for bills before the end: before it moves, and when it has arrived. */
export async function untilSettled(world: World, session: Session): Promise<void> {
  await untilBilled(session, world.now, world.hold_drafts);
  look(world);
  look(world);
}

/** Time in which workflows move the items of a subscription that is finished, and make the charges that have come due. */
const SETTLED_MS = 60_000;

/** Asserts that the API shows what the model expects. */
export async function compare(world: World, session: Session): Promise<void> {
  settleCollection(world);
  const { has_provider, schedules } = world.collection;
  const is_collected = has_provider || schedules.length > 0;
  if (is_collected) await session.untilIdle();
  const compared = async () => [
    ...(await missingDeposits(world, session)),
    ...differences(await observed(session), expected(world)),
    ...planDifferences(world, session),
  ];
  const found =
    world.has_moved_items || is_collected
      ? await eventually(compared, (differing) => differing.length === 0, SETTLED_MS)
      : await compared();
  world.has_moved_items = false;
  assert.ok(found.length === 0, found.join('\n'));
}

const REFUSED = {
  invalid_state: 'command refused',
  duplicate_payment: 'payment refused as a duplicate',
  overlapping_subscription: 'overlapping change refused',
  month_closed: 'act in a closed month refused',
  too_many: 'one too many refused',
} as const;

/** Asserts that the API refused a command that the state does not allow. */
export function assertInvalidState(
  world: World,
  answer: Received,
  reason: keyof typeof REFUSED = 'invalid_state',
): void {
  note(world, REFUSED[reason]);
  assertRefused(answer, { code: 'conflict', reason });
}

/** Picks an item by a number that counts from the newest and wraps around. */
export function picked<Item>(items: readonly Item[], pick: number): Item | undefined {
  return items.at(-1 - (pick % items.length));
}
