import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assertRefused } from '../../support/ledger/refused.ts';
import { makePlan } from './begin.ts';
import {
  aChangeChoice,
  aFeeChoice,
  aCustomChoice,
  aMinimumChoice,
  aSeatChoice,
  askedOf,
  isPossible,
  previewChange,
} from './change-choices.ts';
import type { Asked, ChangeChoice } from './change-choices.ts';
import { hasFees } from '../model/fees.ts';
import { assertInvalidState, command, picked, untilSettled, type Command } from './command.ts';
import type { When } from './instants.ts';
import { saidBy } from './invoice-commands.ts';
import { makeDraft } from '../model/invoices.ts';
import { planFor } from './plans.ts';
import { aPlanIntention } from './life.ts';
import { notAllowed, takeBack } from '../model/changes.ts';
import { changePlan } from '../model/model.ts';
import { openPart } from '../model/periods.ts';
import { NO_NUMBERS, observedInvoice, post, type Session } from '../run/session.ts';
import { expectedInvoice } from '../run/shown.ts';
import { note, type Plan, type World } from '../model/world.ts';

/** A change of a plan, sometimes one that is refused. */
const changing = (choices: fc.Arbitrary<ChangeChoice>): fc.Arbitrary<Command> =>
  choices.map((choice) =>
    command({
      name: `change the plan: ${choice.when}, ${choice.to}`,
      isPossible: (world) => {
        const asked = askedOf(world, choice);
        return asked !== null && isPossible(world, asked);
      },
      run: async (world, session) => {
        const asked = askedOf(world, choice)!;
        const { subscription, body: sent, ...change } = asked;
        const { plan } = change;
        const place = world.subscriptions.indexOf(subscription);
        const plan_id = await planId(world, session, plan);
        session.steps.push(
          `change subscription ${place} to plan ${world.plans.indexOf(plan)}, ${JSON.stringify(sent)}`,
        );
        const path = `/v1/subscriptions/${session.subscriptions[place]}/change`;
        const body = { plan_id, ...sent };
        if (choice.has_dry_run) await compareDryRun(world, session, { asked, path, body });
        const answer = await post(session, path, body);
        const wrong = notAllowed(world, subscription, change);
        const refusal = changePlan(world, subscription, change);
        if (refusal !== null) {
          note(world, `change refused: ${choice.when}, ${choice.to}`);
          const code = refusal === 'invalid_state' ? 'conflict' : 'invalid_request';
          const [param] = wrong;
          return assertRefused(answer, { code, reason: refusal, ...(param === undefined ? {} : { param }) });
        }
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        session.changed.add(session.subscriptions[place]!);
        await untilSettled(world, session);
      },
    }),
  );

const aPlanChange = changing(aChangeChoice);
export const aFeeChange = (...whens: When[]) => changing(aFeeChoice(...whens));
export const aSeatChange = (...whens: When[]) => changing(aSeatChoice(...whens));
export const aCustomChange = (...whens: When[]) => changing(aCustomChoice(...whens));
export const aMinimumChange = (...whens: When[]) => changing(aMinimumChoice(...whens));

/** A change to a plan that bills the events of another subscription, which is always refused. */
const anOverlappingChange: fc.Arbitrary<Command> = fc
  .record({ pick: fc.nat(2), terms: aPlanIntention })
  .map(({ pick, terms }) => {
    const running = ({ subscriptions }: World) => subscriptions.filter(({ cancel_at }) => cancel_at === null);
    return command({
      name: 'change the plan to one that overlaps',
      isPossible: (world) => running(world).length > 1,
      run: async (world, session) => {
        const [subscription, other] = [picked(running(world), pick)!, picked(running(world), pick + 1)!];
        const place = world.subscriptions.indexOf(subscription);
        const plan_id = await planId(world, session, planFor(terms, world.subscriptions.indexOf(other)));
        session.steps.push(`change subscription ${place} now to a plan that overlaps`);
        const path = `/v1/subscriptions/${session.subscriptions[place]}/change`;
        const answer = await post(session, path, { plan_id, at: 'now' });
        assertInvalidState(world, answer, 'overlapping_subscription');
      },
    });
  });

/** Takes back the change that is scheduled, also where none is. */
export const aTakeBack: fc.Arbitrary<Command> = fc.nat(2).map((pick) =>
  command({
    name: 'take back a change of plan',
    run: async (world, session) => {
      const subscription = picked(world.subscriptions, pick)!;
      const place = world.subscriptions.indexOf(subscription);
      session.steps.push(`take back the change of subscription ${place}`);
      const path = `/v1/subscriptions/${session.subscriptions[place]}/change`;
      const answer = await session.request(path, { method: 'DELETE' });
      if (!takeBack(world, subscription)) return assertInvalidState(world, answer);
      note(world, 'change taken back');
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    },
  }),
);

export const aChange: fc.Arbitrary<Command> = fc.oneof(
  { weight: 14, arbitrary: aPlanChange },
  { weight: 1, arbitrary: anOverlappingChange },
  { weight: 3, arbitrary: aTakeBack },
);

type DryRun = { asked: Asked; path: string; body: object };

/** A dry run of a change that begins at once, while no draft is held. */
async function compareDryRun(world: World, session: Session, { asked, path, body }: DryRun): Promise<void> {
  const { at, subscription } = asked;
  const part = openPart(subscription);
  const has_draft = world.hold_drafts || world.invoices.some(({ status }) => status === 'draft');
  if (part === null || world.now < at || has_draft) return;
  // No document says whether the invoice after an exchange is its opening.
  if (part.start === at && (hasFees(part.full_period.plan) || hasFees(asked.plan))) return;
  const { made, refusal, ...copy } = previewChange(world, asked);
  if (refusal !== null) return;
  session.steps.push('the same as a dry run before');
  const answer = await post(session, path, { ...body, dry_run: true });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.body.object, 'plan_change_preview');
  note(world, 'dry run of a change');
  const [closing, next] = part.start === at ? [null, made[0]] : made;
  const open = { subscription: copy.subscription, period: openPart(copy.subscription)! };
  const upcoming = next ?? makeDraft(copy.world, open);
  const seen = [answer.body.closing, answer.body.upcoming].map((invoice) =>
    invoice === null ? null : saidBy(observedInvoice(session, invoice, NO_NUMBERS)),
  );
  const expected = [closing ?? null, upcoming].map((invoice) =>
    invoice === null ? null : saidBy(expectedInvoice(copy.world, invoice)),
  );
  assert.deepEqual(seen, expected);
}

async function planId(world: World, session: Session, plan: Plan): Promise<string> {
  const known = session.plans[world.plans.indexOf(plan)];
  if (known !== undefined) return known.id;
  session.steps.push(`plan ${world.plans.length}: ${JSON.stringify(plan)}`);
  return makePlan({ model: world, real: session }, plan);
}
