import { conflict, invalid } from '../../domain/money/errors.ts';
import { addDays } from '../../domain/time/period.ts';
import { findEqualPayment, type EqualPayment } from '../../db/invoicing/payments.ts';
import type { Db } from '../../db/connection/pool.ts';

const DAYS_BEFORE_MAX = 366;

/**
 * Checks the date of a payment. Throws invalid_request if it is after the customer's now, or more than 366 days before
 * the issue of the invoice; without an issue, before now (contract.md 4).
 */
export function checkPaidAt(
  paid_at: string,
  { issued_at, now }: { issued_at: string | null; now: string },
): void {
  if (paid_at > now)
    throw invalid('paid_at', 'out_of_range', `paid_at must not be after the current time, ${now}`);
  const earliest = addDays(issued_at ?? now, -DAYS_BEFORE_MAX);
  if (paid_at >= earliest) return;
  const limit = issued_at === null ? 'the current time' : 'the invoice was issued';
  throw invalid(
    'paid_at',
    'out_of_range',
    `paid_at must not be before ${earliest}, ${DAYS_BEFORE_MAX} days before ${limit}`,
  );
}

/**
 * Throws conflict `duplicate_payment` if a payment that stands has the same reference, amount and day (UTC), of the
 * same invoice, or of the same customer where both have none. The caller holds the lock of the customer. Without a
 * reference nothing is compared.
 */
export async function refuseDuplicate(db: Db, environment_id: number, payment: EqualPayment): Promise<void> {
  const equal = await findEqualPayment(db, environment_id, payment);
  if (equal === null) return;
  const message = `reference, amount and day are those of payment ${equal}; allow_duplicate records another one`;
  throw conflict('reference', 'duplicate_payment', message);
}
