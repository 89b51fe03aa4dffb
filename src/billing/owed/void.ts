import { refuseArchivedInvoice } from '../../db/archive/refusals.ts';
import { undoDraws } from '../../db/credit/credit-draws.ts';
import { refuseClosedMonth } from '../../db/invoicing/closed-months.ts';
import { markVoid } from '../../db/invoicing/invoice-transitions.ts';
import { findInvoice } from '../../db/invoicing/invoices.ts';
import type { Invoice } from '../../objects/invoice.ts';
import type { Subscription } from '../../domain/subscription/subscription.ts';
import { lockCustomerAndSubscription } from '../../db/subscriptions/subscription-context.ts';
import { voidAutomaticNotes } from '../notes/issue-note.ts';
import { creditOwedTime } from '../close/unused-time.ts';
import { reopenLateWindowsOf } from '../../db/subscriptions/periods.ts';
import type { Db } from '../../db/connection/pool.ts';

/**
 * Voids an invoice: returns its credit and makes the late usage that it billed late again. Only `generate` bills the
 * invoice's own period again (billing.md 4 and 5). Returns null if the invoice does not exist. Throws conflict
 * `invalid_state` if it is paid with a payment, or void already, `month_closed` if its month is closed, and `archived`
 * if its events are archived.
 */
export async function voidInvoice(
  db: Db,
  environment_id: number,
  invoice_id: string,
  reason: string | null,
): Promise<Invoice | null> {
  const invoice = await findInvoice(db, environment_id, invoice_id);
  if (invoice === null) return null;
  const subscription = await lockCustomerAndSubscription(db, environment_id, invoice.subscription_id);
  await refuseClosedMonth(db, environment_id, { kind: 'invoice', id: invoice_id });
  await voidLocked(db, subscription!, { id: invoice_id, reason });
  return findInvoice(db, environment_id, invoice_id);
}

/** Voids an invoice as voidInvoice does, for a caller that already holds the locks of customer and subscription. */
export async function voidLocked(
  db: Db,
  subscription: Subscription,
  { id: invoice_id, reason }: { id: string; reason: string | null },
): Promise<void> {
  const { environment_id, id: subscription_id, now } = subscription;
  await refuseArchivedInvoice(db, environment_id, invoice_id);
  await markVoid(db, { environment_id, subscription_id, id: invoice_id }, { reason, now });
  const credited = await voidAutomaticNotes(db, subscription, { id: invoice_id, reason });
  await undoDraws(db, { environment_id, invoice_id, now });
  await reopenLateWindowsOf(db, { environment_id, subscription_id, invoice_id });
  await creditOwedTime(db, subscription, credited);
}
