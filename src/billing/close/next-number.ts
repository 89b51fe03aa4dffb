import { findAccount } from '../../db/account/accounts.ts';
import { hasIssued, numberingRefusal, skipNumbers } from '../../db/invoicing/numbering.ts';
import type { Db } from '../../db/connection/pool.ts';
import { conflict } from '../../domain/money/errors.ts';

/**
 * Sets the count of the environment's first invoice number (billing.md 7); the numbers below are stored as a gap. The
 * caller holds the lock of the account. Throws conflict `invalid_state` while invoices wait for the count, once an
 * invoice has been issued, and for a number below the present one, because Temporal remembers the present one and would
 * take a lower count for that of a restored database.
 */
export async function setNextNumber(db: Db, environment_id: number, next_number: number): Promise<void> {
  const { next_invoice_number } = await findAccount(db, environment_id);
  if (next_number === next_invoice_number) return;
  const halted = await numberingRefusal(db, environment_id);
  if (halted !== null) throw halted;
  if (await hasIssued(db, environment_id)) throw refused('an invoice has been issued');
  if (next_number < next_invoice_number)
    throw refused(`it is ${next_invoice_number} already and cannot be lowered`);
  const reason = 'the first number was set';
  await skipNumbers(db, { environment_id, last_number: `${next_number - 1}`, reason });
}

function refused(why: string) {
  return conflict('next_invoice_number', 'invalid_state', `next_invoice_number cannot be set: ${why}`);
}
