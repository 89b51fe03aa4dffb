import { decimal, max, ZERO } from '../domain/money/decimal.ts';
import { toAmount } from '../domain/money/money.ts';
import { writePayment } from '../billing/owed/write-payment.ts';
import { endAttempt, type OpenAttemptRow } from '../db/collection/attempts.ts';
import { findInvoice, findPaymentTimes } from '../db/invoicing/invoices.ts';
import type { Db } from '../db/connection/pool.ts';
import type { ProviderIntent } from './provider.ts';

/** Invoice of a charge, and the attempt or the page that made it. `customer_id` is our `cus_` id. */
type Charged = { environment_id: number; invoice_id: string; customer_id: string; by: string };

/**
 * Records the payment of an intent that has charged: what is above what is due goes to the balance, of a void invoice
 * all of it, as a payment in advance. Returns the payment. The caller holds the lock of the customer, under which it
 * has seen that the attempt or the page is open: there is one payment, whatever is repeated.
 */
export async function bookCharge(
  db: Db,
  { environment_id, invoice_id, customer_id, by }: Charged,
  intent: Pick<ProviderIntent, 'reference' | 'amount'>,
): Promise<{ payment_id: string; amount: string }> {
  const invoice = (await findInvoice(db, environment_id, invoice_id))!;
  const { now } = (await findPaymentTimes(db, environment_id, invoice_id))!;
  const amount = toAmount(decimal(intent.amount), invoice.currency);
  const excess = max(ZERO, decimal(amount).minus(invoice.amount_due));
  const payment_id = await writePayment(db, environment_id, {
    invoice_id: invoice.status === 'void' ? null : invoice_id,
    customer_id,
    transfer_id: null,
    amount,
    to_balance: toAmount(excess, invoice.currency),
    reference: intent.reference,
    paid_at: now,
    created_at: now,
    created_by: by,
  });
  return { payment_id, amount };
}

/** Records the payment of an intent that has charged, and ends its attempt, as bookCharge does. */
export async function settle(
  db: Db,
  attempt: OpenAttemptRow,
  intent: Pick<ProviderIntent, 'reference' | 'amount'>,
): Promise<void> {
  const paid = await bookCharge(db, { ...attempt, by: attempt.id }, intent);
  await endAttempt(db, attempt, { status: 'succeeded', ...paid });
}
