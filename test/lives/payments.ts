import { amountsOf } from './amounts.ts';
import type { Invoice, World } from './world.ts';

/** What was paid for an invoice and not reversed, in minor units. */
export function paidOf({ payments }: Invoice): bigint {
  return payments.reduce((sum, { amount, is_reversed }) => (is_reversed ? sum : sum + amount), 0n);
}

/** What is due on an invoice, in minor units; 0 once it is paid or void. */
export function dueOf(invoice: Invoice): bigint {
  const { status } = invoice;
  return status === 'paid' || status === 'void' ? 0n : amountsOf(invoice).total - paidOf(invoice);
}

/** Pays a part of an open invoice, or all that is due; false for any other status, and for more than is due. */
export function payInvoice(world: World, invoice: Invoice, part?: bigint): boolean {
  if (invoice.status !== 'open') return false;
  const due = dueOf(invoice);
  const amount = part ?? due;
  if (amount > due) return false;
  invoice.payments.push({ amount, is_reversed: false });
  if (amount === due) {
    invoice.status = 'paid';
    invoice.paid_at = world.now;
  }
  return true;
}

/** Reverses a payment: its invoice is open again. False if it was reversed before. */
export function reversePayment(invoice: Invoice, place: number): boolean {
  const payment = invoice.payments[place]!;
  if (payment.is_reversed) return false;
  payment.is_reversed = true;
  invoice.status = 'open';
  invoice.paid_at = null;
  return true;
}
