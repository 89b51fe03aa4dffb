import { decimal, max, ZERO } from '../../domain/money/decimal.ts';
import { conflict } from '../../domain/money/errors.ts';
import { checkDigits, toAmount } from '../../domain/money/money.ts';
import { invalidState } from '../../db/invoicing/owed.ts';
import { findInvoice, findPaymentTimes } from '../../db/invoicing/invoices.ts';
import type { Invoice } from '../../objects/invoice.ts';
import { lockCustomerAndSubscription } from '../../db/subscriptions/subscription-context.ts';
import type { Db } from '../../db/connection/pool.ts';
import { checkPaidAt, refuseDuplicate } from './payment-checks.ts';
import { writePayment } from './write-payment.ts';

/**
 * `amount` null is all that is due, `paid_at` null the customer's now. `excess` says what becomes of an amount above
 * what is due. `by` is the id of the key or the session.
 */
export type PaymentRequest = {
  amount: string | null;
  paid_at: string | null;
  reference: string | null;
  excess: 'refused' | 'balance';
  allow_duplicate: boolean;
  by: string;
};

/**
 * Records a payment of an open invoice, which is paid once nothing is due, or of a paid one, if its excess may go to
 * the balance. Returns the payment's id; null if the invoice does not exist. Throws invalid_request if `paid_at` is
 * after now or more than 366 days before the issue, or if `amount` has more digits than the currency (contract.md 4);
 * conflict `duplicate_payment` (refuseDuplicate), and `invalid_state` if the invoice is a draft or void, or if less is
 * due.
 */
export async function recordPayment(
  db: Db,
  environment_id: number,
  invoice_id: string,
  { paid_at, reference, by, ...request }: PaymentRequest,
): Promise<string | null> {
  const invoice_before = await findInvoice(db, environment_id, invoice_id);
  if (invoice_before === null) return null;
  const { customer_id } = (await lockCustomerAndSubscription(
    db,
    environment_id,
    invoice_before.subscription_id,
  ))!;
  // Read again: another payment may have been recorded while this one waited for the lock.
  const invoice = (await findInvoice(db, environment_id, invoice_id))!;
  const times = (await findPaymentTimes(db, environment_id, invoice_id))!;
  if (paid_at !== null) checkPaidAt(paid_at, times);
  if (request.amount !== null) checkDigits('amount', request.amount, invoice.currency);
  const amount = toAmount(decimal(request.amount ?? invoice.amount_due), invoice.currency);
  const payment = { invoice_id, customer_id, amount, reference, paid_at: paid_at ?? times.now };
  if (!request.allow_duplicate) await refuseDuplicate(db, environment_id, payment);
  const to_balance = excessOf(invoice, amount, request);
  const recorded = { transfer_id: null, created_at: times.now, created_by: by };
  return writePayment(db, environment_id, { ...payment, to_balance, ...recorded });
}

/** The part of a received amount that is above what is due, in the currency's minor digits. */
function excessOf(
  { id, status, currency, amount_due }: Invoice,
  received: string,
  { amount, excess }: Pick<PaymentRequest, 'amount' | 'excess'>,
): string {
  const may_exceed = amount !== null && excess === 'balance';
  if (status !== 'open' && !(status === 'paid' && may_exceed))
    throw invalidState(id, `is ${status} and cannot become paid`);
  const to_balance = max(ZERO, decimal(received).minus(amount_due));
  if (to_balance.gt(ZERO) && !may_exceed)
    throw conflict('amount', 'invalid_state', `amount is above ${amount_due}, what is due`);
  return toAmount(to_balance, currency);
}
