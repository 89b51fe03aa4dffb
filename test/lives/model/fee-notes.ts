import assert from 'node:assert/strict';
import { creditInvoice, undo } from './credit-notes.ts';
import { takenAlong } from './discounts-on-notes.ts';
import { excessOf, type Ended } from './fees.ts';
import { canWithdraw } from './owed.ts';
import { creditOwedQuantities } from './quantity-notes.ts';
import { billedPeriods, feePeriod } from './periods.ts';
import { SETTLED, type Share } from './shares.ts';
import { note, type Instant, type Invoice, type Subscription, type World } from './world.ts';
import { spanText } from './words.ts';

/**
 * Makes the notes of unused time (billing.md 10) of the fees of the period that starts at this instant, as far as it has ended: one for all
 * fees of an invoice, the one issued last first.
 */
export function settleFees(world: World, subscription: Subscription, start: Instant): void {
  const shares = excessOf(world, subscription, start);
  const invoices = [...new Set(shares.map(({ invoice }) => invoice))];
  for (const invoice of invoices.toSorted((a, b) => b.number! - a.number!))
    for (const settle of SETTLED) {
      const lines = shares.filter((share) => share.invoice === invoice && share.of.settle === settle);
      if (lines.length > 0) creditTime(world, subscription, { invoice, lines });
    }
}

/** Makes the notes of the fees that ran up to an instant, and of those that began then, where what is open began then. */
export function settleFeesAt(world: World, subscription: Subscription, instant: Instant): void {
  const before = subscription.full_periods.find(({ end }) => end === instant);
  if (before !== undefined) settleFees(world, subscription, feePeriod(subscription, before).start);
  settleFees(world, subscription, instant);
}

type Unused = { invoice: Invoice; lines: readonly Share<Ended>[] };

function creditTime(world: World, { timezone }: Subscription, { invoice, lines }: Unused): void {
  const { end: start, settle } = lines[0]!.of;
  const ends = lines.map(({ place }) => invoice.lines[place]!.period.end).toSorted();
  const reason = `Unused time from ${spanText({ start, end: ends.at(-1)! }, timezone)}`;
  const origin = { automatic: true, cause: null, reason };
  const { full_period } = invoice.lines[lines[0]!.place]!;
  const amount = lines.reduce((sum, line) => sum + line.amount, 0n);
  const along = takenAlong(world, { invoice, full_period, amount });
  if (along.length > 0) note(world, 'note of unused time takes a discount along');
  const credited = { lines: [...lines, ...along], to_balance: settle === 'balance', origin };
  const made = creditInvoice(world, invoice, credited);
  assert.ok(made, 'lines and invoice have left what is credited');
  note(world, `note of unused time, ${settle}`);
}

/**
 * Brings all fees of a subscription to the rule, once something that was void leaves more to credit (billing.md 10): for each period, the
 * oldest first, as at its end.
 */
export function settleOwedFees(world: World, subscription: Subscription): void {
  const periods = [...billedPeriods(subscription), ...subscription.exchanged];
  const known = notesOf(world);
  for (const start of new Set(periods.map((period) => period.start).toSorted())) {
    settleFees(world, subscription, start);
  }
  creditOwedQuantities(world, subscription);
  if (notesOf(world) > known) note(world, 'unused time credited once a note or an invoice is void');
}

function notesOf({ invoices }: World): number {
  return invoices.reduce((sum, { notes }) => sum + notes.length, 0);
}

/**
 * Voids a note by hand, and credits what is owed of fees. False if it is void already, automatic, or if the balance that it gave was paid
 * out.
 */
export function voidNote(world: World, invoice: Invoice, place: number): boolean {
  const credit_note = invoice.notes[place]!;
  if (credit_note.is_void || credit_note.automatic || !canWithdraw(world, credit_note.to_balance))
    return false;
  undo(world, invoice, credit_note);
  settleOwedFees(world, invoice.subscription);
  return true;
}
