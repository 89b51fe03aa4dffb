import type { ComposedInvoice } from '../domain/invoice.ts';
import { keyOfLine } from '../domain/line-item.ts';
import type { Period } from '../domain/period.ts';
import { lineKey } from '../domain/series.ts';
import {
  countUsage,
  priceCounted,
  storedCount,
  type InvoiceContext,
  type CountedInvoice,
} from './invoice-lines.ts';
import { drawFromGrants, expireGrants, returnToGrants, writeDraws } from '../db/credit/credit-draws.ts';
import { insertDraft, openInvoice, writeTotals } from '../db/invoicing/invoice-transitions.ts';
import { invalidState } from '../db/invoicing/owed.ts';
import { findInvoice, type Invoice, type InvoiceState } from '../db/invoicing/invoices.ts';
import {
  insertLines,
  insertSpans,
  writeLines,
  writeSpans,
  type HeldSpans,
} from '../db/invoicing/line-items.ts';
import { keepLineGroups } from '../db/invoicing/line-groups.ts';
import { findBilledPeriod } from '../db/invoicing/billed-period.ts';
import { closePeriod, type StoredPeriod } from '../db/subscriptions/periods.ts';
import type { PeriodContext } from '../domain/following-period.ts';
import {
  lockCustomerAndSubscription,
  lockSubscription,
  type Subscription,
} from '../db/subscriptions/subscription-context.ts';
import { takeCutOff } from '../db/usage/usage.ts';
import { closeLateWindows } from '../db/subscriptions/full-periods.ts';
import type { Db } from '../db/connection/pool.ts';
import { lateWindowsToClose } from './late-windows.ts';
import { findNextInTurn } from './billing-order.ts';

/** One step of billing one period. Idempotent: a step that has already run for its revision changes nothing. */
export type BillingStep = {
  environment_id: number;
  subscription_id: string;
  period_start: string;
  revision: number;
};

export type BillingSettings = { grace_period_ms: number; late_usage_days: number };

/**
 * Step 1 of an invoice's life (billing.md 6): takes the cut-off, counts usage up to it and writes the draft. The first run also closes the
 * period and opens the next one. Returns the invoice's id; null if the period's invoice is void, so that only `generate` bills it again, or
 * if a canceled subscription's last invoice would have no lines. `locked` is the subscription if it is locked already.
 */
export async function aggregateUsage(
  db: Db,
  step: BillingStep,
  settings: BillingSettings,
  locked?: Subscription,
): Promise<string | null> {
  const subscription = locked ?? (await lockSubscription(db, step.environment_id, step.subscription_id));
  const billed = await findBilledPeriod(db, step, step.period_start);
  if (subscription === null || billed === null) return null;
  const { period, invoice } = billed;
  if (invoice !== null && (invoice.status !== 'draft' || invoice.usage_revision >= step.revision))
    return invoice.id;
  if (invoice === null && !(await closePeriod(db, step, period, periodContextOf(subscription, settings))))
    return null;
  const hold = { hold_until: holdUntil(subscription, period, settings), usage_revision: step.revision };
  return (await countDraft(db, { subscription, period, invoice, ...hold }, settings))?.id ?? null;
}

/**
 * The instant when a draft's hold ends. Live: period end plus grace period. Test: period end, or null (held until finalized) if the
 * advance asked for `hold_drafts`.
 */
export function holdUntil(
  subscription: Subscription,
  period: Pick<Period, 'period_end'>,
  settings: BillingSettings,
): string | null {
  if (!subscription.livemode) return subscription.hold_drafts ? null : period.period_end;
  return new Date(Date.parse(period.period_end) + settings.grace_period_ms).toISOString();
}

/** The subscription's schedule, cancellation and now: what decides where its next period ends. */
export function periodContextOf(
  subscription: Subscription,
  { late_usage_days }: BillingSettings,
): PeriodContext {
  const { cancel_at, now } = subscription;
  return { schedule: subscription, cancel_at, now, late_usage_days };
}

export type Draft = {
  subscription: Subscription;
  period: StoredPeriod;
  invoice: InvoiceState;
  /** The invoice items that a regenerated invoice keeps; absent if it takes all that are pending. */
  item_ids?: readonly string[];
};

/**
 * Counts usage up to now and writes the draft; inserts the draft if the period has none. Returns null if the draft would be empty and must
 * not be.
 */
