import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Received } from '../../support/servers/api.ts';
import { amountsOf } from '../model/amounts.ts';
import { assertInvalidState, command, picked, type Command } from './command.ts';
import {
  adjustBalance,
  applyBalance,
  deposit,
  payInvoice,
  reverseDeposit,
  reversePayment,
  type Particulars,
} from '../model/owed.ts';
import { post, type Session } from '../run/session.ts';
import { later, note, type Invoice, type World } from '../model/world.ts';

const DAY_MS = 86_400_000;

/** Commands on an invoice after it is issued: payments, and the balance of its customer. */

type Acting = {
  /** Sends the request. */
  send: (path: string, session: Session) => Promise<Received>;
  /** Applies it to the model; false, or a reason, if the model refuses it. */
  run: (world: World, invoice: Invoice) => boolean | 'duplicate_payment' | 'month_closed';
  what: string;
};

/** A request for one of the invoices that fit. */
export function forOne(
  name: string,
  pick: number,
  fits: (invoice: Invoice) => boolean,
  act: (world: World, invoice: Invoice) => Acting,
): Command {
  const found = ({ invoices }: World) => picked(invoices.filter(fits), pick);
  return command({
    name: `${name} ${pick}`,
    isPossible: (world) => found(world) !== undefined,
    run: async (world, session) => {
      const invoice = found(world)!;
      const place = world.invoices.indexOf(invoice);
      const { send, run, what } = act(world, invoice);
      session.steps.push(`${name}, invoice ${place}`);
      const answer = await send(`/v1/invoices/${session.invoices[place]}`, session);
      const outcome = run(world, invoice);
      if (outcome !== true) return assertInvalidState(world, answer, outcome || 'invalid_state');
      note(world, what);
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
    },
  });
}

export const isIssued = ({ status }: Invoice) => status === 'open' || status === 'paid';

/** A payment of today, or of days before, often with one reference, so that some are duplicates. */
export const someParticulars = fc.record({
  days: fc.constantFrom(0, 0, 1, 30),
  reference: fc.constantFrom(null, 'a', 'a'),
  is_allowed: fc.constantFrom(false, false, true),
});

export function particularsOf(
  { now }: World,
  { days, ...rest }: { days: number; reference: string | null; is_allowed: boolean },
): Particulars {
  return { ...rest, paid_at: later(now, -days * DAY_MS) };
}

export function bodyOf({ reference, paid_at, is_allowed }: Particulars): object {
  return { reference, paid_at, allow_duplicate: is_allowed };
}

/** A part of the total in quarters, also a fifth quarter, and of a paid invoice, which is refused unless the excess goes to the balance. */
export const aPartPayment: fc.Arbitrary<Command> = fc
  .record({
    pick: fc.nat(5),
    quarters: fc.constantFrom(1n, 2n, 3n, 4n, 5n),
    to_balance: fc.boolean(),
    made: someParticulars,
  })
  .map(({ pick, quarters, to_balance, made }) =>
    forOne(
      `pay ${quarters} quarters${to_balance ? ', the excess to the balance' : ''}`,
      pick,
      isIssued,
      (world, invoice) => {
        const part = (amountsOf(invoice).total * quarters) / 4n || 1n;
        const amount = minorText(part, world.digits);
        const particulars = particularsOf(world, made);
        const body = { amount, excess: to_balance ? 'balance' : 'refused', ...bodyOf(particulars) };
        return {
          what: 'invoice paid in part',
          send: (path, session) => post(session, `${path}/payments`, body),
          run: () => payInvoice(world, invoice, { part, to_balance, particulars }),
        };
      },
    ),
  );

