import assert from 'node:assert/strict';
import fc from 'fast-check';
import { eventually } from '../../support/servers/eventually.ts';
import { isInvoiceKept } from '../model/closed-months.ts';
import { assertInvalidState, command, picked, type Command } from './command.ts';
import { issue, regenerateInvoice, voidInvoice } from '../model/invoices.ts';
import { hasNoteByHand } from '../model/credit-notes.ts';
import { homeOf, isWaiting } from '../model/fees.ts';
import { isVoid } from '../model/lines.ts';
import { paidOf, payInvoice } from '../model/owed.ts';
import { generate } from '../model/generation.ts';
import { finishEnded, previewRegeneration } from '../model/model.ts';
import { openPart } from '../model/periods.ts';
import { NO_NUMBERS, observedInvoice, post, type Session } from '../run/session.ts';
import { expectedInvoice, type Fields } from '../run/shown.ts';
import { note, type Invoice, type Line, type World } from '../model/world.ts';

type Choice = { pick: number; is_fitting: boolean };

/** Chooses mostly an invoice to which the command applies, sometimes any. */
const aChoice: fc.Arbitrary<Choice> = fc.record({
  pick: fc.nat(5),
  is_fitting: fc.constantFrom(true, true, true, true, false),
});

/** An invoice to which the command applies, or any one, by its position from the newest. */
const aPlace = (places: readonly number[], is_fitting = true): fc.Arbitrary<Choice> =>
  fc.record({ pick: fc.constantFrom(...places), is_fitting: fc.constant(is_fitting) });

const FITTING = {
  finalize: ({ status }: Invoice) => status === 'draft',
  pay: ({ status }: Invoice) => status === 'open',
  void: isVoidable,
  regenerate: isVoidable,
} as const;

function isVoidable(invoice: Invoice): boolean {
  return invoice.status !== 'void' && paidOf(invoice) === 0n && !hasNoteByHand(invoice);
}

type Act = keyof typeof FITTING;

function chosen({ invoices }: World, act: Act, { pick, is_fitting }: Choice): Invoice | undefined {
  return picked(is_fitting ? invoices.filter(FITTING[act]) : invoices, pick);
}

/**
 * Whether the documents say what a command makes: an opening whose fees are gone, or are on another invoice, has nothing to bill, and it is
 * open whether one is made again while the home of its fees is void.
 */
function isClear(world: World, act: Act, invoice: Invoice | undefined): boolean {
  if (act !== 'regenerate' || invoice?.period.kind !== 'opening') return invoice !== undefined;
  const { subscription, period } = invoice;
  const home = homeOf(subscription, period.start);
  if (home !== null && isVoid(world, home)) return false;
  // So is a further opening while the first one is void.
  if (period.number > 1 && isWaiting(world, subscription, period.full_period)) return false;
  const proposed = previewRegeneration(world, invoice);
  return proposed === null || proposed.invoice.lines.some(hasTime);
}

/** Whether a line is a fee of a period that runs: an end at the start leaves the period out. */
function hasTime({ type, period }: Line): boolean {
  return type === 'flat' && period.start < period.end;
}

type Doing = {
  act: Act;
  body?: object;
  what: string;
  /** Whether a closed month keeps an invoice from it. */
  isKept?: (world: World, invoice: Invoice) => boolean;
  run: (world: World, invoice: Invoice) => boolean;
};

/** A request for one invoice; `run` applies it to the model and returns false if the model refuses it. */
function aDoing(
  { act, body, what, isKept = () => false, run }: Doing,
  choices = aChoice,
): fc.Arbitrary<Command> {
  return choices.map((choice) =>
    command({
      name: `${act} ${JSON.stringify(choice)}`,
      isPossible: (world) => isClear(world, act, chosen(world, act, choice)),
      run: async (world, session) => {
        const invoice = chosen(world, act, choice)!;
        const place = world.invoices.indexOf(invoice);
        session.steps.push(`${act} invoice ${place}`);
        const answer = await post(session, `/v1/invoices/${session.invoices[place]}/${act}`, body);
        if (isKept(world, invoice)) return assertInvalidState(world, answer, 'month_closed');
        if (!run(world, invoice)) return assertInvalidState(world, answer);
        finishEnded(world);
        note(world, what);
        assert.ok(answer.status < 300, JSON.stringify(answer.body));
        if (answer.status === 202) await untilDone(session, answer.headers.get('location')!);
      },
    }),
  );
}

/** Waits for the end of a regeneration: after ten seconds the API answers 202, and it continues. */
async function untilDone({ request }: Session, location: string): Promise<void> {
  const { body } = await eventually(
    () => request(location),
    (read) => read.body.status !== 'pending',
  );
  assert.equal(body.status, 'done', JSON.stringify(body));
}

export const aFinalize = aDoing({
  act: 'finalize',
  what: 'draft finalized',
  run: (world, invoice) => {
    if (invoice.status !== 'draft') return false;
    issue(world, invoice);
    return true;
  },
});

