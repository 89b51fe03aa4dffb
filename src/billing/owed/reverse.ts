import { conflict } from '../../domain/money/errors.ts';
import { isZero, leftOf, negated } from '../../domain/money/figures.ts';
import { findCustomerKey, lockedCustomer } from '../../db/customers/customers.ts';
import { changeOwed } from '../../db/invoicing/owed.ts';
import { findPayment, markReversed } from '../../db/invoicing/payments.ts';
import { findTransfer } from '../../db/invoicing/transfers.ts';
import type { Payment } from '../../objects/payment.ts';
import type { Transfer } from '../../objects/transfer.ts';
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
  const { id: customer_id } = (await lockedCustomer(db, environment_id, payment.customer_id))!;
  const { now: at } = (await findCustomerKey(db, environment_id, customer_id))!;
  if (!(await reverse(db, environment_id, payment, { customer_id, reason, at, by })))
    throw conflict(null, 'invalid_state', `payment ${id} was reversed before`);
  return findPayment(db, environment_id, id);
}

/**
 * Reverses those payments of a transfer that stand, all or none. Returns null if the transfer does not exist. Throws
 * conflict `invalid_state` if none stands, or if what one gave to the balance was paid out.
 */
export async function reverseTransfer(
  db: Db,
  environment_id: number,
  { id, reason, by }: { id: string; reason: string; by: string },
): Promise<Transfer | null> {
  const transfer = await findTransfer(db, environment_id, id);
  if (transfer === null) return null;
  const { id: customer_id } = (await lockedCustomer(db, environment_id, transfer.customer_id))!;
  const { now: at } = (await findCustomerKey(db, environment_id, customer_id))!;
  let reversed = 0;
  for (const payment of transfer.payments)
    if (await reverse(db, environment_id, payment, { customer_id, reason, at, by })) reversed += 1;
  if (reversed === 0) throw conflict(null, 'invalid_state', `transfer ${id} was reversed before`);
  return findTransfer(db, environment_id, id);
}

/** `customer_id` is our `cus_` id. */
type Reversal = { customer_id: string; reason: string; at: string; by: string };

/**
 * Reverses a payment of a customer whose lock the caller holds. Returns false if it was reversed before. Throws conflict
 * `paid_out` as withdraw does.
 */
export async function reverse(
  db: Db,
  environment_id: number,
  { id, invoice_id, amount, to_balance }: Pick<Payment, 'id' | 'invoice_id' | 'amount' | 'to_balance'>,
  { customer_id, ...reversal }: Reversal,
): Promise<boolean> {
  if (!(await markReversed(db, environment_id, { id, ...reversal }))) return false;
  const paid = negated(leftOf(amount, to_balance));
  if (invoice_id !== null && !isZero(paid)) await changeOwed(db, environment_id, { invoice_id, paid });
  await withdraw(db, environment_id, {
    ...reversal,
    customer_id,
    amount: to_balance,
    payment_id: id,
    ...(invoice_id === null ? { type: 'deposit' } : { type: 'overpayment', invoice_id }),
    fault: `payment ${id} cannot be reversed`,
  });
  return true;
}