export async function countDraft(
  db: Db,
  draft: Omit<Draft, 'invoice'> & {
    invoice: InvoiceState | null;
    /** Hold of a new draft; null holds it until it is finalized. */
    hold_until?: string | null;
    usage_revision: number;
    /** Credit revision of a draft that is complete as it is written; by default step 2 follows. */
    credit_revision?: number;
    /** False by default for a new last invoice of a canceled subscription: without lines that invoice is not made. */
    may_be_empty?: boolean;
  },
  settings: BillingSettings,
): Promise<InvoiceState | null> {
  const { subscription, period, invoice: stored, hold_until = null, usage_revision } = draft;
  const { credit_revision = stored?.credit_revision ?? 0 } = draft;
  const { may_be_empty = period.kind !== 'late' || stored !== null } = draft;
  const { environment_id, id: subscription_id } = subscription;
  const context = invoiceContextOf(draft, settings);
  const counted = await recount(db, context);
  const composed = await priceCounted(db, context, counted, { lock: false });
  if (composed.line_items.length === 0 && !may_be_empty) return null;
  const state = { usage_revision, credit_revision, is_stale: leavesUsageOut(counted, composed) };
  const invoice =
    stored === null
      ? await insertDraft(db, subscription, { period, hold_until, ...state }, composed)
      : { ...stored, ...state };
  const key = { environment_id, subscription_id, invoice_id: invoice.id };
  const [putLines, putSpans] = stored === null ? [insertLines, insertSpans] : [writeLines, writeSpans];
  const lines = await putLines(db, key, composed.line_items);
  if (stored !== null) await writeTotals(db, environment_id, invoice, composed);
  await putSpans(db, key, heldSpans(counted, composed, lines));
  await keepLineGroups(db, key, counted.groups);
  return invoice;
}

async function recount(db: Db, context: InvoiceContext): Promise<CountedInvoice> {
  const { environment_id, id: subscription_id } = context.subscription;
  return countUsage(db, context, await takeCutOff(db, environment_id, subscription_id));
}

/**
 * True if the draft leaves late usage out, because the late line waits or its amount is zero. A draft decides nothing (billing.md 5), so
 * issueDraft counts such a draft again. A waiting line may hold no usage at all, only money that the customer is owed.
 */
function leavesUsageOut({ counted }: CountedInvoice, { line_items, waiting }: ComposedInvoice): boolean {
  if (waiting.length > 0) return true;
  const made = new Set(line_items.map(keyOfLine));
  return counted.some((one) => !one.is_empty && !made.has(lineKey(one)));
}

/**
 * The spans of the lines, which `stored` has with their ids in the same order. A late line of quantity 0 and amount 0 is not made, so its
 * spans are not stored.
 */
function heldSpans(
  { counted }: CountedInvoice,
  { line_items }: ComposedInvoice,
  stored: readonly { id: string }[],
): HeldSpans[] {
  const id_by_key = new Map(line_items.map((line, at) => [keyOfLine(line), stored[at]!.id]));
  return counted.flatMap((one) => {
    const line_item_id = id_by_key.get(lineKey(one));
    return line_item_id === undefined ? [] : { line_item_id, spans: one.spans };
  });
}

/** Step 2: shows on the draft the credit that would cover it now. Provisional: credit is drawn only when the invoice is issued. */
export async function applyCredits(db: Db, step: BillingStep, settings: BillingSettings): Promise<void> {
  const subscription = await lockSubscription(db, step.environment_id, step.subscription_id);
  const draft = subscription && (await findDraft(db, subscription, step.period_start));
  if (draft === null || draft.invoice.credit_revision >= step.revision) return;
  await priceDraft(db, { ...draft, invoice: { ...draft.invoice, credit_revision: step.revision } }, settings);
}

/** Prices the usage that a draft has counted with the credit and the invoice items of now. */
async function priceDraft(db: Db, draft: Draft, settings: BillingSettings): Promise<void> {
  const context = invoiceContextOf(draft, settings);
  const counted = await storedCount(db, context);
  const composed = await priceCounted(db, context, counted, { lock: false });
  const { subscription, invoice } = draft;
  const { environment_id, id: subscription_id } = subscription;
  const is_stale = invoice.is_stale || leavesUsageOut(counted, composed);
  const key = { environment_id, subscription_id, invoice_id: invoice.id };
  await writeLines(db, key, composed.line_items);
  await writeTotals(db, environment_id, { ...invoice, is_stale }, composed);
}

