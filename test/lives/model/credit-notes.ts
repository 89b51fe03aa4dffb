import { rational, rounded, times } from '../../support/oracles/price-oracle.ts';
import { amountsOf } from './amounts.ts';
import { canWithdraw, dueOf, moveBalance, settleOwed, standingNotes, withdraw } from './owed.ts';
import { note, type CreditNote, type Invoice, type World } from './world.ts';

/** Credit notes of invoices (billing.md 7): those that a person makes, and what becomes of the ones that billing makes itself. */

/** The amount that the line at a place has left to credit. */
export function leftOf(invoice: Invoice, place: number): bigint {
  const credited = standingNotes(invoice).flatMap(({ lines }) =>
    lines.filter((line) => line.place === place),
  );
  return invoice.lines[place]!.amount - credited.reduce((sum, { amount }) => sum + amount, 0n);
}

/** Who makes a note, and why: a person, or billing at the issue of the invoice `cause`. */
export type Origin = Pick<CreditNote, 'automatic' | 'cause' | 'reason'>;
const BY_HAND: Origin = { automatic: false, cause: null, reason: 'Outage' };

export type Crediting = {
  lines: readonly { place: number; amount: bigint | null }[] | 'all';
  to_balance: boolean;
  origin?: Origin;
};

/** Issues a credit note; null if the invoice is not issued, or a line or the invoice has less left, or nothing. */
export function creditInvoice(
  world: World,
  invoice: Invoice,
  { lines, to_balance, origin = BY_HAND }: Crediting,
): CreditNote | null {
  if (invoice.status !== 'open' && invoice.status !== 'paid') return null;
  const places = [...invoice.lines.keys()].filter((place) => leftOf(invoice, place) !== 0n);
  const wanted = lines === 'all' ? places.map((place) => ({ place, amount: null })) : lines;
  const credited = wanted.map(({ place, amount }) => ({ place, amount: amount ?? leftOf(invoice, place) }));
  const hasTooLittle = ({ place, amount }: { place: number; amount: bigint }) =>
    leftOf(invoice, place) <= 0n || amount > leftOf(invoice, place);
  // Billing also takes back lines of discounts, as far as they are below zero.
  const isKept = ({ place, amount }: { place: number; amount: bigint }) =>
    origin.automatic && amount < 0n ? amount < leftOf(invoice, place) : hasTooLittle({ place, amount });
  if (lines !== 'all' && credited.some(isKept)) return null;
  const net = credited.reduce((sum, { amount }) => sum + amount, 0n);
  const before = standingNotes(invoice);
  const net_before = before.reduce((sum, note) => sum + note.net, 0n);
  const left = amountsOf(invoice).subtotal - net_before;
  if (net > left || (left <= 0n && !origin.automatic)) return null;
  const tax_before = before.reduce((sum, note) => sum + note.tax, 0n);
  const tax_left = taxOf(net_before + net, invoice.tax_rate) - tax_before;
  const tax = tax_left < 0n ? 0n : tax_left;
  const total = net + tax;
  const due = dueOf(invoice);
  const to_invoice = total < due ? total : due;
  const credit_note: CreditNote = {
    ...{ ...origin, number: world.invoices.flatMap(({ notes }) => notes).length + 1 },
    ...{ lines: credited, net, tax, total, to_invoice, issued_at: world.now, is_void: false },
    to_balance: to_balance ? total - to_invoice : 0n,
    outside: to_balance ? 0n : total - to_invoice,
  };
  invoice.notes.push(credit_note);
  moveBalance(world, 'credit_note', { amount: credit_note.to_balance, invoice });
  settleOwed(invoice);
  return credit_note;
}

function taxOf(net: bigint, tax_rate: string): bigint {
  const { n, d } = times({ n: net, d: 1n }, rational(tax_rate));
  return BigInt(rounded({ n, d: d * 100n }, 0));
}

/** Makes due again the amount that a note took off, and takes back from the balance the amount that it gave. */
export function undo(world: World, invoice: Invoice, credit_note: CreditNote): void {
  credit_note.is_void = true;
  if (invoice.status !== 'void') settleOwed(invoice);
  withdraw(world, 'credit_note', { amount: credit_note.to_balance, invoice });
}

/** Whether a note that a person made stands on the invoice. */
export function hasNoteByHand(invoice: Invoice): boolean {
  return standingNotes(invoice).some(({ automatic }) => !automatic);
}

/** The automatic notes that are void with an invoice, the last one first: those on it, and those that its issue made on others. */
export function notesWith({ invoices }: World, invoice: Invoice): { on: Invoice; credit_note: CreditNote }[] {
  const standing = invoices.flatMap((on) => standingNotes(on).map((credit_note) => ({ on, credit_note })));
  return standing
    .filter(({ on, credit_note: { automatic, cause } }) => automatic && (on === invoice || cause === invoice))
    .toSorted((a, b) => b.credit_note.number - a.credit_note.number);
}

/** Whether balance and covered invoices have what the automatic notes of an invoice gave to the balance. */
export function canUndoNotes(world: World, invoice: Invoice): boolean {
  const amounts = notesWith(world, invoice).map(({ credit_note }) => credit_note.to_balance);
  return canWithdraw(
    world,
    amounts.reduce((sum, amount) => sum + amount, 0n),
  );
}

/** Voids the automatic notes of an invoice that is void by now. */
export function undoNotes(world: World, invoice: Invoice): void {
  for (const { on, credit_note } of notesWith(world, invoice)) {
    note(
      world,
      on === invoice ? 'automatic note void with its invoice' : 'automatic note void with its cause',
    );
    undo(world, on, credit_note);
  }
}
