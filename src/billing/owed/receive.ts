import { decimal, max, ZERO } from '../../domain/money/decimal.ts';
import { toAmount } from '../../domain/money/money.ts';
import { findCustomer, findCustomerKey } from '../../db/customers/customers.ts';
import { findInvoice } from '../../db/invoicing/invoices.ts';
import type { Db } from '../../db/connection/pool.ts';
import { writePayment } from './write-payment.ts';

/** Money of a charge. `customer_id` is our `cus_` id; `reference` the charge; `by` what has booked it. */
export type ReceivedMoney = {
  customer_id: string;
  invoice_id: string | null;
  amount: string;
  reference: string;
  by: string;
};

/**
 * Records money that a provider has for an invoice: what is above what is due goes to the balance, and of a void
 * invoice, or of none, all of it, as a payment in advance. Returns the payment's id and amount. The caller holds the
 * lock of the customer.
 */
export async function receiveMoney(
  db: Db,
  environment_id: number,
  { customer_id, invoice_id, amount: received, reference, by }: ReceivedMoney,
): Promise<{ payment_id: string; amount: string }> {
  const { now } = (await findCustomerKey(db, environment_id, customer_id))!;
  const { currency } = (await findCustomer(db, environment_id, customer_id))!;
  const invoice = invoice_id === null ? null : await findInvoice(db, environment_id, invoice_id);
  const of_invoice = invoice === null || invoice.status === 'void' ? null : invoice;
  const amount = toAmount(decimal(received), currency);
  const excess = max(ZERO, decimal(amount).minus(of_invoice?.amount_due ?? ZERO));
  const payment_id = await writePayment(db, environment_id, {
    invoice_id: of_invoice?.id ?? null,
    customer_id,
    transfer_id: null,
    amount,
    to_balance: toAmount(excess, currency),
    reference,
    paid_at: now,
    created_at: now,
    created_by: by,
  });
  return { payment_id, amount };
}
