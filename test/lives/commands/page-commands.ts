import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isClearlyChargeable } from '../model/chargeable.ts';
import type { PaymentPage } from '../model/collection.ts';
import { dueOf } from '../model/owed.ts';
import { debitPage, endDebit, openPageOf, pageOf, pageRefusalsOf, payPage } from '../model/payment-pages.ts';
import { isAmbiguous, resumeWaiting, tryNewDefault } from '../model/schedules.ts';
import { note, type World } from '../model/world.ts';
import { deliver } from '../run/provider.ts';
import { post } from '../run/session.ts';
import { assertRefusedFor, oneToCharge } from './charge-commands.ts';
import { command, picked, type Command } from './command.ts';
import { labelOf } from './method-commands.ts';

/** Pages of the provider on which a payer pays an invoice (billing.md 22). */

const PAGES_MAX = 12;

/** A page for what is due. The documents leave open what becomes of one that saves no method where one is to be saved. */
export const aPage: fc.Arbitrary<Command> = fc
  .record({ pick: fc.nat(5), saves: fc.boolean() })
  .map(({ pick, saves }) =>
    command({
      name: `a page for invoice ${pick}${saves ? ', which saves the method' : ''}`,
      isPossible: (world) => {
        const invoice = oneToCharge(world, pick);
        if (invoice === undefined || world.collection.pages.length >= PAGES_MAX) return false;
        const is_clear = !saves || openPageOf(world, invoice)?.saves !== false;
        return is_clear && isClearlyChargeable(world.currency, dueOf(invoice));
      },
      run: async (world, session) => {
        const invoice = oneToCharge(world, pick)!;
        const place = world.invoices.indexOf(invoice);
        session.steps.push(`a page for invoice ${place}${saves ? ', which saves the method' : ''}`);
        const path = `/v1/invoices/${session.invoices[place]}/payment-sessions`;
        const response = await post(session, path, { save: saves });
        const reasons = pageRefusalsOf(world, invoice);
        if (reasons.length > 0) return assertRefusedFor(world, response, reasons);
        assert.equal(response.status, 201, JSON.stringify(response.body));
        const page = pageOf(world, invoice, saves);
        const { id, url } = response.body;
        const { stripe } = session.provider;
        const known = session.pages[world.collection.pages.indexOf(page)];
        if (known === undefined) session.pages.push({ id, url, reference: stripe.state.page(url).id });
        else assert.equal(id, known.id, 'the same page');
        session.provider.payer = stripe.state.page(url).customer;
        note(world, 'page made');
      },
    }),
  );

const isPayable = ({ status, is_debited }: PaymentPage) => status === 'open' && !is_debited;

/** The payer pays on a page: by a card, by a debit that takes days, or by a card that is declined. */
export const aPagePayment: fc.Arbitrary<Command> = fc
  .record({ pick: fc.nat(2), by: fc.constantFrom('card', 'card', 'card', 'debit', 'poor card') })
  .map(({ pick, by }) =>
    command({
      name: `pay on a page ${pick} by ${by}`,
      isPossible: (world) => {
        const copy = structuredClone(world);
        const page = picked(copy.collection.pages.filter(isPayable), pick);
        if (page === undefined) return false;
        if (by === 'card') pay(copy, page);
        return !isAmbiguous(copy);
      },
      run: async (world, session) => {
        const page = picked(world.collection.pages.filter(isPayable), pick)!;
        const place = world.collection.pages.indexOf(page);
        session.steps.push(`pay on page ${place} by ${by}`);
        const { stripe } = session.provider;
        const behaviour = { card: 'succeeds', debit: 'processing', 'poor card': POOR } as const;
        stripe.payPage(session.pages[place]!.url, behaviour[by], { last4: labelOf(world).slice(-4) });
        await deliver(session);
        note(world, `page paid by ${by}`);
        if (by === 'card') pay(world, page);
        else if (by === 'debit') debitPage(page);
      },
    }),
  );

const POOR = { declined: 'insufficient_funds' };

function pay(world: World, page: PaymentPage): void {
  const method = payPage(world, page, labelOf(world));
  if (method?.is_default === true) tryNewDefault(world);
}

/** The answer of the bank on a debit by a page. */
export const aDebitAnswer: fc.Arbitrary<Command> = fc
  .constantFrom(null, null, 'insufficient_funds')
  .map((declined) =>
    command({
      name: `the bank answers on a debit: ${declined ?? 'yes'}`,
      isPossible: (world) => {
        const copy = structuredClone(world);
        const page = copy.collection.pages.find(isUnderWay);
        if (page === undefined) return false;
        answer(copy, page, declined);
        return !isAmbiguous(copy);
      },
      run: async (world, session) => {
        const page = world.collection.pages.find(isUnderWay)!;
        const place = world.collection.pages.indexOf(page);
        session.steps.push(`the bank answers on the debit of page ${place}: ${declined ?? 'yes'}`);
        const { stripe } = session.provider;
        const { payment_intent } = stripe.state.page(session.pages[place]!.reference);
        stripe.finish(payment_intent!, declined === null ? 'succeeds' : { declined });
        await deliver(session);
        answer(world, page, declined);
      },
    }),
  );

const isUnderWay = ({ status, is_debited }: PaymentPage) => status === 'open' && is_debited;

function answer(world: World, page: PaymentPage, declined: string | null): void {
  const method = endDebit(world, page, declined === null ? labelOf(world) : null);
  note(world, declined === null ? 'debit succeeded' : 'debit failed');
  resumeWaiting(world, page.invoice);
  if (method?.is_default === true) tryNewDefault(world);
}
