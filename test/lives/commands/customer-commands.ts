import assert from 'node:assert/strict';
import fc from 'fast-check';
import { makeSubscription } from './begin.ts';
import { command, compare, type Command } from './command.ts';
import { issue } from '../model/invoices.ts';
import {
  aFeeIntention,
  aGrantIntention,
  aCustomPlansIntention,
  aMinimumIntention,
  aSeatIntention,
  anIntention,
  aTrialIntention,
  type Intention,
} from './life.ts';
import { advance, draftsOf, finishEnded, nextStops } from '../model/model.ts';
import { isAmbiguous } from '../model/schedules.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { done, type Session } from '../run/session.ts';
import { later, type Instant, type Invoice, type Settle, type World } from '../model/world.ts';

const DAY_MS = 86_400_000;
/** Period ends per advance: more would make a life slow. */
export const ENDS_MAX = 5;
/** An instant that only a life of yearly periods reaches. */
const LATEST = at('01-01', 6);

const SUBSCRIPTIONS_MAX = 3;

export const aSubscription = subscribing(anIntention);
export const aFeeSubscription = subscribing(aFeeIntention);
/** A subscription whose plan has a minimum. */
export const aMinimumSubscription = subscribing(aMinimumIntention);
/** A subscription whose plan has quantities. */
export const aSeatSubscription = subscribing(aSeatIntention);
/** A subscription to a custom plan. */
export const aCustomSubscription = subscribing(aCustomPlansIntention);
/** A subscription whose plan has grants. */
export const aGrantedSubscription = subscribing(aGrantIntention);
/** A subscription that has not billed anything yet. */
export const aTrial = subscribing(aTrialIntention);

function subscribing(intentions: fc.Arbitrary<Intention>): fc.Arbitrary<Command> {
  return intentions.map((intention) =>
    command({
      name: 'subscribe once more',
      isPossible: ({ subscriptions }) => subscriptions.length < SUBSCRIPTIONS_MAX,
      run: (model, real) => makeSubscription({ model, real }, intention),
    }),
  );
}

type Journey = { far: 'part' | 'end' | 'past' | 'two ends' | 'late'; hold_drafts: boolean };

function destination(world: World, far: Journey['far']): Instant {
  const { now } = world;
  const stops = world.subscriptions.flatMap(nextStops).toSorted();
  const end = stops.find((stop) => now < stop) ?? later(now, DAY_MS);
  const way_ms = Date.parse(end) - Date.parse(now);
  switch (far) {
    case 'part':
      return later(now, Math.floor(way_ms / 3));
    case 'end':
      return end;
    case 'past':
      return later(end, 3_600_000);
    case 'two ends':
      return later(end, way_ms);
    case 'late':
      return endsWithin(world, later(now, 36 * DAY_MS)) > ENDS_MAX ? end : later(now, 36 * DAY_MS);
  }
}

function endsWithin(world: World, to: Instant): number {
  const preview = structuredClone(world);
  advance(preview, to, true);
  return preview.invoices.length - world.invoices.length;
}

/**
 * Whether charges that come due on the way are in no certain order, or may be made at one instant or a later one: an advance that stops on
 * its way may have some made there.
 */
function isAmbiguousAt(world: World, to: Instant): boolean {
  if (world.collection.settings.mode === 'manual') return false;
  if (world.subscriptions.flatMap(nextStops).some((stop) => stop < to)) return true;
  const preview = structuredClone(world);
  advance(preview, to, false);
  return isAmbiguous(preview);
}

export const anAdvance = anAdvanceBy(
  { hold_drafts: [false, false, false, true] },
  ...(['part', 'part', 'end', 'end', 'past', 'two ends', 'late'] as const),
);

type Holds = { hold_drafts: boolean[] };

/** Moves the clock by one of these ways, if that passes at most ENDS_MAX period ends. */
export function anAdvanceBy({ hold_drafts }: Holds, ...ways: Journey['far'][]): fc.Arbitrary<Command> {
  return fc
    .record({ far: fc.constantFrom(...ways), hold_drafts: fc.constantFrom(...hold_drafts) })
    .map((journey) =>
      command({
        name: `advance: ${JSON.stringify(journey)}`,
        isPossible: (world) => {
          const to = destination(world, journey.far);
          return to < LATEST && endsWithin(world, to) <= ENDS_MAX && !isAmbiguousAt(world, to);
        },
        run: (world, session) => travel(world, session, journey),
      }),
    );
}

async function travel(world: World, session: Session, { far, hold_drafts }: Journey): Promise<void> {
  if (!hold_drafts) await issueOneByOne(world, session);
  const to = destination(world, far);
  session.steps.push(`advance to ${to}${hold_drafts ? ', drafts are held' : ''}`);
  const known = world.invoices.length;
  const { customer_id } = session;
  const { now, invoices } = await done(session, '/v1/test-clock/advance', { customer_id, to, hold_drafts });
  advance(world, to, hold_drafts);
  assert.equal(now, to);
  const made = world.invoices.slice(known);
  // The documents leave open the place of further openings.
  const isFurther = ({ period }: Invoice) => period.kind === 'opening' && period.number > 1;
  const inOrder = (ends: Instant[]) => (made.some(isFurther) ? ends.toSorted() : ends);
  assert.deepEqual(
    inOrder(invoices.map(({ period_end }: { period_end: Instant }) => period_end)),
    inOrder(made.map(({ period }) => period.end)),
    'the invoices that the advance made, in order',
  );
}

/** The stack would issue drafts of two subscriptions concurrently, and either could get the credit: finalize them one by one. */
async function issueOneByOne(world: World, session: Session): Promise<void> {
  const drafts = draftsOf(world);
  if (new Set(drafts.map(({ subscription }) => subscription)).size < 2) return;
  for (const draft of drafts) {
    const place = world.invoices.indexOf(draft);
    session.steps.push(`finalize invoice ${place}`);
    await done(session, `/v1/invoices/${session.invoices[place]}/finalize`);
    issue(world, draft);
    finishEnded(world);
    // A charge of this invoice must not find the clock further on.
    if (world.has_moved_items || world.collection.has_provider) await compare(world, session);
  }
}

/** The value to send for unused time of fees; null for none, which means the balance. */
export const SETTLES: fc.Arbitrary<Settle | null> = fc.constantFrom(
  ...([null, null, 'balance', 'outside', 'none'] as const),
);

/** The end of every life: advances to one more period end or past it, so that every command is billed. */
export async function comeToAnEnd(world: World, session: Session): Promise<void> {
  const far = world.collection.settings.mode === 'manual' ? 'past' : 'end';
  await travel(world, session, { far, hold_drafts: false });
  await compare(world, session);
}
