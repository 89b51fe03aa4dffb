import { reverse } from '../billing/owed/reverse.ts';
import { receiveMoney } from '../billing/owed/receive.ts';
import { paidOut, readWithdrawal } from '../billing/notes/withdraw.ts';
import { standingPayments } from '../db/collection/charged-payments.ts';
import { holdInvoice, noteBooked, releaseInvoice, type TakenBackTable } from '../db/collection/taken-back.ts';
import type { Db } from '../db/connection/pool.ts';
import { findCustomerKey } from '../db/customers/customers.ts';
import { bookingOf, takingOf, type StandingPayment } from '../domain/collection/refund.ts';
import type { PauseReason } from '../domain/invoice/collection-pause.ts';
import { decimal, sum } from '../domain/money/decimal.ts';
import { isZero } from '../domain/money/figures.ts';
import { toAmount } from '../domain/money/money.ts';

/** Money of a charge that goes back to its payer, by a row of `table`. `customer_id` is our `cus_` id. */
export type TakenBack = {
  table: TakenBackTable;
  environment_id: number;
  id: string;
  payment_id: string;
  invoice_id: string | null;
  customer_id: string;
  amount: string;
  currency: string;
  reason: string;
  charge_reference: string;
  /** The provider has taken the money. */
  is_taken: boolean;
  taken_amount: string | null;
  /** A credit note accounts for it. */
  is_of_note: boolean;
  pauses_as: PauseReason;
};

/**
 * Books what a refund or a dispute has taken, or given back (billing.md 23). Repeated, it does nothing. What cannot be
 * booked, because it was paid out, is noted. The caller holds the lock of the customer, under which it has read the row.
 */
export async function bookTakenBack(db: Db, row: TakenBack): Promise<void> {
  switch (bookingOf(row)) {
    case 'none':
      return;
    case 'take':
      return row.is_of_note
        ? noteBooked(db, row.table, row, { taken_amount: '0', fault: null })
        : take(db, row);
    case 'give_back':
      return giveBack(db, row, row.taken_amount!);
  }
}

/** Reverses payments until they cover the amount, and pays the rest again. */
async function take(db: Db, row: TakenBack): Promise<void> {
  const { environment_id, id, customer_id, charge_reference, reason } = row;
  const standing = await standingPayments(db, environment_id, { charge_reference, first: row.payment_id });
  const { reversed, taken, rest } = takingOf(standing, row);
  const fault = await withdrawalFault(db, row, reversed);
  if (fault !== null) return noteBooked(db, row.table, row, { taken_amount: null, fault: fault.message });
  const at = await nowOf(db, row);
  for (const payment of reversed)
    await reverse(db, environment_id, payment, { customer_id, reason, at, by: id });
  const invoice_id = reversed.at(-1)?.invoice_id ?? null;
  if (rest !== null)
    await receiveMoney(db, environment_id, {
      customer_id,
      invoice_id,
      amount: rest,
      reference: charge_reference,
      by: id,
    });
  await noteBooked(db, row.table, row, { taken_amount: taken, fault: null });
  if (invoice_id !== null)
    await holdInvoice(db, environment_id, { invoice_id, reason: row.pauses_as, at, by: id });
}

/** Pays again what was taken; the pause that it made ends. */
async function giveBack(db: Db, row: TakenBack, amount: string): Promise<void> {
  const { environment_id, id, customer_id, invoice_id, charge_reference: reference } = row;
  await noteBooked(db, row.table, row, { taken_amount: null, fault: null });
  if (!isZero(amount))
    await receiveMoney(db, environment_id, { customer_id, invoice_id, amount, reference, by: id });
  if (invoice_id !== null) await releaseInvoice(db, environment_id, { invoice_id, at: await nowOf(db, row) });
}

type OfCustomer = Pick<TakenBack, 'environment_id' | 'customer_id' | 'currency'>;

/** The refusal of a reversal of payments of which too much was paid out of the balance; null if they can be reversed. */
export async function withdrawalFault(
  db: Db,
  { environment_id, customer_id, currency }: OfCustomer,
  payments: readonly StandingPayment[],
): Promise<Error | null> {
  const given = toAmount(sum(payments.map(({ to_balance }) => decimal(to_balance))), currency);
  if (isZero(given)) return null;
  const { missing } = await readWithdrawal(db, environment_id, { customer_id, amount: given });
  return isZero(missing) ? null : paidOut(`payment ${payments[0]!.id} cannot be reversed`, missing);
}

async function nowOf(db: Db, { environment_id, customer_id }: OfCustomer): Promise<string> {
  return (await findCustomerKey(db, environment_id, customer_id))!.now;
}