/** Prices a subscription's draft again, for an item that it takes or loses. The caller holds the locks of customer and subscription. */
export async function repriceDraft(
  db: Db,
  subscription: Subscription,
  period_start: string,
  settings: BillingSettings,
): Promise<void> {
  const draft = await findDraft(db, subscription, period_start);
  if (draft !== null) await priceDraft(db, draft, settings);
}

/**
 * Step 3, draft to open: draws credit, gives the number and seals the content in one transaction; a total of zero is paid at once. Does
 * nothing if the invoice is no longer a draft. Returns the customer's subscriptions whose turn it is now.
 */
export async function issueInvoice(
  db: Db,
  step: Omit<BillingStep, 'revision'>,
  settings: BillingSettings,
): Promise<{ environment_id: number; subscription_id: string }[]> {
  const subscription = await lockCustomerAndSubscription(db, step.environment_id, step.subscription_id);
  if (subscription === null) return [];
  const draft = await findDraft(db, subscription, step.period_start);
  if (draft !== null) await issueDraft(db, draft, settings);
  // Where it was issued before, by a try whose signals may not have been sent, they are all sent.
  return findNextInTurn(db, subscription, draft?.period.period_end ?? null, settings);
}

/**
 * Makes the final decisions about the invoice and issues it: counts again if the draft is stale, then prices with the credit available now.
 * The caller holds the locks of customer and subscription.
 */
export async function issueDraft(db: Db, draft: Draft, settings: BillingSettings): Promise<void> {
  const { subscription, invoice } = draft;
  const { environment_id, id: subscription_id, now } = subscription;
  const context = invoiceContextOf(draft, settings);
  const counted = invoice.is_stale ? await recount(db, context) : await storedCount(db, context);
  const composed = await priceCounted(db, context, counted, { lock: true });
  const key = { environment_id, subscription_id, invoice_id: invoice.id, now };
  const lines = await writeLines(db, key, composed.line_items);
  if (invoice.is_stale) {
    await writeSpans(db, key, heldSpans(counted, composed, lines));
    await keepLineGroups(db, key, counted.groups);
  }
  await returnToGrants(db, key, composed.returns);
  await drawFromGrants(db, key, composed.draws);
  await writeDraws(db, key, composed.credit);
  const periods = lateWindowsToClose(counted, composed, { now, ...settings });
  await closeLateWindows(db, key, { periods, now });
  const issued = { ...invoice, is_stale: false };
  await openInvoice(db, subscription, { draft: issued, totals: composed, lines });
  await expireGrants(db, subscription, now);
}

/**
 * Ends a draft's hold and issues the invoice in the caller's transaction: counts usage up to now, draws credit, gives the number. Returns
 * null if the invoice does not exist. Throws conflict `invalid_state` if it is not a draft.
 */
export async function finalizeInvoice(
  db: Db,
  environment_id: number,
  invoice_id: string,
  settings: BillingSettings,
): Promise<Invoice | null> {
  const found = await findInvoice(db, environment_id, invoice_id);
  if (found === null) return null;
  const subscription = (await lockCustomerAndSubscription(db, environment_id, found.subscription_id))!;
  const draft = await findDraft(db, subscription, found.period_start);
  if (draft?.invoice.id !== invoice_id) {
    const invoice = await findInvoice(db, environment_id, invoice_id);
    throw invalidState(invoice_id, `is ${invoice!.status}; only a draft can be finalized`);
  }
  const usage_revision = draft.invoice.usage_revision + 1;
  await issueDraft(db, { ...draft, invoice: { ...draft.invoice, usage_revision, is_stale: true } }, settings);
  return findInvoice(db, environment_id, invoice_id);
}

async function findDraft(db: Db, subscription: Subscription, period_start: string): Promise<Draft | null> {
  const key = { environment_id: subscription.environment_id, subscription_id: subscription.id };
  const { period, invoice } = (await findBilledPeriod(db, key, period_start)) ?? {};
  return period && invoice?.status === 'draft' ? { subscription, period, invoice } : null;
}

function invoiceContextOf(
  { subscription, period, invoice, item_ids }: Omit<Draft, 'invoice'> & { invoice: InvoiceState | null },
  { late_usage_days }: BillingSettings,
): InvoiceContext {
  return {
    subscription,
    period,
    invoice_id: invoice?.id ?? null,
    late_usage_days,
    item_ids: item_ids ?? null,
  };
}
