import { BillingError } from '../../domain/money/errors.ts';
import { isZero, negated } from '../../domain/money/figures.ts';
import { withdrawalOf, type Withdrawal } from '../../domain/invoice/withdrawal.ts';
import { findCustomer } from '../../db/customers/customers.ts';
import { moveBalance, type NewBalanceEntry } from '../../db/invoicing/balance.ts';
import { changeOwed, invoicesCovered } from '../../db/invoicing/owed.ts';
import type { Db } from '../../db/connection/pool.ts';
import { newId } from '../../keys/ids.ts';

/** `amount` is what a payment or a credit note gave to the balance; `fault` begins the sentence of a refusal. */
export type WithdrawalRequest = Omit<NewBalanceEntry, 'id'> & { fault: string };

/**
 * Takes back from the balance what a payment or a credit note gave. What the balance lacks comes from the invoices that
 * it covers, the one with the latest application first: so much is due on them again. The caller holds the lock of the
 * customer. Throws conflict `invalid_state` with the further reason `paid_out` if both have too little.
 */
export async function withdraw(
  db: Db,
  environment_id: number,
  { fault, ...entry }: WithdrawalRequest,
): Promise<void> {
  const { amount } = entry;
  if (isZero(amount)) return;
  const { taken, missing } = await readWithdrawal(db, environment_id, entry);
  if (!isZero(missing)) throw paidOut(fault, missing);
  for (const { invoice_id, amount: of_invoice } of taken) {
    const unapplied = { id: newId('bal'), type: 'unapplied', amount: of_invoice, invoice_id } as const;
    await moveBalance(db, environment_id, { ...entry, ...unapplied });
    await changeOwed(db, environment_id, { invoice_id, balance: negated(of_invoice) });
  }
  await moveBalance(db, environment_id, { ...entry, id: newId('bal'), amount: negated(amount) });
}

/**
 * What withdraw would take of invoices, and what it would lack, for an amount that was given to the balance. The caller
 * holds the lock of the customer.
 */
export async function readWithdrawal(
  db: Db,
  environment_id: number,
  { customer_id, amount }: { customer_id: string; amount: string },
): Promise<Withdrawal> {
  const customer = (await findCustomer(db, environment_id, customer_id))!;
  const covered = await invoicesCovered(db, environment_id, customer_id);
  return withdrawalOf(covered, { ...customer, amount });
}

/** The refusal of a withdrawal that lacks an amount: it was paid out. `fault` begins its sentence. */
export function paidOut(fault: string, missing: string): BillingError {
  return new BillingError('conflict', [
    { param: null, reason: 'invalid_state', message: `${fault}: what it gave to the balance was paid out` },
    {
      param: null,
      reason: 'paid_out',
      message: `balance and invoices that it covers lack ${missing}: first add so much to the balance`,
    },
  ]);
}
