import type { Attempt, Method } from './collection.ts';
import { atProvider } from './chargeable.ts';
import { defaultOf, isActive } from './methods.ts';
import { dueOf } from './owed.ts';
import { closePage } from './payment-pages.ts';
import { isPaused } from './pauses.ts';
import { book } from './receipts.ts';
import { attemptsOf, isUnderWay } from './under-way.ts';
import { note, type Invoice, type World } from './world.ts';

/** Charges of invoices (billing.md 20). A step is one function, so that an act may come between two of them. */

/** A code with which a bank declines a card for good. */
export const FOR_GOOD = 'stolen_card';

export type ChargeRefusal =
  'invalid_state' | 'not_chargeable' | 'charge_in_progress' | 'paused' | 'no_payment_method';

/** Every reason for which a charge is refused; the documents do not say which one comes first. */
export function refusalsOf(world: World, invoice: Invoice, method = defaultMethod(world)): ChargeRefusal[] {
  const is_open = invoice.status === 'open';
  return [
    ...(is_open ? [] : ['invalid_state' as const]),
    ...(is_open && atProvider(world.currency, dueOf(invoice)) === null ? ['not_chargeable' as const] : []),
    ...(isUnderWay(world, invoice) ? ['charge_in_progress' as const] : []),
    ...(isPaused(world, invoice) ? ['paused' as const] : []),
    ...(isActive(method) ? [] : ['no_payment_method' as const]),
  ];
}

export function defaultMethod({ collection }: World): Method | null {
  return defaultOf(collection.methods);
}

/** Makes an attempt of what is due; the provider prepares an intent, which charges nothing. */
export function prepare(
  world: World,
  invoice: Invoice,
  { method, by }: Pick<Attempt, 'method' | 'by'>,
): Attempt {
  const attempt: Attempt = {
    ...{ invoice, number: attemptsOf(world, invoice).length + 1, amount: dueOf(invoice), method, by },
    ...{ status: 'pending', decline_code: null, is_charged: false, payment: null, created_at: world.now },
  };
  closePage(world, invoice);
  world.collection.attempts.push(attempt);
  return attempt;
}

/** Cancels an attempt of which nothing is due, that is paused, or whose method is removed; else has the provider charge what is due now. */
export function confirm(world: World, attempt: Attempt): void {
  const { invoice, method } = attempt;
  if (invoice.status !== 'open' || isPaused(world, invoice) || method.status === 'removed') {
    attempt.status = 'canceled';
    return;
  }
  attempt.amount = dueOf(invoice);
  const { card } = method;
  if (card === 'succeeds') take(world, attempt);
  else if (card === 'processing') attempt.status = 'processing';
  else if (card === 'authentication_required') attempt.status = 'action_required';
  else if (card.times === declinesOf(world, attempt)) take(world, attempt);
  else decline(attempt, card.declined);
}

/** How often the card of an attempt was declined for its invoice. */
function declinesOf(world: World, { invoice, method }: Attempt): number {
  const with_it = attemptsOf(world, invoice).filter((attempt) => attempt.method === method);
  return with_it.filter(({ status }) => status === 'declined').length;
}

function take({ collection }: World, attempt: Attempt): void {
  attempt.is_charged = true;
  collection.cash += attempt.amount;
}

function decline(attempt: Attempt, code: string): void {
  Object.assign(attempt, { status: 'declined', decline_code: code });
  if (code === FOR_GOOD && attempt.method.status === 'active') attempt.method.status = 'failing';
}

/** Books what an attempt has charged, once. */
export function settle(world: World, attempt: Attempt): void {
  if (!attempt.is_charged || attempt.payment !== null) return;
  attempt.payment = book(world, attempt.invoice, attempt.amount);
  attempt.status = 'succeeded';
}

/** Charges an invoice: all steps at one instant. */
export function charge(world: World, invoice: Invoice, options: Pick<Attempt, 'method' | 'by'>): Attempt {
  const attempt = prepare(world, invoice, options);
  confirm(world, attempt);
  settle(world, attempt);
  note(world, `charge ${attempt.status} by a ${attempt.by}`);
  return attempt;
}

/** Ends an attempt that takes days: the money comes, or the bank declines it. */
export function finish(world: World, attempt: Attempt, declined: string | null): void {
  if (declined !== null) return decline(attempt, declined);
  take(world, attempt);
  settle(world, attempt);
}
