import { isZero, leftOf } from '../../domain/money/figures.ts';
import { moveBalance } from '../../db/invoicing/balance.ts';
import { changeOwed } from '../../db/invoicing/owed.ts';
import { insertPayment, type NewPayment } from '../../db/invoicing/payments.ts';
import type { Db } from '../../db/connection/pool.ts';
import { newId } from '../../keys/ids.ts';

/**
 * Writes a payment: what exceeds `to_balance` is paid of its invoice, the rest goes to the balance. Returns its id. The
 * caller holds the lock of the customer and has checked the amounts. Throws as changeOwed does.
 */
export async function writePayment(
  db: Db,
  environment_id: number,
  payment: Omit<NewPayment, 'id'>,
): Promise<string> {
  const id = newId('pay');
  await insertPayment(db, environment_id, { id, ...payment });
  const { customer_id, invoice_id, amount, to_balance, reference, created_at: at, created_by: by } = payment;
  const paid = leftOf(amount, to_balance);
  if (invoice_id !== null && !isZero(paid))
    await changeOwed(db, environment_id, { invoice_id, paid, reference });
  await moveBalance(db, environment_id, {
    id: newId('bal'),
    customer_id,
    amount: to_balance,
    payment_id: id,
    at,
    by,
    ...(invoice_id === null ? { type: 'deposit' } : { type: 'overpayment', invoice_id }),
  });
  return id;
}