/** The reversal of any payment, also of one that was reversed before. */
export const aReversal: fc.Arbitrary<Command> = fc
  .record({ pick: fc.nat(5), at: fc.nat(5), is_of_invoice: fc.boolean() })
  .map(({ pick, at, is_of_invoice }) =>
    forOne(
      'reverse a payment',
      pick,
      ({ payments }) => payments.length > 0,
      (world, invoice) => {
        const place = at % invoice.payments.length;
        return {
          what: 'payment reversed',
          send: async (path, session) => {
            const { id } = (await session.request(path)).body.payments[place];
            const payment = is_of_invoice ? `${path}/payments/${id}` : `/v1/payments/${id}`;
            return post(session, `${payment}/reverse`, { reason: 'by mistake' });
          },
          run: () => reversePayment(world, invoice, place),
        };
      },
    ),
  );

/** A payment in advance. */
export const aDeposit: fc.Arbitrary<Command> = fc
  .record({ amount: fc.constantFrom(5n, 700n, 12_345n), made: someParticulars })
  .map(({ amount, made }) =>
    command({
      name: `deposit ${amount}`,
      run: async (world, session) => {
        const particulars = particularsOf(world, made);
        session.steps.push(`deposit ${amount}, ${JSON.stringify(particulars)}`);
        const body = { amount: minorText(amount, world.digits), ...bodyOf(particulars) };
        const answer = await post(session, `/v1/customers/${session.customer_id}/payments`, body);
        const outcome = deposit(world, amount, particulars);
        if (outcome !== true) return assertInvalidState(world, answer, outcome);
        note(world, 'payment in advance');
        assert.equal(answer.status, 201, JSON.stringify(answer.body));
        session.deposits.push(answer.body.id);
      },
    }),
  );

/** The reversal of any payment in advance, also of one that was reversed before. */
export const aDepositReversal: fc.Arbitrary<Command> = fc.nat(5).map((pick) =>
  command({
    name: `reverse a deposit ${pick}`,
    isPossible: ({ deposits }) => deposits.length > 0,
    run: async (world, session) => {
      const place = pick % world.deposits.length;
      session.steps.push(`reverse deposit ${place}`);
      const answer = await post(session, `/v1/payments/${session.deposits[place]}/reverse`, {
        reason: 'bounced',
      });
      if (!reverseDeposit(world, place)) return assertInvalidState(world, answer);
      note(world, 'payment in advance reversed');
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    },
  }),
);

export const anApplication: fc.Arbitrary<Command> = fc.nat(5).map((pick) =>
  forOne('apply the balance', pick, isIssued, (world, invoice) => ({
    what: 'balance applied by hand',
    send: (path, session) => post(session, `${path}/apply-balance`),
    run: () => applyBalance(world, invoice),
  })),
);

/** Adds to the balance, or takes from it, also more than is there. */
export const anAdjustment: fc.Arbitrary<Command> = fc
  .constantFrom(5n, 700n, 700n, 12_345n, -3n, -700n)
  .map((amount) =>
    command({
      name: `adjust the balance by ${amount}`,
      run: (world, session) => adjust(world, session, amount),
    }),
  );

/** Takes all that is in the balance, so that a void or a reversal finds nothing there. */
export const aPayout: fc.Arbitrary<Command> = fc.constant(
  command({
    name: 'pay out the balance',
    isPossible: ({ balance }) => balance > 0n,
    run: (world, session) => adjust(world, session, -world.balance),
  }),
);

async function adjust(world: World, session: Session, amount: bigint): Promise<void> {
  session.steps.push(`adjust the balance by ${amount}`);
  const body = { amount: minorText(amount, world.digits), reason: 'Goodwill' };
  const answer = await post(session, `/v1/customers/${session.customer_id}/balance-adjustments`, body);
  if (!adjustBalance(world, amount)) return assertInvalidState(world, answer);
  note(world, 'balance adjusted');
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
}

/** "12.34" of 1234 hundredths. */
export function minorText(amount: bigint, digits: number): string {
  const sign = amount < 0n ? '-' : '';
  const text = `${amount < 0n ? -amount : amount}`.padStart(digits + 1, '0');
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
