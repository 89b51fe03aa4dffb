import assert from 'node:assert/strict';
import fc from 'fast-check';
import { eventually } from '../../support/servers/eventually.ts';
import type { Behaviour } from '../../support/servers/stripe-state.ts';
import { FOR_GOOD } from '../model/attempts.ts';
import type { Card, Method } from '../model/collection.ts';
import { defaultOf, makeDefault, removeMethod, saveMethod } from '../model/methods.ts';
import { isAmbiguous, tryNewDefault, TRY_LATER } from '../model/schedules.ts';
import { isUnderWay } from '../model/under-way.ts';
import { note, type World } from '../model/world.ts';
import { connect, deliver } from '../run/provider.ts';
import { done, post, type Session } from '../run/session.ts';
import { assertInvalidState, command, picked, type Command } from './command.ts';

/** The payment provider, and methods that a customer saves there (billing.md 19). */

const METHODS_MAX = 5;
/** Digits of the first card. */
const FIRST_DIGITS = 4242;

const declined = (code: string, times: number | null): Card => ({ declined: code, times });

/** Cards, most of which are charged sooner or later. */
export const SOME_CARDS: readonly Card[] = [
  ...(['succeeds', 'succeeds', 'succeeds', 'processing', 'authentication_required'] as const),
  ...[declined('insufficient_funds', 1), declined('insufficient_funds', 2)],
  ...[declined('insufficient_funds', null), declined(TRY_LATER, 1), declined(TRY_LATER, null)],
  declined(FOR_GOOD, null),
];

export const aProvider: fc.Arbitrary<Command> = fc.constant(
  command({
    name: 'connect a provider',
    isPossible: ({ collection }) => !collection.has_provider,
    run: async (world, session) => {
      session.steps.push('connect a provider');
      await connect(session);
      world.collection.has_provider = true;
    },
  }),
);

/** A card that the customer saves on a page of the provider. */
export const aCard = cardOf(...SOME_CARDS);
/** A card that is charged. */
export const aGoodCard = cardOf('succeeds', 'succeeds', 'succeeds', 'processing');
/** A card that is declined, now or always. */
export const aPoorCard = cardOf(...SOME_CARDS.filter((card) => card !== 'succeeds'));

export function cardOf(...cards: readonly Card[]): fc.Arbitrary<Command> {
  return fc.constantFrom(...cards).map((card) =>
    command({
      name: `save a card: ${JSON.stringify(card)}`,
      isPossible: (world) => {
        const { has_provider, methods } = world.collection;
        return (
          has_provider && methods.length < METHODS_MAX && !isAmbiguousWith(world, (copy) => save(copy, card))
        );
      },
      run: async (world, session) => {
        session.steps.push(`save ${labelOf(world)}: ${JSON.stringify(card)}`);
        const customer = `/v1/customers/${session.customer_id}`;
        const { url } = await done(session, `${customer}/payment-method-sessions`);
        const { stripe } = session.provider;
        session.provider.payer = stripe.state.page(url).customer;
        stripe.completePage(url, behaviourOf(card), { last4: labelOf(world).slice(-4) });
        await deliver(session);
        save(world, card);
        await untilSaved(world, session);
      },
    }),
  );
}

/** The label of the next card. */
export function labelOf({ collection }: World): string {
  return `Visa ${FIRST_DIGITS + collection.methods.length}`;
}

function save(world: World, card: Card): void {
  const { is_default } = saveMethod(world, { label: labelOf(world), card });
  if (is_default) tryNewDefault(world);
}

function behaviourOf(card: Card): Behaviour {
  if (typeof card === 'string') return card;
  const { declined: code, times } = card;
  return times === null ? { declined: code } : { declined: code, times };
}

async function untilSaved({ collection }: World, { request, customer_id }: Session): Promise<void> {
  const read = () => request(`/v1/payment-methods?customer_id=${customer_id}`);
  await eventually(read, ({ body }) => body.data.length === collection.methods.length);
}

/** Whether two invoices would be charged with a card of which the first decline ends the method. */
function isAmbiguousWith(world: World, act: (copy: World) => void): boolean {
  // The documents leave open whether a default that comes during a charge is tried once that is declined.
  const { schedules, settings } = world.collection;
  const is_charged = schedules.some(
    ({ status, invoice }) => status === 'scheduled' && isUnderWay(world, invoice),
  );
  if (settings.mode === 'automatic' && is_charged) return true;
  const copy = structuredClone(world);
  act(copy);
  return isAmbiguous(copy);
}

/** Another method as the default, also one that is removed. The documents leave open what one that is failing is for. */
export const aNewDefault: fc.Arbitrary<Command> = fc.nat(5).map((pick) => {
  const found = ({ collection }: World) =>
    picked(
      collection.methods.filter(({ status, is_default }) => status !== 'failing' && !is_default),
      pick,
    );
  const become = (world: World, place: number): boolean => {
    if (!makeDefault(world, world.collection.methods[place]!)) return false;
    tryNewDefault(world);
    return true;
  };
  return command({
    name: `make a method the default ${pick}`,
    isPossible: (world) => {
      const method = found(world);
      if (method === undefined) return false;
      const place = world.collection.methods.indexOf(method);
      return !isAmbiguousWith(world, (copy) => void become(copy, place));
    },
    run: (world, session) =>
      actOn(world, session, {
        ...{ act: 'default', method: found(world)!, what: 'method made the default' },
        run: (place) => become(world, place),
      }),
  });
});

/** The removal of a method, also of one that is removed. */
export const aMethodRemoval: fc.Arbitrary<Command> = fc.nat(5).map((pick) =>
  command({
    name: `remove a method ${pick}`,
    isPossible: ({ collection }) => collection.methods.length > 0,
    run: (world, session) => {
      const { methods } = world.collection;
      const method = picked(pick % 2 === 0 ? methods : [defaultOf(methods) ?? methods[0]!], pick)!;
      const run = () => removeMethod(method);
      return actOn(world, session, { act: 'remove', method, what: 'method removed', run });
    },
  }),
);

type Acting = { act: string; method: Method; what: string; run: (place: number) => boolean };

async function actOn(world: World, session: Session, { act, method, what, run }: Acting): Promise<void> {
  const place = world.collection.methods.indexOf(method);
  session.steps.push(`${act} ${method.label}`);
  const answer = await post(session, `/v1/payment-methods/${session.methods[place]}/${act}`);
  if (!run(place)) return assertInvalidState(world, answer);
  note(world, what);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}
