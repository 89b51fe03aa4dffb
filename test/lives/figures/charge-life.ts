import { charge, defaultMethod, prepare } from '../model/attempts.ts';
import type { Attempt, Card } from '../model/collection.ts';
import { creditInvoice } from '../model/credit-notes.ts';
import { voidInvoice } from '../model/invoices.ts';
import { saveMethod } from '../model/methods.ts';
import { dueOf, payInvoice } from '../model/owed.ts';
import { lifeOn, usd } from './model-life.ts';

const HUNDRED = { pricing_model: 'flat', flat_amount: '100' } as const;

/** A life in the model with one open invoice of 100.00 USD, and a card that is the default. */
export function chargeLife(card: Card = 'succeeds', options: Parameters<typeof lifeOn>[1] = {}) {
  const life = lifeOn(HUNDRED, options);
  life.go('02-01');
  const { world } = life;
  const invoice = world.invoices[0]!;
  const method = saveMethod(world, { label: 'Visa 4242', card });
  return {
    ...life,
    invoice,
    method,
    prepare: () => prepare(world, invoice, { method: defaultMethod(world)!, by: 'person' }),
    charge: () => charge(world, invoice, { method: defaultMethod(world)!, by: 'person' }),
    pay: (amount: bigint) => payInvoice(world, invoice, { part: amount }),
    credit: (amount: bigint) =>
      creditInvoice(world, invoice, { lines: [{ place: 0, amount }], to_balance: true }) !== null,
    voidIt: () => voidInvoice(world, invoice),
    /** The charged amount of an attempt, the amount due, and the balance, in USD. */
    money: ({ is_charged, amount }: Attempt) => ({
      charged: usd(is_charged ? amount : 0n),
      due: usd(dueOf(invoice)),
      balance: usd(world.balance),
    }),
  };
}
