import type { CloseRequest } from '../../domain/invoice/close-request.ts';
import type { BillingSettings, Subscription } from '../../domain/subscription/subscription.ts';
import { invalidState, standingInTheWay } from '../../db/invoicing/owed.ts';
import { refuseClosedMonth } from '../../db/invoicing/closed-months.ts';
import { findInvoice } from '../../db/invoicing/invoices.ts';
import type { Invoice } from '../../objects/invoice.ts';
import { findRegeneration, actAsAsked, finishRegeneration } from '../../db/subscriptions/regenerations.ts';
import type { Regeneration } from '../../objects/regeneration.ts';
import { lockCustomerAndSubscription } from '../../db/subscriptions/subscription-context.ts';
import { findPeriod } from '../../db/subscriptions/periods.ts';
import { closeOne } from '../close/close.ts';
import { issueOpening } from '../close/open-period.ts';
import { voidLocked } from './void.ts';
import type { Db } from '../../db/connection/pool.ts';

/**
 * Serves a regeneration request: void and replacement in the caller's transaction. Idempotent, also under concurrency:
 * a request that was served already is returned unchanged. Throws conflict `invalid_state` if the invoice cannot be
 * replaced.
 */
export async function serveRegeneration(
  db: Db,
  key: { environment_id: number; subscription_id: string; id: string },
  settings: BillingSettings,
): Promise<Regeneration> {
  const { environment_id, id } = key;
  const subscription = (await lockCustomerAndSubscription(db, environment_id, key.subscription_id))!;
  const request = (await findRegeneration(db, environment_id, id))!;
  if (request.status !== 'pending') return request;
  await actAsAsked(db, environment_id, id);
  const old = (await findInvoice(db, environment_id, request.invoice_id))!;
  const { reason } = request;
  const new_invoice_id = await replaceInvoice(db, { subscription, old, reason }, settings);
  const outcome = { status: 'done', new_invoice_id, refusal: null, details: null } as const;
  await finishRegeneration(db, environment_id, { id, ...outcome });
  return (await findRegeneration(db, environment_id, id))!;
}

/**
 * Voids an invoice and bills its period again with today's usage and credit, in the caller's transaction, which has
 * locked customer and subscription before it read the invoice. A draft is replaced by a draft with the same hold, an
 * issued invoice by an issued one, which keeps the invoice items of the old one and takes no others (billing.md 7).
 * Returns the new invoice's id. Throws conflict `invalid_state` if the invoice is void, or paid with a payment, and
 * `month_closed` if its month is closed.
 */
export async function replaceInvoice(
  db: Db,
  { subscription, old, reason }: { subscription: Subscription; old: Invoice; reason: string | null },
  settings: BillingSettings,
): Promise<string> {
  const { environment_id } = subscription;
  if (old.kind === 'opening') return replaceOpening(db, { subscription, old, reason });
  const request = await voidToReplace(db, { subscription, old, reason });
  const closed = await closeOne(db, environment_id, request, { locks: 'taken', settings });
  return closed!.invoice_id!;
}

/**
 * Replaces an opening invoice by one with the fees as they are now; its new id. Throws as replaceInvoice does, also
 * where no fees are left for it.
 */
export async function replaceOpening(
  db: Db,
  { subscription, old, reason }: { subscription: Subscription; old: Invoice; reason: string | null },
): Promise<string> {
  const { environment_id, id: subscription_id } = subscription;
  await refuseClosedMonth(db, environment_id, { kind: 'invoice', id: old.id });
  refuseUnlessReplaceable(old);
  refuseLeftOut(subscription, old);
  await voidLocked(db, subscription, { id: old.id, reason: reason ?? 'regenerated' });
  const key = { environment_id, subscription_id };
  const period = (await findPeriod(db, key, old.period_start))!;
  const opening_number = old.opening_number!;
  const how = { opening_number, is_again: true, replaces: old.id, item_ids: itemIdsOf(old) };
  const invoice_id = await issueOpening(db, subscription, period, how);
  if (invoice_id === null)
    throw invalidState(old.id, 'has no fees any more and cannot be regenerated; void it instead');
  return invoice_id;
}

/**
 * Voids the invoice, and returns the close that makes its replacement: complete with this transaction, because a step
 * that follows would show what has changed after the answer.
 */
export async function voidToReplace(
  db: Db,
  { subscription, old, reason }: { subscription: Subscription; old: Invoice; reason: string | null },
): Promise<CloseRequest> {
  await refuseClosedMonth(db, subscription.environment_id, { kind: 'invoice', id: old.id });
  refuseUnlessReplaceable(old);
  refuseLeftOut(subscription, old);
  await voidLocked(db, subscription, { id: old.id, reason: reason ?? 'regenerated' });
  const is_draft = old.status === 'draft';
  return {
    subscription_id: subscription.id,
    period_start: old.period_start,
    usage_revision: 1,
    credit_revision: 1,
    issues: !is_draft,
    bills_again: true,
    replaces: old.id,
    ...(is_draft ? {} : { item_ids: itemIdsOf(old) }),
  };
}

function itemIdsOf({ line_items }: Invoice): string[] {
  return line_items.flatMap(({ invoice_item }) => (invoice_item === null ? [] : [invoice_item.id]));
}

/** Throws conflict `invalid_state` unless the invoice is a draft, open or paid, without a payment (contract.md 4). */
export function refuseUnlessReplaceable(invoice: Invoice): void {
  const { id, status } = invoice;
  const fault = `is ${status} and cannot be regenerated`;
  const standing = standingInTheWay(invoice, fault);
  if (standing !== null) throw standing;
  if (status === 'void') throw invalidState(id, fault);
}

/**
 * Throws conflict `invalid_state` for the invoice of a period that the end of the subscription has left out (billing.md
 * 1).
 */
function refuseLeftOut({ cancel_at }: Subscription, { id, kind, period_start }: Invoice): void {
  if (kind !== 'late' && cancel_at !== null && cancel_at <= period_start)
    throw invalidState(
      id,
      `is of a period after the end at ${cancel_at} and cannot be regenerated; void it instead`,
    );
}