export const aPayment = aDoing({
  act: 'pay',
  what: 'invoice paid',
  run: (world, invoice) => payInvoice(world, invoice) === true,
});

const VOIDING: Doing = { act: 'void', what: 'invoice voided', isKept: isInvoiceKept, run: voidInvoice };
export const aVoid = aDoing(VOIDING);
export const aVoidOf = (...places: number[]) => aDoing(VOIDING, aPlace(places));
/** The void of one of these invoices, whatever its status. */
export const aVoidOfAny = (...places: number[]) => aDoing(VOIDING, aPlace(places, false));

const REGENERATING: Doing = {
  act: 'regenerate',
  what: 'invoice regenerated',
  isKept: isInvoiceKept,
  run: (world, invoice) => regenerateInvoice(world, invoice) !== null,
};
export const aRegeneration = aDoing(REGENERATING);
export const aRegenerationOf = (...places: number[]) => aDoing(REGENERATING, aPlace(places));

/** A regeneration with dry_run: returns the proposed invoice and changes nothing. */
export const aRehearsal = rehearsing(aChoice);
export const aRehearsalOf = (...places: number[]) => rehearsing(aPlace(places));

function rehearsing(choices: fc.Arbitrary<Choice>): fc.Arbitrary<Command> {
  return choices.map((choice) =>
    command({
      name: `regenerate as a dry run ${JSON.stringify(choice)}`,
      isPossible: (world) => isClear(world, 'regenerate', chosen(world, 'regenerate', choice)),
      run: async (world, session) => {
        const invoice = chosen(world, 'regenerate', choice)!;
        const place = world.invoices.indexOf(invoice);
        session.steps.push(`regenerate invoice ${place} as a dry run`);
        const path = `/v1/invoices/${session.invoices[place]}/regenerate`;
        const answer = await post(session, path, { dry_run: true });
        if (isInvoiceKept(world, invoice)) return assertInvalidState(world, answer, 'month_closed');
        const proposed = previewRegeneration(world, invoice);
        if (proposed === null) return assertInvalidState(world, answer);
        note(world, 'dry run');
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        const seen = observedInvoice(session, answer.body.proposed, NO_NUMBERS);
        assert.deepEqual(saidBy(seen), saidBy(expectedInvoice(proposed.world, proposed.invoice)));
      },
    }),
  );
}

/** The fields that a proposed invoice shares with a stored one. */
export function saidBy(invoice: Fields): Fields {
  const { lines, subtotal, tax, total, credits_applied } = invoice;
  return { lines, subtotal, tax, total, credits_applied };
}

export const aGeneration = aGenerationOf(fc.boolean());
export const aCloseNow = aGenerationOf(fc.constant(true));

function aGenerationOf(closes: fc.Arbitrary<boolean>): fc.Arbitrary<Command> {
  return fc.record({ pick: fc.nat(2), close_now: closes }).map(({ pick, close_now }) =>
    command({
      name: `generate${close_now ? ', close now' : ''}`,
      isPossible: (world) => close_now || hasUnbilled(world),
      run: async (world, session) => {
        const subscription = picked(world.subscriptions, pick)!;
        const place = world.subscriptions.indexOf(subscription);
        session.steps.push(`generate for subscription ${place}${close_now ? ', close now' : ''}`);
        const body = { subscription_id: session.subscriptions[place], close_now };
        const answer = await post(session, '/v1/invoices/generate', body);
        const known = openPart(subscription)?.full_period.parts.length;
        const made = generate(world, subscription, close_now);
        if (made === null) return assertInvalidState(world, answer);
        if (openPart(subscription)?.full_period.parts.length !== known) note(world, 'cut');
        note(world, made.length > 0 ? 'generated' : 'nothing to generate');
        assert.equal(answer.status, made.length > 0 ? 201 : 200, JSON.stringify(answer.body));
        assert.deepEqual(
          answer.body.data.map((invoice: { period_end: string }) => invoice.period_end),
          made.map(({ period }) => period.end),
        );
      },
    }),
  );
}

function hasUnbilled({ invoices }: World): boolean {
  return invoices.some(({ status, replaced_by }) => status === 'void' && replaced_by === null);
}

/** Changes the tax rate for later and regenerated invoices. Not while drafts are held, because they show the old rate. */
export const aTaxRate: fc.Arbitrary<Command> = fc.constantFrom('0', '20', '7.7', '19.5').map((tax_rate) =>
  command({
    name: `tax ${tax_rate}`,
    isPossible: ({ invoices }) => invoices.every(({ status }) => status !== 'draft'),
    run: async (world, session) => {
      session.steps.push(`set the tax rate to ${tax_rate}`);
      await patchCustomer(session, { tax_rate });
      world.tax_rate = tax_rate;
    },
  }),
);

async function patchCustomer({ request, customer_id }: Session, body: object): Promise<void> {
  const answer = await request(`/v1/customers/${customer_id}`, { method: 'PATCH', body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}
