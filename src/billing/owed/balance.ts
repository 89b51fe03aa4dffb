import { decimal, min } from '../../domain/money/decimal.ts';
import { conflict, invalid } from '../../domain/money/errors.ts';
import { isZero } from '../../domain/money/figures.ts';
import { checkDigits, toAmount } from '../../domain/money/money.ts';
import { newId } from '../../keys/ids.ts';
import { findBalanceEntry, moveBalance, readBalance } from '../../db/invoicing/balance.ts';
import type { BalanceEntry } from '../../objects/balance-entry.ts';
import { findCustomerKey, lockedCustomer } from '../../db/customers/customers.ts';
import { findInvoice } from '../../db/invoicing/invoices.ts';
import type { Invoice } from '../../objects/invoice.ts';
import { applyBalance, invalidState } from '../../db/invoicing/owed.ts';
import { lockCustomerAndSubscription } from '../../db/subscriptions/subscription-context.ts';
import type { Db } from '../../db/connection/pool.ts';

/**
 * Adds to a customer's balance, or takes from it by a negative amount, such as for a payout. Returns null if the
 * customer does not exist. Throws invalid_request if `amount` has more digits than the currency, and conflict
 * `invalid_state` if the balance is below what is taken.
 */
export async function adjustBalance(
  db: Db,
  environment_id: number,
  { customer_id, ...adjustment }: { customer_id: string; amount: string; reason: string; by: string },
): Promise<BalanceEntry | null> {
  const customer = await lockedCustomer(db, environment_id, customer_id);
  if (customer === null) return null;
  const { balance, currency } = customer;
  const { now } = (await findCustomerKey(db, environment_id, customer.id))!;
  if (isZero(adjustment.amount)) throw invalid('amount', 'out_of_range', 'amount must not be 0');
  checkDigits('amount', adjustment.amount, currency);
  const amount = toAmount(decimal(adjustment.amount), currency);
  const id = newId('bal');
  const { reason, by } = adjustment;
  const entry = { id, customer_id: customer.id, type: 'adjustment', amount, reason, at: now, by } as const;
  if (!(await moveBalance(db, environment_id, entry)))
    throw conflict(
      'amount',
      'invalid_state',
      `amount takes more than ${balance}, the balance of the customer`,
    );
  return findBalanceEntry(db, environment_id, id);
}

/**
 * Covers an open invoice from its customer's balance: `amount`, or null for as much as is due and there. Returns null
 * if the invoice does not exist. Throws invalid_request if `amount` has more digits than the currency, and conflict
 * `invalid_state` if the invoice is not open, or if less is due or there.
 */
export async function payFromBalance(
  db: Db,
  environment_id: number,
  invoice_id: string,
  request: { amount: string | null; by: string },
): Promise<Invoice | null> {
  const invoice = await findInvoice(db, environment_id, invoice_id);
  if (invoice === null) return null;
  const subscription = (await lockCustomerAndSubscription(db, environment_id, invoice.subscription_id))!;
  const balance = await readBalance(db, environment_id, subscription.customer_id);
  // Read again: it may have changed while this transaction waited for the lock.
  const amount = amountOf((await findInvoice(db, environment_id, invoice_id))!, balance, request.amount);
  await applyBalance(db, subscription, { invoice_id, amount, by: request.by });
  return findInvoice(db, environment_id, invoice_id);
}

function amountOf(
  { id, status, currency, amount_due }: Invoice,
  balance: string,
  amount: string | null,
): string {
  if (amount !== null) checkDigits('amount', amount, currency);
  if (status !== 'open') throw invalidState(id, `is ${status} and cannot become paid`);
  const available = toAmount(decimal(balance), currency);
  if (isZero(available)) throw conflict(null, 'invalid_state', 'the balance of the customer is 0');
  const most = toAmount(min(decimal(balance), decimal(amount_due)), currency);
  if (amount !== null && decimal(amount).gt(most))
    throw conflict(
      'amount',
      'invalid_state',
      `amount is above ${most}: the balance is ${available}, and ${amount_due} is due`,
    );
  return amount === null ? most : toAmount(decimal(amount), currency);
}
