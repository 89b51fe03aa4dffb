import { isUnderWay } from './under-way.ts';
import { atProvider } from './chargeable.ts';
import type { Card, Method, PaymentPage } from './collection.ts';
import { saveMethod } from './methods.ts';
import { dueOf } from './owed.ts';
import { book } from './receipts.ts';
import { note, type Invoice, type World } from './world.ts';

/** Pages of the provider on which a payer pays an invoice (billing.md 22). */

export type PageRefusal = 'invalid_state' | 'charge_in_progress' | 'not_chargeable' | 'no_payment_provider';

/** Every reason for which a page is refused. A pause is none. */
export function pageRefusalsOf(world: World, invoice: Invoice): PageRefusal[] {
  const { collection, currency } = world;
  const is_open = invoice.status === 'open';
  return [
    ...(is_open ? [] : ['invalid_state' as const]),
    ...(isUnderWay(world, invoice) ? ['charge_in_progress' as const] : []),
    ...(is_open && atProvider(currency, dueOf(invoice)) === null ? ['not_chargeable' as const] : []),
    ...(collection.has_provider ? [] : ['no_payment_provider' as const]),
  ];
}

/** The open page of an invoice. */
export function openPageOf({ collection }: World, invoice: Invoice): PaymentPage | undefined {
  return collection.pages.find((page) => page.invoice === invoice && page.status === 'open');
}

/** The open page of an invoice again, or another one where it is of another amount than is due, or saves a method unasked. */
export function pageOf(world: World, invoice: Invoice, saves: boolean): PaymentPage {
  const open = openPageOf(world, invoice);
  if (open !== undefined && open.amount === dueOf(invoice) && (saves || !open.saves)) {
    note(world, 'page asked for again');
    return open;
  }
  if (open !== undefined) open.status = 'expired';
  const page: PaymentPage = {
    ...{ invoice, amount: dueOf(invoice), saves, is_debited: false, status: 'open', payment: null },
  };
  world.collection.pages.push(page);
  return page;
}

/** Closes the open page of an invoice, before an attempt begins. */
export function closePage(world: World, invoice: Invoice): void {
  const open = openPageOf(world, invoice);
  if (open === undefined) return;
  open.status = 'expired';
  note(world, 'page closed by a charge');
}

/** Closes the pages whose invoices are no longer due as they say. */
export function closeStale({ collection }: World): PaymentPage[] {
  const stale = collection.pages.filter(
    ({ status, is_debited, invoice, amount }) =>
      status === 'open' && !is_debited && (invoice.status !== 'open' || dueOf(invoice) !== amount),
  );
  for (const page of stale) page.status = 'expired';
  return stale;
}

/** Books what a payer has paid on a page, also on one that could not be closed in time; the method, if the page saves it. */
export function payPage(
  world: World,
  page: PaymentPage,
  label: string,
  card: Card = 'succeeds',
): Method | null {
  world.collection.cash += page.amount;
  page.status = 'paid';
  page.payment = book(world, page.invoice, page.amount);
  return page.saves ? saveMethod(world, { label, card }) : null;
}

/** Pays a page by a debit that takes days. */
export function debitPage(page: PaymentPage): void {
  page.is_debited = true;
}

/** Ends a debit: the money comes, and a method with this label; or it fails, for null. */
export function endDebit(world: World, page: PaymentPage, label: string | null): Method | null {
  page.is_debited = false;
  if (label !== null) return payPage(world, page, label, 'processing');
  page.status = 'expired';
  return null;
}
