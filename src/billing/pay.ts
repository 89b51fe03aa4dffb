import { decimal, max, ZERO } from '../domain/decimal.ts';
import { conflict, invalid } from '../domain/errors.ts';
import { isZero, negated } from '../domain/figures.ts';
import { checkDigits, toAmount } from '../domain/money.ts';
import { moveBalance } from '../db/invoicing/balance.ts';
import { addDays } from '../domain/period.ts';
import { newId } from '../ids.ts';
import { changeOwed, invalidState } from '../db/invoicing/owed.ts';
import { findInvoice, findPaymentTimes, type Invoice } from '../db/invoicing/invoices.ts';
import { findPayment, insertPayment, markReversed, type Payment } from '../db/invoicing/payments.ts';
import { lockCustomerAndSubscription } from '../db/subscriptions/subscription-context.ts';
import type { Db } from '../db/connection/pool.ts';

const DAYS_BEFORE_ISSUE_MAX = 366;

/**
 * `amount` null is all that is due, `paid_at` null the customer's now. `excess` says what becomes of an amount above what is due. `by` is the
 * id of the key or the session.
 */
export type PaymentRequest = {
  amount: string | null;
  paid_at: string | null;
  reference: string | null;
  excess: 'refused' | 'balance';
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
  { paid_at, reference, by, ...request }: PaymentRequest,
): Promise<string | null> {
  const found = await findInvoice(db, environment_id, invoice_id);
  if (found === null) return null;
  const { customer_id } = (await lockCustomerAndSubscription(db, environment_id, found.subscription_id))!;
  // Read again: another payment may have been recorded while this one waited for the lock.
  const invoice = (await findInvoice(db, environment_id, invoice_id))!;
  const times = (await findPaymentTimes(db, environment_id, invoice_id))!;
  if (paid_at !== null) checkPaidAt(paid_at, times);
  const { amount, paid, to_balance } = amountsOf(invoice, request);
  const id = newId('pay');
  const at = paid_at ?? times.now;
  const payment = { id, invoice_id, amount, to_balance, reference, paid_at: at };
  await insertPayment(db, environment_id, { ...payment, created_at: times.now, created_by: by });
  await changeOwed(db, environment_id, { invoice_id, paid, at, reference });
  const entry = { id: newId('bal'), customer_id, type: 'overpayment', amount: to_balance } as const;
  await moveBalance(db, environment_id, { ...entry, invoice_id, payment_id: id, at: times.now, by });
  return id;
}

/** The amount received, the part that pays the invoice, and the excess, in the currency's minor digits. */
function amountsOf(
  { id, status, currency, amount_due }: Invoice,
  { amount, excess }: Pick<PaymentRequest, 'amount' | 'excess'>,
): { amount: string; paid: string; to_balance: string } {
  if (amount !== null) checkDigits('amount', amount, currency);
  if (status !== 'open') throw invalidState(id, `is ${status} and cannot become paid`);
  const received = toAmount(decimal(amount ?? amount_due), currency);
  const above = toAmount(max(ZERO, decimal(received).minus(amount_due)), currency);
  if (!isZero(above) && excess === 'refused')
    throw conflict('amount', 'invalid_state', `amount is above ${amount_due}, what is due`);
  return { amount: received, paid: isZero(above) ? received : amount_due, to_balance: above };
}

/**
 * Reverses a payment that was recorded by mistake: its amount is due again, the invoice is open, and its excess is taken from the balance.
 * The payment stays. Returns null if the invoice has no such payment. Throws conflict `invalid_state` if it was reversed before, or if the
 * balance is below the excess.
 */
export async function reversePayment(
  db: Db,
  environment_id: number,
  { invoice_id, id, reason, by }: { invoice_id: string; id: string; reason: string; by: string },
): Promise<Payment | null> {
  const payment = await findPayment(db, environment_id, id);
  if (payment === null || payment.invoice_id !== invoice_id) return null;
  const { amount, to_balance, currency } = payment;
  const { subscription_id } = (await findInvoice(db, environment_id, invoice_id))!;
  const { customer_id } = (await lockCustomerAndSubscription(db, environment_id, subscription_id))!;
  const { now: at } = (await findPaymentTimes(db, environment_id, invoice_id))!;
  if (!(await markReversed(db, environment_id, { id, reason, at, by })))
    throw conflict(null, 'invalid_state', `payment ${id} was reversed before`);
  const paid = toAmount(decimal(to_balance).minus(amount), currency);
  await changeOwed(db, environment_id, { invoice_id, paid, at });
  const entry = { id: newId('bal'), customer_id, type: 'overpayment', amount: negated(to_balance) } as const;
  const back = { ...entry, reason, invoice_id, payment_id: id, at, by };
  if (!(await moveBalance(db, environment_id, back))) throw spent(payment);
  return findPayment(db, environment_id, id);
}

function spent({ id, to_balance }: Payment): Error {
  const message = `payment ${id} cannot be reversed: the balance of the customer is below ${to_balance}, what the payment gave`;
  return conflict(null, 'invalid_state', message);
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
