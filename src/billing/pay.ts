import { invalid } from '../domain/errors.ts';
import { addDays } from '../domain/period.ts';
import { payInvoice } from '../db/invoice-transitions.ts';
import { findInvoice, findPaymentTimes, type Invoice } from '../db/invoices.ts';
import type { Db } from '../db/pool.ts';

const DAYS_BEFORE_ISSUE_MAX = 366;

/**
 * Records the payment of an open invoice at `paid_at`, or at the customer's now. Returns null if the invoice does not exist. Throws
 * invalid_request if `paid_at` is after now or more than 366 days before the issue (contract.md 4), and conflict `invalid_state` if the
 * invoice is not open.
 */
export async function recordPayment(
  db: Db,
  environment_id: number,
  id: string,
  payment: { paid_at: string | null; reference: string | null },
): Promise<Invoice | null> {
  const times = await findPaymentTimes(db, environment_id, id);
  if (times === null) return null;
  const { paid_at } = payment;
  if (paid_at !== null) checkPaidAt(paid_at, times);
  await payInvoice(db, environment_id, id, payment);
  return findInvoice(db, environment_id, id);
}

/** A draft has no issue date; the check then counts from now. */
function checkPaidAt(paid_at: string, { issued_at, now }: { issued_at: string | null; now: string }): void {
  if (paid_at > now)
    throw invalid('paid_at', 'out_of_range', `paid_at must not be after the current time, ${now}`);
  const earliest = addDays(issued_at ?? now, -DAYS_BEFORE_ISSUE_MAX);
  if (paid_at < earliest)
    throw invalid(
      'paid_at',
      'out_of_range',
      `paid_at must not be before ${earliest}, ${DAYS_BEFORE_ISSUE_MAX} days before the invoice was issued`,
    );
}
