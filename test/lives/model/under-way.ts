import type { Attempt } from './collection.ts';
import type { Invoice, World } from './world.ts';

/** Attempts of an invoice, and whether it is charged now. */

export function isOpen({ status }: Attempt): boolean {
  return status === 'pending' || status === 'processing';
}

/** The attempts of an invoice in their order. */
export function attemptsOf({ collection }: World, invoice: Invoice): Attempt[] {
  return collection.attempts.filter((attempt) => attempt.invoice === invoice);
}

/** Whether an attempt of an invoice is open, or its payer has paid it by a debit that takes days. */
export function isUnderWay(world: World, invoice: Invoice): boolean {
  const { pages } = world.collection;
  const is_debited = pages.some(
    (page) => page.invoice === invoice && page.status === 'open' && page.is_debited,
  );
  return is_debited || attemptsOf(world, invoice).some(isOpen);
}
