import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assertRefused } from '../../support/ledger/refused.ts';
import { assertInvalidState, command, picked, untilSettled, type Command } from './command.ts';
import { ENDS_MAX, SETTLES } from './customer-commands.ts';
import { cancel, takeBackEnd, type End } from '../model/ends.ts';
import {
  endsAlone,
  isAboutAYearAhead,
  momentOf,
  timeOf,
  type Moment,
  type Time,
  type When,
} from './instants.ts';
import { saidBy } from './invoice-commands.ts';
import { openPart } from '../model/periods.ts';
import { NO_NUMBERS, observedInvoice, post, type Session } from '../run/session.ts';
import { expectedInvoice } from '../run/shown.ts';
import { note, type Invoice, type Settle, type Subscription, type World } from '../model/world.ts';

/** An end before it is known what it means in the life. */
type EndChoice = Moment & {
  pick: number;
  has_dry_run: boolean;
  /** The value to send; null for none, which means the balance. */
  settle: Settle | null;
};

const USUAL: readonly When[] = [
  ...(['now', 'now', 'period_end', 'period_end', 'ahead', 'ahead', 'ahead', 'later period'] as const),
  ...(['later period', 'start', 'past', 'past', 'past', 'before', 'too far'] as const),
  ...(['billed', 'billed'] as const),
];

const choosing = (pick: fc.Arbitrary<number>, whens: readonly When[]): fc.Arbitrary<EndChoice> =>
  fc.record({ pick, ...momentOf(whens), has_dry_run: fc.constantFrom(false, false, true), settle: SETTLES });

/** A cancellation, sometimes one that is refused, or that replaces another one. */
const canceling = (choices: fc.Arbitrary<EndChoice>): fc.Arbitrary<Command> =>
  choices.map((choice) =>
    command({
      name: `cancel: ${choice.when}, ${choice.settle}`,
      isPossible: (world) => {
        const asked = askedOf(world, choice);
        return asked !== null && isPossible(world, asked);
      },
      run: async (world, session) => {
        const asked = askedOf(world, choice)!;
        const { subscription, sent } = asked;
        const place = world.subscriptions.indexOf(subscription);
        session.steps.push(`cancel subscription ${place} at ${sent}, ${choice.settle}`);
        const path = `/v1/subscriptions/${session.subscriptions[place]}/cancel`;
        const body = { at: sent, ...(choice.settle === null ? {} : { settle: choice.settle }) };
        if (choice.has_dry_run) await compareDryRun(world, session, { asked, path, body });
        const answer = await post(session, path, body);
        const refusal = cancel(world, subscription, asked);
        if (refusal !== null) {
          note(world, `end refused: ${choice.when}`);
          const code = refusal === 'out_of_range' ? 'invalid_request' : 'conflict';
          return assertRefused(answer, { code, reason: refusal });
        }
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        session.changed.add(session.subscriptions[place]!);
        await untilSettled(world, session);
      },
    }),
  );

export const aCancel = canceling(choosing(fc.nat(2), USUAL));
/** An end of the newest subscription. */
export const anEnd = (...whens: When[]) => canceling(choosing(fc.constant(0), whens));

type Asked = End & Time & { subscription: Subscription };

function askedOf(world: World, choice: EndChoice): Asked | null {
  const subscription = picked(world.subscriptions, choice.pick)!;
  const time = timeOf(world, subscription, choice);
  return time === null ? null : { ...time, subscription, settle: choice.settle ?? 'balance' };
}

/** Whether the rules say clearly what follows, and it is not too much for a life. */
function isPossible(world: World, asked: Asked): boolean {
  const { at, subscription } = asked;
  if (isAboutAYearAhead(world, at) || !endsAlone(world, subscription, at)) return false;
  // The documents leave open whether a subscription that has not begun may have ended in the past.
  if (at < world.now && world.now < subscription.start) return false;
  return previewEnd(world, asked).made.length <= ENDS_MAX;
}

/** The end on a copy of the world, with the invoices that it makes. */
function previewEnd(world: World, { subscription, ...end }: Asked) {
  const copy = structuredClone({ world, subscription });
  const refusal = cancel(copy.world, copy.subscription, end);
  const made: readonly Invoice[] = copy.world.invoices.slice(world.invoices.length);
  return { world: copy.world, refusal, made };
}

type DryRun = { asked: Asked; path: string; body: object };

/**
 * A dry run of an end within what is open that has come, while no draft is held. At its beginning, where a billed period ends, the preview has
 * the last invoice, which is made 35 days later.
 */
async function compareDryRun(world: World, session: Session, { asked, path, body }: DryRun): Promise<void> {
  const has_draft = world.hold_drafts || world.invoices.some(({ status }) => status === 'draft');
  const part = openPart(asked.subscription);
  if (part === null || world.now < asked.at || asked.at <= part.start || has_draft) return;
  const { made, refusal, world: copy } = previewEnd(world, asked);
  if (refusal !== null) return;
  session.steps.push('the same as a dry run before');
  const answer = await post(session, path, { ...body, dry_run: true });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const { object, closing: seen, upcoming } = answer.body;
  assert.deepEqual({ object, upcoming }, { object: 'plan_change_preview', upcoming: null });
  note(world, 'dry run of an end');
  const closing = made.find(({ period }) => period.kind === 'part');
  assert.deepEqual(
    seen === null ? null : saidBy(observedInvoice(session, seen, NO_NUMBERS)),
    closing === undefined ? null : saidBy(expectedInvoice(copy, closing)),
  );
}

/** Takes back the end that is to come, also where none is. */
export const anEndTakenBack: fc.Arbitrary<Command> = fc.nat(2).map((pick) =>
  command({
    name: 'take back an end',
    run: async (world, session) => {
      const subscription = picked(world.subscriptions, pick)!;
      const place = world.subscriptions.indexOf(subscription);
      session.steps.push(`take back the end of subscription ${place}`);
      const path = `/v1/subscriptions/${session.subscriptions[place]}/cancel`;
      const answer = await session.request(path, { method: 'DELETE' });
      if (!takeBackEnd(world, subscription)) {
        note(world, 'end not taken back');
        return assertInvalidState(world, answer);
      }
      note(world, 'end taken back');
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    },
  }),
);
