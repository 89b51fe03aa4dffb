import { decimal } from '../../domain/money/decimal.ts';
import { checkDigits, toAmount } from '../../domain/money/money.ts';
import { findCustomerKey, lockedCustomer } from '../../db/customers/customers.ts';
import type { Db } from '../../db/connection/pool.ts';
import type { PaymentRequest } from './pay.ts';
import { checkPaidAt, refuseDuplicate } from './payment-checks.ts';
import { writePayment } from './write-payment.ts';

/** `customer_id` is the external id or our `cus_` id. */
export type DepositRequest = Omit<PaymentRequest, 'amount' | 'excess'> & {
  customer_id: string;
  amount: string;
};

/**
 * Records a payment in advance: all of it goes to the customer's balance. Returns the payment's id; null if the
 * customer does not exist. Throws invalid_request if `paid_at` is after now or more than 366 days before now, or if
 * `amount` has more digits than the currency, and conflict `duplicate_payment` (refuseDuplicate).
 */
export async function recordDeposit(
  db: Db,
  environment_id: number,
  { customer_id, paid_at, reference, allow_duplicate, by, ...request }: DepositRequest,
): Promise<string | null> {
  const customer = await lockedCustomer(db, environment_id, customer_id);
  if (customer === null) return null;
  const { now } = (await findCustomerKey(db, environment_id, customer.id))!;
  if (paid_at !== null) checkPaidAt(paid_at, { issued_at: null, now });
  checkDigits('amount', request.amount, customer.currency);
  const amount = toAmount(decimal(request.amount), customer.currency);
  const of_customer = { customer_id: customer.id, invoice_id: null };
  const payment = { ...of_customer, amount, reference, paid_at: paid_at ?? now };
  if (!allow_duplicate) await refuseDuplicate(db, environment_id, payment);
  const recorded = { transfer_id: null, to_balance: amount, created_at: now, created_by: by };
  return writePayment(db, environment_id, { ...payment, ...recorded });
}
