import { decimal } from '../domain/decimal.ts';
import { conflict, invalid } from '../domain/errors.ts';
import { minorDigits, toAmount } from '../domain/money.ts';
import { addDays } from '../domain/period.ts';
import { newId } from '../ids.ts';
import { addToPaid, invalidState, takeFromPaid } from '../db/invoice-transitions.ts';
import { findInvoice, findPaymentTimes, type Invoice } from '../db/invoices.ts';
import { findPayment, insertPayment, markReversed, type Payment } from '../db/payments.ts';
import { lockCustomerAndSubscription } from '../db/subscription-context.ts';
import type { Db } from '../db/pool.ts';

const DAYS_BEFORE_ISSUE_MAX = 366;

/** `amount` null is all that is due, `paid_at` null the customer's now. `by` is the id of the key or the session. */
export type PaymentRequest = {
  amount: string | null;
  paid_at: string | null;
  reference: string | null;
  by: string;
};

/**
 * Records a payment of an open invoice, which is paid once nothing is due. Returns the payment's id; null if the invoice does not exist.
 * Throws invalid_request if `paid_at` is after now or more than 366 days before the issue, or if `amount` has more digits than the currency
 * (contract.md 4), and conflict `invalid_state` if the invoice is not open or less is due.
 */
export async function recordPayment(
  db: Db,
  environment_id: number,
  invoice_id: string,
  { amount, paid_at, reference, by }: PaymentRequest,
): Promise<string | null> {
  const found = await findInvoice(db, environment_id, invoice_id);
  if (found === null) return null;
  await lockCustomerAndSubscription(db, environment_id, found.subscription_id);
  // Read again: another payment may have been recorded while this one waited for the lock.
  const invoice = (await findInvoice(db, environment_id, invoice_id))!;
  const times = (await findPaymentTimes(db, environment_id, invoice_id))!;
  if (paid_at !== null) checkPaidAt(paid_at, times);
  const paid = amountOf(invoice, amount);
  const id = newId('pay');
  const payment = { id, invoice_id, amount: paid, reference, paid_at: paid_at ?? times.now };
  await insertPayment(db, environment_id, { ...payment, created_at: times.now, created_by: by });
  await addToPaid(db, environment_id, payment);
  return id;
}

/** The amount in the currency's minor digits. */
function amountOf({ id, status, currency, amount_due }: Invoice, amount: string | null): string {
  if (amount !== null && (amount.split('.')[1] ?? '').length > minorDigits(currency))
    throw invalid(
      'amount',
      'out_of_range',
      `amount must have at most ${minorDigits(currency)} decimals, as ${currency} has`,
    );
  if (status !== 'open') throw invalidState(id, `is ${status} and cannot become paid`);
  if (amount === null) return amount_due;
  if (decimal(amount).gt(amount_due))
    throw conflict('amount', 'invalid_state', `amount is above ${amount_due}, what is due`);
  return toAmount(decimal(amount), currency);
}

/**
 * Reverses a payment that was recorded by mistake: its amount is due again, and the invoice is open. The payment stays. Returns null if the
 * invoice has no such payment. Throws conflict `invalid_state` if it was reversed before.
 */
export async function reversePayment(
  db: Db,
  environment_id: number,
  { invoice_id, id, reason, by }: { invoice_id: string; id: string; reason: string; by: string },
): Promise<Payment | null> {
  const payment = await findPayment(db, environment_id, id);
  if (payment === null || payment.invoice_id !== invoice_id) return null;
  const { subscription_id } = (await findInvoice(db, environment_id, invoice_id))!;
  await lockCustomerAndSubscription(db, environment_id, subscription_id);
  const { now } = (await findPaymentTimes(db, environment_id, invoice_id))!;
  if (!(await markReversed(db, environment_id, { id, reason, at: now, by })))
    throw conflict(null, 'invalid_state', `payment ${id} was reversed before`);
  await takeFromPaid(db, environment_id, payment);
  return findPayment(db, environment_id, id);
}

/** A draft has no issue date; the check then counts from now. */
function checkPaidAt(paid_at: string, { issued_at, now }: { issued_at: string | null; now: string }): void {
  if (paid_at > now)
    throw invalid('paid_at', 'out_of_range', `paid_at must not be after the current time, ${now}`);
  const earliest = addDays(issued_at ?? now, -DAYS_BEFORE_ISSUE_MAX);
  if (paid_at < earliest)
    throw invalid(
      'paid_at',
      'out_of_range',
      `paid_at must not be before ${earliest}, ${DAYS_BEFORE_ISSUE_MAX} days before the invoice was issued`,
    );
}
