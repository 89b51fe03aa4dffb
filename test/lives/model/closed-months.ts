import { notesWith } from './credit-notes.ts';
import type { CreditNote, Instant, Invoice, World } from './world.ts';

/** Closed months (billing.md 7). The account of a life is in UTC. */
export const monthOf = (instant: Instant): string => instant.slice(0, 7);

/** Closes a month, also one that the clock is in; false if it is closed. */
export function closeMonth(world: World, month: string): boolean {
  if (world.closed.has(month)) return false;
  world.closed.set(month, { was_over: monthOf(world.now) > month });
  return true;
}

/** Whether an invoice is kept from void and regeneration: it was issued in a closed month, or an automatic note that would be void with it. */
export function isInvoiceKept(world: World, invoice: Invoice): boolean {
  if (invoice.status !== 'open' && invoice.status !== 'paid') return false;
  const notes = notesWith(world, invoice).map(({ credit_note }) => credit_note);
  return [invoice.issued_at!, ...notes.map(({ issued_at }) => issued_at)].some((at) =>
    world.closed.has(monthOf(at)),
  );
}

/** Whether a note that a person may void otherwise is kept from it. */
export function isNoteKept(world: World, { is_void, automatic, issued_at }: CreditNote): boolean {
  return !is_void && !automatic && world.closed.has(monthOf(issued_at));
}
