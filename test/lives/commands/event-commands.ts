import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assertRefused } from '../../support/ledger/refused.ts';
import { rational, times } from '../../support/oracles/price-oracle.ts';
import { command, picked, type Command } from './command.ts';
import { HAS_GRANTS_OF_PLANS } from './life.ts';
import { storeEvents } from '../model/model.ts';
import { billingStart } from '../model/periods.ts';
import { done, post, type Session } from '../run/session.ts';
import { decimalText } from '../model/usage.ts';
import { later, lengthOf, note } from '../model/world.ts';
import type { Charge, Instant, Line, Span, StoredEvent, World } from '../model/world.ts';

const DAY_MS = 86_400_000;

type Use = {
  kind: 'use' | 'call';
  subscription: number;
  /** Number of periods before the present one. */
  back: number;
  /** Position in the period: 0 is its start, 1 its end. */
  place: number;
  times: number;
  properties: Record<string, unknown>;
};

const aSize = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 9 }) },
  { weight: 3, arbitrary: fc.constantFrom('2.5', '0.25', 0.5, '12') },
  { weight: 2, arbitrary: fc.constantFrom(-1, '-2.5', -6) },
  { weight: 1, arbitrary: fc.constantFrom(null, 'much', [1], true, '1e3') },
  // Numbers of the maximal length, and numbers that exceed it by one digit, one decimal place or one zero.
  { weight: 1, arbitrary: fc.constantFrom('2'.padStart(100, '0'), '2.5'.padEnd(100, '0')) },
  { weight: 1, arbitrary: fc.constantFrom('9'.repeat(41), `0.${'3'.repeat(31)}`, '2'.padStart(101, '0')) },
);

const PROPERTIES = {
  size: aSize,
  user: fc.constantFrom('ann', 'bob', 'eve', 1, '1', true, null),
  region: fc.constantFrom('eu', 'us', '1', null),
};

/** The second metered charge of a plan bills calls. */
const SOME_KINDS: readonly Use['kind'][] = ['use', 'use', 'call'];
const ONE_KIND: readonly Use['kind'][] = ['use'];

const aKind = fc.constantFrom(...(HAS_GRANTS_OF_PLANS ? SOME_KINDS : ONE_KIND));

const aUse: fc.Arbitrary<Use> = fc.record({
  kind: aKind,
  subscription: fc.constantFrom(0, 0, 0, 1, 2),
  back: fc.constantFrom(0, 0, 0, 1, 1, 2),
  place: fc.constantFrom(0, 0.1, 0.3, 0.5, 0.8, 0.999, 1, 1.2),
  times: fc.constantFrom(1, 1, 2, 4),
  properties: fc.oneof(
    { weight: 9, arbitrary: fc.record(PROPERTIES) },
    { weight: 1, arbitrary: fc.record(PROPERTIES, { requiredKeys: [] }) },
  ),
});

const plainUses = (back: number, sizes: readonly (number | string)[]): fc.Arbitrary<Use> =>
  fc.record({
    kind: aKind,
    subscription: fc.constantFrom(0, 0, 0, 1),
    back: fc.constant(back),
    place: fc.constantFrom(0, 0.3, 0.8),
    times: fc.constantFrom(1, 1, 2),
    properties: fc.record({ ...PROPERTIES, size: fc.constantFrom(...sizes) }),
  });

/** Ordinary usage of the present period. */
const aPresentUse = plainUses(0, [1, 3, 4, 8, '2.5']);
/** Late usage of the last period, small enough to stay in a tier, or to reach the next one. */
const aLateUse = plainUses(1, [1, 1, 2, '0.5']);

/** The timestamp, capped at a day ahead, because the API refuses later ones. */
function timeOf(world: World, { subscription, back, place }: Use): Instant {
  const { start, end } = spanBack(world, subscription, back);
  const latest = later(world.now, DAY_MS);
  const usualEnd = end < latest ? end : latest;
  const length_ms = lengthOf({ start, end: usualEnd < start ? start : usualEnd });
  const time = later(start, Math.floor(length_ms * place));
  return time < latest ? time : latest;
}

/** The period `back` before the present one; two days around now if the subscription does not exist or has not begun. */
function spanBack({ subscriptions, now }: World, place: number, back: number): Span {
  const subscription = subscriptions[place % (subscriptions.length + 1)];
  const around = { start: later(now, -DAY_MS), end: later(now, DAY_MS) };
  if (subscription === undefined) return around;
  const { start, trial_end, full_periods } = subscription;
  const trial = trial_end === null ? [] : [{ start, end: trial_end }];
  const spans = [...(billingStart(subscription) <= now ? [] : [around]), ...trial, ...full_periods];
  return spans[Math.max(0, spans.length - 1 - back)] ?? around;
}

