import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assertRefused } from '../../support/ledger/refused.ts';
import type { Dispute, ProviderCharge, Refund } from '../model/collection.ts';
import { creditInvoice } from '../model/credit-notes.ts';
import { inquire, loseDispute, newDispute, openDispute, winDispute } from '../model/disputes.ts';
import {
  canRefundNote,
  canTake,
  chargeOf,
  failRefund,
  leftToRefund,
  refund,
  refundAtProvider,
  refundNote,
  refundRefusalsOf,
} from '../model/refunds.ts';
import { note, type Payment, type World } from '../model/world.ts';
import { deliver, intentOf } from '../run/provider.ts';
import { post, type Session } from '../run/session.ts';
import { assertRefusedFor } from './charge-commands.ts';
import { command, picked, type Command } from './command.ts';
import { isIssued, minorText } from './owed-commands.ts';

/** Refunds and disputes (billing.md 23 and 24). */

/** The amount as the stand-in takes it: it reads two digits behind the point, whatever the currency. */
const atStandIn = (amount: bigint) => minorText(amount, 2);

/** An amount that the provider takes exactly, close to this one: the last digit of KWD is 0. */
function refundable({ currency }: World, amount: bigint): bigint {
  return currency === 'KWD' ? amount - (amount % 10n) || 10n : amount || 1n;
}

/** Payments of the provider, the oldest first; of every third pick all payments. */
function paymentsFor(world: World, pick: number): Payment[] {
  const all = [...world.invoices.flatMap(({ payments }) => payments), ...world.deposits];
  const of_provider = all.filter((payment) => chargeOf(world, payment) !== undefined);
  const standing = of_provider.filter(({ is_reversed }) => !is_reversed);
  if (pick % 4 === 3 || of_provider.length === 0) return all;
  return standing.length === 0 ? of_provider : standing;
}

/** A charge whose dispute was lost: the documents do not say whether the rest can be refunded. */
const isLost = ({ disputes }: ProviderCharge) => disputes.some(({ status }) => status === 'lost');

/** A refund of a payment: of all that is left, of a part in quarters, or of more. */
export const aRefund: fc.Arbitrary<Command> = fc
  .record({ pick: fc.nat(7), quarters: fc.constantFrom(null, 1n, 2n, 3n, 4n, 5n) })
  .map(({ pick, quarters }) =>
    command({
      name: `refund ${quarters ?? 'all'}${quarters === null ? '' : ' quarters'} of payment ${pick}`,
      isPossible: (world) => {
        const payment = picked(paymentsFor(world, pick), pick);
        if (payment === undefined) return false;
        const charge = chargeOf(world, payment);
        return charge === undefined || !isLost(charge);
      },
      run: async (world, session) => {
        const payment = picked(paymentsFor(world, pick), pick)!;
        const left = leftToRefund(world, payment);
        const amount = quarters === null ? left : refundable(world, (payment.amount * quarters) / 4n);
        session.steps.push(`refund ${amount} of a payment of ${payment.amount}, ${left} are left`);
        const sent = quarters === null ? {} : { amount: minorText(amount, world.digits) };
        const path = `/v1/payments/${await idOf(world, session, payment)}/refund`;
        const response = await post(session, path, { ...sent, reason: 'Goodwill' });
        const reasons = refundRefusalsOf(world, payment, amount);
        if (reasons.includes('out_of_range') && response.status === 400)
          return assertRefused(response, { code: 'invalid_request', reason: 'out_of_range' });
        if (left === 0n || reasons.length > 0)
          return assertRefusedFor(world, response, ['not_refundable', ...reasons]);
        assert.equal(response.status, 200, JSON.stringify(response.body));
        refund(world, payment, amount);
        note(world, 'refund by hand');
      },
    }),
  );

/** The id of a payment, which an invoice has at the same place. */
async function idOf(world: World, session: Session, payment: Payment): Promise<string> {
  const deposit = world.deposits.indexOf(payment);
  if (deposit !== -1) return session.deposits[deposit]!;
  const place = world.invoices.findIndex(({ payments }) => payments.includes(payment));
  const { body } = await session.request(`/v1/invoices/${session.invoices[place]}`);
  return body.payments[world.invoices[place]!.payments.indexOf(payment)].id;
}

/** The amount that the provider still refunds of a charge. */
function leftAt({ amount, refunds }: ProviderCharge): bigint {
  return refunds.reduce((left, made) => (made.status === 'failed' ? left : left - made.amount), amount);
}

const isQuiet = ({ disputes }: ProviderCharge) => disputes.every(({ status }) => status === 'won');

/** A refund that a person makes at the provider, of half or of all that is left there, which can be booked. */
export const aProviderRefund: fc.Arbitrary<Command> = fc
  .record({ pick: fc.nat(3), halves: fc.constantFrom(1n, 2n) })
  .map(({ pick, halves }) => {
    const found = (world: World) => {
      const charges = world.collection.charges.filter((one) => isQuiet(one) && leftAt(one) > 0n);
      const charge = picked(charges, pick);
      if (charge === undefined) return undefined;
      const amount = refundable(world, (leftAt(charge) * halves) / 2n);
      return canTake(world, charge, amount) ? { charge, amount } : undefined;
    };
    return command({
      name: `refund at the provider ${pick}`,
      isPossible: (world) => found(world) !== undefined,
      run: async (world, session) => {
        const { charge, amount } = found(world)!;
        session.steps.push(`refund ${amount} at the provider of a charge of ${charge.amount}`);
        const intent = intentOf(world, session, charge);
        session.provider.stripe.refund(intent, atStandIn(amount));
        await deliver(session);
        refundAtProvider(world, charge, amount);
        note(world, 'refund at the provider');
      },
    });
  });

