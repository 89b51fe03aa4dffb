import { decimal, ZERO } from '../../domain/money/decimal.ts';
import { conflict, notFound } from '../../domain/money/errors.ts';
import { isZero } from '../../domain/money/figures.ts';
import { toAmount } from '../../domain/money/money.ts';
import {
  checkTransfer,
  spreadTransfer,
  type NamedInvoice,
  type PayableInvoice,
} from '../../domain/invoice/transfer.ts';
import { findCustomerKey, lockedCustomer } from '../../db/customers/customers.ts';
import { findReceived } from '../../db/invoicing/received.ts';
import { findTransfer, insertTransfer, readPayable } from '../../db/invoicing/transfers.ts';
import type { Transfer } from '../../objects/transfer.ts';
import type { Db } from '../../db/connection/pool.ts';
import { newId } from '../../keys/ids.ts';
import { checkPaidAt } from './payment-checks.ts';
import { writePayment } from './write-payment.ts';

/** `customer_id` is the external id or our `cus_` id, `paid_at` null the customer's now. */
type TransferRequest = {
  customer_id: string;
  amount: string;
  invoices: readonly NamedInvoice[];
  reference: string | null;
  paid_at: string | null;
  allow_duplicate: boolean;
  by: string;
};

/**
 * Records money that a customer paid at once: a payment of each invoice, and one in advance of the rest (billing.md 7).
 * Throws not_found `unknown_customer` and `unknown_invoice`; invalid_request as checkTransfer, spreadTransfer and
 * checkPaidAt do; conflict `duplicate_payment` (refuseReceived), and `invalid_state` (spreadTransfer).
 */
export async function recordTransfer(
  db: Db,
  environment_id: number,
  { by, ...request }: TransferRequest,
): Promise<Transfer> {
  const customer = await lockedCustomer(db, environment_id, request.customer_id);
  if (customer === null)
    throw notFound('customer_id', 'unknown_customer', 'customer_id does not match any customer');
  const { id: customer_id, currency } = customer;
  const { now } = (await findCustomerKey(db, environment_id, customer_id))!;
  checkTransfer({ ...request, currency }, request.invoices);
  const payable = await payableOf(db, environment_id, { customer_id, invoices: request.invoices });
  const { reference } = request;
  const paid_at = request.paid_at ?? now;
  const amount = toAmount(decimal(request.amount), currency);
  const transfer = { id: newId('trf'), customer_id, amount, reference, paid_at, created_at: now };
  for (const { issued_at } of payable.values()) checkPaidAt(paid_at, { issued_at, now });
  if (!request.allow_duplicate) await refuseReceived(db, environment_id, { ...transfer, currency });
  const { paid, to_balance } = spreadTransfer({ amount, currency }, request.invoices, payable);
  if (!isZero(to_balance)) checkPaidAt(paid_at, { issued_at: null, now });
  await insertTransfer(db, environment_id, transfer);
  const part = { transfer_id: transfer.id, customer_id, reference, paid_at, created_at: now, created_by: by };
  const none = toAmount(ZERO, currency);
  const parts = paid.map((of_invoice) => ({ ...part, ...of_invoice, to_balance: none }));
  const rest = { ...part, invoice_id: null, amount: to_balance, to_balance };
  for (const payment of isZero(to_balance) ? parts : [...parts, rest])
    await writePayment(db, environment_id, payment);
  return (await findTransfer(db, environment_id, transfer.id))!;
}

/** The named invoices of a customer, by id. Throws not_found for one that it does not have. */
async function payableOf(
  db: Db,
  environment_id: number,
  { customer_id, invoices }: { customer_id: string; invoices: readonly NamedInvoice[] },
): Promise<ReadonlyMap<string, PayableInvoice>> {
  const ids = invoices.map(({ id }) => id);
  const payable = await readPayable(db, environment_id, { customer_id, ids });
  const by_id = new Map(payable.map((invoice) => [invoice.id, invoice]));
  const unknown = ids.findIndex((id) => !by_id.has(id));
  if (unknown >= 0) {
    const param = `invoices[${unknown}].id`;
    throw notFound(param, 'unknown_invoice', `${param} does not match any invoice of the customer`);
  }
  return by_id;
}

/**
 * Throws conflict `duplicate_payment` if a transfer, or a payment of its own, stands with the customer, reference,
 * amount and day (UTC). The caller holds the lock of the customer. Without a reference nothing is compared.
 */
async function refuseReceived(
  db: Db,
  environment_id: number,
  {
    reference,
    ...received
  }: { customer_id: string; currency: string; reference: string | null; amount: string; paid_at: string },
): Promise<void> {
  if (reference === null) return;
  const [equal] = await findReceived(db, environment_id, [{ ...received, reference }]);
  if (equal === undefined) return;
  const { transfer_id, payment_id } = equal;
  const name = transfer_id === null ? `payment ${payment_id}` : `transfer ${transfer_id}`;
  const message = `reference, amount and day are those of ${name}; allow_duplicate records another one`;
  throw conflict('reference', 'duplicate_payment', message);
}
