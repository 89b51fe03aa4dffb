import assert from 'node:assert/strict';
import { compose } from './composition.ts';
import { correctUsage } from './corrections.ts';
import { canUndoNotes, hasNoteByHand, undoNotes } from './credit-notes.ts';
import { isOverdrawn, moveCredit } from './giving.ts';
import { splitItems } from './items.ts';
import { paidOf, returnBalance, settleOwed, takeBalance } from './owed.ts';
import { settleFees, settleOwedFees } from './fee-notes.ts';
import { closes, feeLines, openingPeriod } from './fees.ts';
import { correctMinimums } from './period-notes.ts';
import { feePeriod } from './periods.ts';
import { planCharge } from './schedules.ts';
import { noteIssue, noteVoid } from './situations.ts';
import { note } from './world.ts';
import type { Invoice, Item, Span, Subscription, World } from './world.ts';

type Making = {
  subscription: Subscription;
  period: Invoice['period'];
  /** The void invoice that it replaces. */
  replaces?: Invoice | undefined;
  keeps?: readonly Item[];
};

function saidBy({ start, end }: Span): Span {
  return { start, end };
}

/** Adds a draft, and links it with the invoice that it replaces. It shows its credit, but draws nothing. */
export function makeDraft(world: World, { subscription, period, replaces, keeps }: Making): Invoice {
  const invoice: Invoice = {
    subscription,
    period,
    says: saidBy(period),
    counted: world.events.length,
    status: 'draft',
    lines: [],
    keeps: keeps ?? null,
    tax_rate: world.tax_rate,
    number: null,
    created_at: world.now,
    issued_at: null,
    paid_at: null,
    voided_at: null,
    payments: [],
    notes: [],
    from_balance: 0n,
    at_issue: 0n,
    applied: [],
    replaces: replaces ?? null,
    replaced_by: null,
    moved: new Map(),
  };
  invoice.lines = compose(world, invoice).lines;
  if (replaces !== undefined) replaces.replaced_by = invoice;
  world.invoices.push(invoice);
  return invoice;
}

/** The last one of some invoices of a period, where it is void and nothing replaces it yet. */
export function lastVoid(invoices: readonly Invoice[]): Invoice | undefined {
  return invoices.filter(({ status, replaced_by }) => status === 'void' && replaced_by === null).at(-1);
}

/**
 * Issues a draft: composes it again whatever it showed, draws the credit, numbers it, makes the notes of what others billed too high, and
 * takes from the balance. It is paid at once if nothing is due.
 */
export function issue(world: World, invoice: Invoice): void {
  const { lines: shown } = invoice;
  invoice.counted = world.events.length;
  const composition = compose(world, invoice);
  moveCredit(world, invoice, () => {
    invoice.lines = composition.lines;
    splitItems(world, invoice);
    invoice.number = ++world.numbered;
    invoice.issued_at = world.now;
    invoice.status = 'open';
  });
  assert.ok(!isOverdrawn(world), 'no grant gives more than its amount');
  const { subscription, period } = invoice;
  if (closes(period)) settleFees(world, subscription, feePeriod(subscription, period.full_period).start);
  correctUsage(world, invoice, composition.shares);
  correctMinimums(world, invoice);
  takeBalance(world, invoice);
  settleOwed(invoice);
  planCharge(world, invoice);
  noteIssue(world, invoice, { composition, shown });
}

/**
 * Voids a draft, an open or a paid invoice without a payment or a note of a person, and its automatic notes; returns its draws and what it
 * took from the balance. False if its status forbids it, if other invoices have used the credit that its lines returned, or if the money
 * of its notes was paid out.
 */
export function voidInvoice(world: World, invoice: Invoice): boolean {
  if (invoice.status === 'void' || paidOf(invoice) !== 0n || hasNoteByHand(invoice)) return false;
  if (isReturnUsed(world, invoice)) {
    note(world, 'void refused: its returned credit is used');
    return false;
  }
  if (!canUndoNotes(world, invoice)) {
    note(world, 'void refused: the money of its automatic notes is paid out');
    return false;
  }
  const drawn = invoice.status === 'draft' ? [] : invoice.lines.flatMap(({ draws }) => draws);
  moveCredit(world, invoice, () => {
    invoice.status = 'void';
    invoice.voided_at = world.now;
  });
  returnBalance(world, invoice);
  undoNotes(world, invoice);
  settleOwedFees(world, invoice.subscription);
  noteVoid(world, invoice, drawn);
  return true;
}

/** Whether, without this invoice, a grant would have given more than its amount. */
function isReturnUsed(world: World, invoice: Invoice): boolean {
  const others = world.invoices.filter((other) => other !== invoice);
  return isOverdrawn({ ...world, invoices: others });
}

/**
 * Voids an invoice and bills its period again. Returns the new invoice, or null if the old one cannot be voided, or bills what is left
 * out. A draft yields a draft.
 */
export function regenerateInvoice(world: World, invoice: Invoice): Invoice | null {
  const { status: before, subscription, lines } = invoice;
  if (isLeftOut(invoice) || isNeedless(world, invoice) || !voidInvoice(world, invoice)) return null;
  const keeps = lines.flatMap(({ item }) => item ?? []);
  const made = makeDraft(world, {
    ...{ subscription, period: periodAgain(invoice), replaces: invoice },
    ...(before === 'draft' ? {} : { keeps }),
  });
  if (before !== 'draft') issue(world, made);
  return made;
}

/** Whether a further opening, made again, would find that nothing is lacking. */
function isNeedless(world: World, invoice: Invoice): boolean {
  const { period } = invoice;
  if (period.kind !== 'opening' || period.number === 1) return false;
  const others = { ...world, invoices: world.invoices.filter((other) => other !== invoice) };
  return feeLines(others, { ...invoice, period: periodAgain(invoice) }).length === 0;
}

/** Whether an end in a period that was billed has left out what an invoice bills. */
export function isLeftOut({ subscription, period }: Invoice): boolean {
  if (period.kind === 'late') return false;
  const { full_periods, left_out } = subscription;
  if (period.kind === 'opening') return left_out.some(({ start }) => start === period.start);
  return !full_periods.some(({ parts }) => parts.includes(period));
}

/** The period of an invoice that is made again: that of an opening is up to the end that is known now, by the plan of now. */
function periodAgain({ subscription, period }: Invoice): Invoice['period'] {
  if (period.kind !== 'opening') return period;
  const now = subscription.full_periods.find(({ start }) => start === period.start);
  return now === undefined ? period : openingPeriod(subscription, now, period.number);
}
