import { decimal, max, ZERO } from '../domain/money/decimal.ts';
import { toAmount } from '../domain/money/money.ts';
import { writePayment } from '../billing/owed/write-payment.ts';
import type { OpenAttemptRow } from '../db/collection/attempts.ts';
import { findInvoice, findPaymentTimes } from '../db/invoicing/invoices.ts';
import type { Db } from '../db/connection/pool.ts';
import { endCharge } from './end-charge.ts';
import type { ProviderIntent } from './provider.ts';

/**
 * Records the payment of an intent that has charged, and ends its attempt: what is above what is due goes to the
 * balance, of a void invoice all of it, as a payment in advance. The caller holds the lock of the customer, under which
 * it has seen that the attempt is open: there is one payment, whatever is repeated.
 */
export async function settle(
  db: Db,
  attempt: OpenAttemptRow,
  intent: Pick<ProviderIntent, 'reference' | 'amount'>,
): Promise<void> {
  const { environment_id, id, invoice_id, customer_id } = attempt;
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
    created_by: id,
  });
  await endCharge(db, attempt, { status: 'succeeded', payment_id, amount });
}
