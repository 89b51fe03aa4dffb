import { findBilledPeriod } from '../../db/invoicing/billed-period.ts';
import { findInvoice } from '../../db/invoicing/invoices.ts';
import type { Invoice } from '../../objects/invoice.ts';
import { invalidState } from '../../db/invoicing/owed.ts';
import { lockCustomerAndSubscription } from '../../db/subscriptions/subscription-context.ts';
import type { Db } from '../../db/connection/pool.ts';
import type { BillingSettings, Subscription } from '../../domain/subscription/subscription.ts';
import { nextInTurn } from './billing-order.ts';
import { closeOne } from './close.ts';

/** One step of billing one period. Idempotent: a step that has already run for its revision changes nothing. */
export type BillingStep = {
  environment_id: number;
  subscription_id: string;
  period_start: string;
  revision: number;
};

/**
 * Step 1 of an invoice's life (billing.md 6): takes the cut-off, counts usage up to it and writes the draft. The first
 * run also closes the period and opens the next one. Returns the invoice's id; null if the period's invoice is void, so
 * that only `generate` bills it again, or if a canceled subscription's last invoice would have no lines.
 */
export async function aggregateUsage(
  db: Db,
  step: BillingStep,
  settings: BillingSettings,
): Promise<string | null> {
  const { environment_id, subscription_id, period_start, revision: usage_revision } = step;
  const request = { subscription_id, period_start, usage_revision, issues: false };
  const how = { locks: 'subscription', settings } as const;
  return (await closeOne(db, environment_id, request, how))?.invoice_id ?? null;
}

/**
 * Step 2: shows on the draft the credit that would cover it now. Provisional: credit is drawn only when the invoice is
 * issued.
 */
export async function applyCredits(db: Db, step: BillingStep, settings: BillingSettings): Promise<void> {
  const { environment_id, subscription_id, period_start, revision: credit_revision } = step;
  const request = { subscription_id, period_start, credit_revision, issues: false };
  await closeOne(db, environment_id, request, { locks: 'subscription', settings });
}

/**
 * Step 3, draft to open: draws credit, gives the number and seals the content in one transaction; a total of zero is
 * paid at once. Does nothing if the invoice is no longer a draft. Returns the customer's subscriptions whose turn it is
 * now.
 */
export async function issueInvoice(
  db: Db,
  step: Omit<BillingStep, 'revision'>,
  settings: BillingSettings,
): Promise<{ environment_id: number; subscription_id: string }[]> {
  const { environment_id, subscription_id, period_start } = step;
  const request = { subscription_id, period_start, issues: true };
  const closed = await closeOne(db, environment_id, request, { locks: 'customer', settings });
  if (closed === null) return [];
  // Where it was issued before, by a try whose signals may not have been sent, they are all sent.
  const issued_end = closed.did_issue ? closed.period!.period_end : null;
  return nextInTurn(environment_id, closed.due_siblings, issued_end);
}

/**
 * Shows items and late lines of a subscription's draft anew, for an item that it takes or loses: counts it again up to
 * the cut-off that it was counted to (billing.md 7). The caller holds the locks of customer and subscription.
 */
export async function repriceDraft(
  db: Db,
  { environment_id, id: subscription_id }: Subscription,
  period_start: string,
  settings: BillingSettings,
): Promise<void> {
  const request = { subscription_id, period_start, recounts: true, issues: false };
  await closeOne(db, environment_id, request, { locks: 'taken', settings });
}

/**
 * Ends a draft's hold and issues the invoice in the caller's transaction: counts usage up to now, draws credit, gives
 * the number. Returns null if the invoice does not exist. Throws conflict `invalid_state` if it is not a draft.
 */
export async function finalizeInvoice(
  db: Db,
  environment_id: number,
  invoice_id: string,
  settings: BillingSettings,
): Promise<Invoice | null> {
  const invoice_before = await findInvoice(db, environment_id, invoice_id);
  if (invoice_before === null) return null;
  const { subscription_id, period_start } = invoice_before;
  await lockCustomerAndSubscription(db, environment_id, subscription_id);
  const billed = await findBilledPeriod(db, { environment_id, subscription_id }, period_start);
  const draft = billed?.invoice ?? null;
  if (draft?.id !== invoice_id || draft.status !== 'draft') {
    const invoice = await findInvoice(db, environment_id, invoice_id);
    throw invalidState(invoice_id, `is ${invoice!.status}; only a draft can be finalized`);
  }
  const usage_revision = draft.usage_revision + 1;
  const request = { subscription_id, period_start, usage_revision, issues: true };
  await closeOne(db, environment_id, request, { locks: 'taken', settings });
  return findInvoice(db, environment_id, invoice_id);
}