/** The failure of a refund that was booked. */
export const aRefundFailure: fc.Arbitrary<Command> = fc.nat(3).map((pick) => {
  const found = ({ collection }: World): Refund | undefined => {
    const refunds = collection.charges.flatMap((charge) => charge.refunds);
    return picked(
      refunds.filter(({ status }) => status === 'succeeded'),
      pick,
    );
  };
  return command({
    name: `a refund fails ${pick}`,
    isPossible: (world) => found(world) !== undefined,
    run: async (world, session) => {
      const made = found(world)!;
      const { charge, amount } = made;
      session.steps.push(`a refund of ${amount} fails`);
      const { stripe } = session.provider;
      const refunds = stripe.refundsOf(intentOf(world, session, charge)).toReversed();
      stripe.endRefund(refunds[charge.refunds.indexOf(made)]!.id, 'failed');
      await deliver(session);
      failRefund(world, made);
      note(world, 'refund failed');
    },
  });
});

/** A bank that asks about a charge, or takes all of it or a half. */
export const aDispute: fc.Arbitrary<Command> = fc
  .record({ pick: fc.nat(3), halves: fc.constantFrom(1n, 2n, 2n), is_inquiry: fc.boolean() })
  .map(({ pick, halves, is_inquiry }) => {
    const found = (world: World) => {
      const charge = picked(world.collection.charges.filter(isQuiet), pick);
      if (charge === undefined) return undefined;
      const amount = refundable(world, (charge.amount * halves) / 2n);
      return is_inquiry || canTake(world, charge, amount) ? { charge, amount } : undefined;
    };
    return command({
      name: `${is_inquiry ? 'an inquiry' : 'a dispute'} ${pick}`,
      isPossible: (world) => found(world) !== undefined,
      run: async (world, session) => {
        const { charge, amount } = found(world)!;
        session.steps.push(
          `${is_inquiry ? 'an inquiry' : 'a dispute'} of ${amount} of a charge of ${charge.amount}`,
        );
        const status = is_inquiry ? 'warning_needs_response' : 'needs_response';
        session.provider.stripe.dispute(intentOf(world, session, charge), status, atStandIn(amount));
        await deliver(session);
        if (is_inquiry) inquire(world, charge, amount);
        else openDispute(world, newDispute(charge, amount));
      },
    });
  });

const MOVES = {
  inquiry: [
    ['needs_response', openDispute],
    ['warning_closed', winDispute],
  ],
  open: [
    ['won', winDispute],
    ['lost', loseDispute],
  ],
} as const;

/** The next step of a dispute: it takes the money, is closed, won or lost. */
export const aDisputeMove: fc.Arbitrary<Command> = fc
  .record({ pick: fc.nat(2), way: fc.constantFrom(0, 0, 1) })
  .map(({ pick, way }) => {
    const found = (world: World) => {
      const disputes = world.collection.charges.flatMap((charge) => charge.disputes);
      const open = disputes.filter(
        (one): one is Dispute & { status: keyof typeof MOVES } => one.status in MOVES,
      );
      const dispute = picked(open, pick);
      if (dispute === undefined) return undefined;
      const [status, move] = MOVES[dispute.status][way]!;
      const can = status !== 'needs_response' || canTake(world, dispute.charge, dispute.amount);
      return can ? { dispute, status, move } : undefined;
    };
    return command({
      name: `a dispute goes on ${pick}`,
      isPossible: (world) => found(world) !== undefined,
      run: async (world, session) => {
        const { dispute, status, move } = found(world)!;
        session.steps.push(`a dispute of ${dispute.amount} is ${status}`);
        const { stripe } = session.provider;
        const intent = intentOf(world, session, dispute.charge);
        const disputes = stripe.state
          .all('dispute')
          .filter(({ payment_intent }) => payment_intent === intent);
        const place = dispute.charge.disputes.indexOf(dispute);
        stripe.moveDispute(disputes.toReversed()[place]!.id, status);
        await deliver(session);
        move(world, dispute);
      },
    });
  });

/** A credit note that refunds what it settles outside; refused where the provider's payments have less left. */
export const aNoteRefund: fc.Arbitrary<Command> = fc.nat(4).map((pick) => {
  const found = (world: World) => {
    const place = picked(
      [...world.invoices.keys()].filter(
        (nth) => isIssued(world.invoices[nth]!) && world.invoices[nth]!.lines.length > 0,
      ),
      pick,
    );
    if (place === undefined) return undefined;
    const copy = structuredClone(world);
    const made = creditInvoice(copy, copy.invoices[place]!, { lines: 'all', to_balance: false });
    return made === null || made.outside === 0n ? undefined : { place, outside: made.outside };
  };
  return command({
    name: `credit and refund ${pick}`,
    isPossible: (world) => {
      const choice = found(world);
      if (choice === undefined) return false;
      const charges = world.collection.charges.filter(
        ({ invoice }) => world.invoices[choice.place] === invoice,
      );
      return !charges.some(isLost);
    },
    run: async (world, session) => {
      const { place, outside } = found(world)!;
      const invoice = world.invoices[place]!;
      session.steps.push(`credit all of invoice ${place}, refund ${outside}`);
      const path = `/v1/invoices/${session.invoices[place]}/credit-notes`;
      const body = { lines: 'all', reason: 'Outage', settle: 'outside', refund: true };
      const response = await post(session, path, body);
      if (!canRefundNote(world, invoice, outside))
        return assertRefusedFor(world, response, ['not_refundable']);
      assert.equal(response.status, 201, JSON.stringify(response.body));
      creditInvoice(world, invoice, { lines: 'all', to_balance: false });
      refundNote(world, invoice, outside);
      note(world, 'credit note refunded');
    },
  });
});