/** A batch of new events, some of them with events that were sent before. */
export const aBatch: fc.Arbitrary<Command> = fc
  .record({ uses: fc.array(aUse, { minLength: 1, maxLength: 4 }), again: fc.constantFrom(0, 0, 0, 1, 2) })
  .map(storing);

export const somePresentUsage: fc.Arbitrary<Command> = fc
  .array(aPresentUse, { minLength: 1, maxLength: 3 })
  .map((uses) => storing({ uses, again: 0 }));

export const someLateUsage: fc.Arbitrary<Command> = fc
  .array(aLateUse, { minLength: 1, maxLength: 2 })
  .map((uses) => storing({ uses, again: 0 }));

type Correction = { pick: number; place: number; share: string };

/** Subtracts some or all of the quantity of a sum's line, or adds to it; lines of drafts included. */
export const aCorrection: fc.Arbitrary<Command> = fc
  .record({
    pick: fc.constantFrom(0, 0, 1, 1, 2, 3, 5),
    place: fc.constantFrom(0, 0.3, 0.8, 0.999),
    share: fc.constantFrom('-1', '-1', '-0.5', '-0.5', '-0.75', '-2', '0.25'),
  })
  .map((correction) =>
    command({
      name: `correct ${JSON.stringify(correction)}`,
      is_compared: false,
      isPossible: (world) => summedLines(world).length > 0,
      run: (world, session) => store(world, session, { fresh: [correctionOf(world, correction)], again: 0 }),
    }),
  );

function summedLines(world: World): Line[] {
  const standing = world.invoices.filter(({ status }) => status !== 'void');
  const lines = standing.flatMap((invoice) => invoice.lines);
  return lines.filter(({ type, charge, quantity }) => type === 'usage' && isSum(charge) && quantity.n !== 0n);
}

function isSum({ aggregation }: Charge): boolean {
  return aggregation.type === 'sum';
}

function correctionOf(world: World, { pick, place, share }: Correction): NewEvent {
  const { charge, period, quantity } = picked(summedLines(world), pick)!;
  const region = charge.filters?.['region']?.[0] ?? 'eu';
  return {
    event_name: charge.event_name,
    timestamp: later(period.start, Math.floor(lengthOf(period) * place)),
    properties: { size: decimalText(times(quantity, rational(share))), user: 'ann', region },
  };
}

type NewEvent = Omit<StoredEvent, 'stored_at'>;

function storing({ uses, again }: { uses: readonly Use[]; again: number }): Command {
  return command({
    name: `store events by ${uses.length}, ${again} of them again`,
    is_compared: false,
    run: (world, session) =>
      store(world, session, { fresh: uses.flatMap((use) => eventsOf(world, use)), again }),
  });
}

function eventsOf(world: World, use: Use): NewEvent[] {
  const { kind, times: count, properties } = use;
  const event = { event_name: `${kind}-${use.subscription}`, timestamp: timeOf(world, use), properties };
  return Array.from({ length: count }, () => event);
}

async function store(
  world: World,
  session: Session,
  { fresh, again }: { fresh: readonly NewEvent[]; again: number },
): Promise<void> {
  const { customer_id, events } = session;
  const bodies = fresh.map((event, place) => ({
    ...event,
    customer_id,
    idempotency_key: `${customer_id}-${events.length + place}`,
  }));
  const repeats = events.slice(0, again);
  session.steps.push(`store ${listOf(fresh)}; ${repeats.length} again`);
  const answer = await done(session, '/v1/events/batch', { events: [...repeats, ...bodies] });
  assert.deepEqual([answer.created, answer.duplicates], [bodies.length, repeats.length]);
  events.push(...bodies);
  storeEvents(world, fresh);
}

function listOf(events: readonly NewEvent[]): string {
  return events
    .map((event) => `${event.event_name} of ${event.timestamp} ${JSON.stringify(event.properties)}`)
    .join(', ');
}

/** Resends an event: an equal one is a replay, a differing one under the same key is refused. Neither changes anything. */
export const aReplay: fc.Arbitrary<Command> = fc
  .record({ pick: fc.nat(9), differs: fc.boolean() })
  .map(({ pick, differs }) =>
    command({
      name: differs ? 'send another event under a known key' : 'send an event again',
      is_compared: false,
      isPossible: ({ events }) => events.length > 0,
      run: async (world, session) => {
        const event = picked(session.events, pick);
        session.steps.push(`send ${event.idempotency_key} again${differs ? ', changed' : ''}`);
        const changed = { ...event, properties: { ...event.properties, changed: true } };
        const answer = await post(session, '/v1/events', differs ? changed : event);
        note(world, differs ? 'differing resend refused' : 'replay');
        if (differs) assertRefused(answer, { code: 'conflict', reason: 'idempotency_mismatch' });
        else assert.deepEqual([answer.status, answer.headers.get('idempotent-replayed')], [200, 'true']);
      },
    }),
  );
