import { decimal } from '../../domain/money/decimal.ts';
import { conflict } from '../../domain/money/errors.ts';
import { isZero } from '../../domain/money/figures.ts';
import { toAmount } from '../../domain/money/money.ts';
import { findCustomerKey, lockedCustomer } from '../../db/customers/customers.ts';
import { changeOwed } from '../../db/invoicing/owed.ts';
import { findPayment, markReversed, type Payment } from '../../db/invoicing/payments.ts';
import type { Db } from '../../db/connection/pool.ts';
import { withdraw } from '../notes/withdraw.ts';

/**
 * Reverses a payment that the bank took back, or that was recorded by mistake: what it paid is due again on its
 * invoice, and what it gave is withdrawn from the balance (withdraw). The payment stays. Returns null if it does not
 * exist, or is not of `invoice_id`, null for any. Throws conflict `invalid_state` if it was reversed before, or if what
 * it gave was paid out.
 */
export async function reversePayment(
  db: Db,
  environment_id: number,
  { id, invoice_id, reason, by }: { id: string; invoice_id: string | null; reason: string; by: string },
): Promise<Payment | null> {
  const payment = await findPayment(db, environment_id, id);
  if (payment === null || (invoice_id !== null && payment.invoice_id !== invoice_id)) return null;
  const { amount, to_balance, currency } = payment;
  const { id: customer_id } = (await lockedCustomer(db, environment_id, payment.customer_id))!;
  const { now: at } = (await findCustomerKey(db, environment_id, customer_id))!;
  if (!(await markReversed(db, environment_id, { id, reason, at, by })))
    throw conflict(null, 'invalid_state', `payment ${id} was reversed before`);
  const paid = toAmount(decimal(to_balance).minus(amount), currency);
  if (payment.invoice_id !== null && !isZero(paid))
    await changeOwed(db, environment_id, { invoice_id: payment.invoice_id, paid });
  await withdraw(db, environment_id, {
    customer_id,
    amount: to_balance,
    reason,
    payment_id: id,
    at,
    by,
    ...(payment.invoice_id === null ? {} : { invoice_id: payment.invoice_id }),
    type: payment.invoice_id === null ? 'deposit' : 'overpayment',
    fault: `payment ${id} cannot be reversed`,
  });
  return findPayment(db, environment_id, id);
}
