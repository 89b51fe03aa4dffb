import { IS_AUTOMATIC } from './amount-due.ts';
import { refusal, returnBalance } from './owed.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import type { Db } from '../connection/pool.ts';

/** SQL: the invoice `i` has a credit note that stands and that a person issued. */
const HAS_CREDIT_NOTES = `exists (
  select from credit_notes k where k.environment_id = i.environment_id and k.invoice_id = i.id
    and k.status = 'issued' and not ${IS_AUTOMATIC})`;

/** Ends a draft's hold, for the operator's signal. Does nothing if the invoice is not a draft. */
export async function releaseDraft(db: Db, environment_id: number, id: string): Promise<void> {
  await db.query(
    `update invoices i set hold_until = ${CUSTOMER_NOW}
     from customers c where c.environment_id = i.environment_id and c.id = i.customer_id
       and i.environment_id = $1 and i.id = $2 and i.status = 'draft'`,
    [environment_id, id],
  );
}

/**
 * Draft, open or paid, without a payment or a credit note of a person, to void (contract.md 4). Gives back what it took
 * from the customer's balance; the caller returns the credit and voids the automatic notes. The subscription's drafts
 * become stale, because they were counted beside the void lines. Throws conflict `invalid_state` in any other state.
 */
export async function markVoid(
  db: Db,
  invoice: { environment_id: number; subscription_id: string; id: string },
  voiding: { reason: string | null; now: string },
): Promise<void> {
  const { environment_id, subscription_id, id } = invoice;
  const { rowCount } = await db.query(
    `update invoices i set status = 'void', voided_at = $3, void_reason = $4
     where environment_id = $1 and id = $2 and status in ('draft', 'open', 'paid') and amount_paid = 0
       and not ${HAS_CREDIT_NOTES}`,
    [environment_id, id, voiding.now, voiding.reason],
  );
  if (rowCount !== 1) throw await refusal(db, environment_id, id, 'void');
  await returnBalance(db, invoice, voiding.now);
  await db.query(
    `update invoices set is_stale = true where environment_id = $1 and subscription_id = $2 and status = 'draft'`,
    [environment_id, subscription_id],
  );
}
