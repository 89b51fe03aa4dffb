import type { ComposedInvoice } from '../domain/invoice.ts';
import { addDays, type Period } from '../domain/period.ts';
import { countUsage, priceCounted, readCounted, type InvoiceContext, type CountedInvoice } from './invoice-lines.ts';
import { drawFromGrants, expireGrants, returnToGrants, writeDraws } from '../db/credit-draws.ts';
import { insertDraft, invalidState, openInvoice, writeTotals } from '../db/invoice-transitions.ts';
import { findInvoice, findPeriodInvoice, type Invoice, type InvoiceState } from '../db/invoices.ts';
import { writeLines, writeSpans, type LineSpans } from '../db/line-items.ts';
import { closePeriod, findPeriod, type PeriodContext, type StoredPeriod } from '../db/periods.ts';
import {
  lockCustomerAndSubscription,
  lockSubscription,
  type Subscription,
} from '../db/subscription-context.ts';
import { takeCutOff } from '../db/usage/usage.ts';
import { closeLateWindows } from '../db/full-periods.ts';
import type { Db } from '../db/pool.ts';
import { findNextInTurn } from './turn.ts';

/** One step of billing one period; a step that has run for its revision changes nothing when it runs again. */
export type BillingStep = {
  environment_id: number;
  subscription_id: string;
  period_start: string;
  revision: number;
};

export type BillingSettings = { grace_period_ms: number; late_usage_days: number };

/**
 * Step 1 of an invoice's life (billing.md 6): takes the cut-off, counts what the invoice's lines hold up to it and writes the
 * draft. The first time, the period closes and the next one opens in the same transaction. Returns the invoice's id, or null
 * where none is due: the period's invoice is void, and only `generate` bills such a period again, or it would be the last invoice of
 * a canceled subscription and has no line.
 */
export async function aggregateUsage(
  db: Db,
  step: BillingStep,
  settings: BillingSettings,
): Promise<string | null> {
  const subscription = await lockSubscription(db, step.environment_id, step.subscription_id);
  const period = await findPeriod(db, step, step.period_start);
  if (subscription === null || period === null) return null;
  const invoice = await findPeriodInvoice(db, step, step.period_start);
  if (invoice !== null && (invoice.status !== 'draft' || invoice.usage_revision >= step.revision))
    return invoice.id;
  if (invoice === null && !(await closePeriod(db, step, period, periodContextOf(subscription, settings))))
    return null;
  const hold_until = holdUntil(subscription, period, settings);
  const draft = { subscription, period, invoice, hold_until, usage_revision: step.revision };
  return (await countDraft(db, draft, settings))?.id ?? null;
}

/** When a draft's hold ends: live ones wait for the grace period, test ones only (null, for ever) where the advance said so. */
export function holdUntil(
  subscription: Subscription,
  period: Pick<Period, 'period_end'>,
  settings: BillingSettings,
): string | null {
  if (!subscription.livemode) return subscription.hold_drafts ? null : period.period_end;
  return new Date(Date.parse(period.period_end) + settings.grace_period_ms).toISOString();
}

export function periodContextOf(subscription: Subscription, { late_usage_days }: BillingSettings): PeriodContext {
  const { cancel_at, now } = subscription;
  return { schedule: subscription, cancel_at, now, late_usage_days };
}

export type Draft = { subscription: Subscription; period: StoredPeriod; invoice: InvoiceState };

/** Counts what a draft bills up to now and writes it, first making it where there is none. Null where it would be empty. */
export async function countDraft(
  db: Db,
  draft: Omit<Draft, 'invoice'> & {
    invoice: InvoiceState | null;
    /** Of a draft that is made now; null holds it until somebody ends the hold. */
    hold_until?: string | null;
    usage_revision: number;
    /** The last invoice of a canceled subscription is made only where it has lines, unless it replaces one. */
    may_be_empty?: boolean;
  },
  settings: BillingSettings,
): Promise<InvoiceState | null> {
  const { subscription, period, hold_until = null, usage_revision } = draft;
  const { may_be_empty = period.kind !== 'late' || draft.invoice !== null } = draft;
  const { environment_id } = subscription;
  const context = invoiceContextOf(draft, settings);
  const counted = await countAnew(db, context);
  const composed = await priceCounted(db, context, counted, { lock: false });
  if (composed.line_items.length === 0 && !may_be_empty) return null;
  const invoice = draft.invoice ?? (await insertDraft(db, subscription, { period, hold_until }));
  const is_stale = leavesUsageOut(counted, composed);
  const revised = { ...invoice, usage_revision, is_stale };
  await writeDraft(db, { subscription, period, invoice: revised }, composed);
  await writeSpans(db, { environment_id, invoice_id: invoice.id }, linesCounted(counted, composed));
  return revised;
}

async function countAnew(db: Db, context: InvoiceContext): Promise<CountedInvoice> {
  const { environment_id, id: subscription_id } = context.subscription;
  return countUsage(db, context, await takeCutOff(db, environment_id, subscription_id));
}

/**
 * Whether late usage is left out: its line waits, or comes to nothing. What a draft shows decides nothing (billing.md 5), so such a
 * draft is counted again when it is issued.
 */
function leavesUsageOut({ counted }: CountedInvoice, { line_items }: ComposedInvoice): boolean {
  return counted.some(
    ({ charge_id, full_period_start, is_empty }) =>
      !is_empty &&
      !line_items.some(
        (line) => line.charge_id === charge_id && line.full_period_start === full_period_start,
      ),
  );
}

/** What the lines hold. A late line of quantity and amount 0 is not made, so nothing is stored of it. */
function linesCounted({ counted }: CountedInvoice, { line_items }: ComposedInvoice): LineSpans[] {
  return counted.filter(({ charge_id, full_period_start }) =>
    line_items.some((line) => line.charge_id === charge_id && line.full_period_start === full_period_start),
  );
}

/** Events are given their time when they are sent, and stored within the longest time that a statement may take. */
const STORED_WITHIN_MINUTES = 2;

/**
 * The periods whose late usage is all on this invoice or an earlier one: nothing more can be stored in time, nothing waits. The
 * invoice's own is one of them when it is billed that long after its end, uncut and for the first time.
 */
function lateWindowsToClose(
  { own, late, parts, counted }: CountedInvoice,
  { waiting }: ComposedInvoice,
  { now, late_usage_days }: BillingSettings & { now: string },
): { full_period_start: string; late_usage_until: string }[] {
  const stored_by = new Date(Date.parse(now) - STORED_WITHIN_MINUTES * 60_000).toISOString();
  const isUncut =
    parts.length === 1 &&
    counted.every(
      ({ others, full_period_start }) => full_period_start !== own.period_start || others.length === 0,
    );
  return [...(isUncut ? [own] : []), ...late]
    .map(({ period_start, period_end }) => ({
      full_period_start: period_start,
      late_usage_until: addDays(period_end, late_usage_days),
    }))
    .filter(({ late_usage_until }) => late_usage_until <= stored_by)
    .filter(({ full_period_start }) => !waiting.includes(full_period_start));
}

/** Step 2: shows on the draft what credit would cover now. Provisional: nothing is drawn before the invoice is issued. */
export async function applyCredits(db: Db, step: BillingStep, settings: BillingSettings): Promise<void> {
  const subscription = await lockSubscription(db, step.environment_id, step.subscription_id);
  const draft = subscription && (await findDraft(db, subscription, step.period_start));
  if (draft === null || draft.invoice.credit_revision >= step.revision) return;
  const context = invoiceContextOf(draft, settings);
  const counted = await readCounted(db, context);
  const composed = await priceCounted(db, context, counted, { lock: false });
  const is_stale = draft.invoice.is_stale || leavesUsageOut(counted, composed);
  const invoice = { ...draft.invoice, credit_revision: step.revision, is_stale };
  await writeDraft(db, { ...draft, invoice }, composed);
}

/**
 * Step 3: draft to open. Credit is drawn, the number given and the content sealed in this one transaction; a total of zero is
 * paid at once. Nothing happens where the invoice is no draft any more. Returns the customer's subscriptions whose turn it is now.
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
 * Decides what the invoice says and issues it: counted again where the draft is stale, priced with the credit that there is now.
 * The caller holds the locks of customer and subscription.
 */
export async function issueDraft(db: Db, draft: Draft, settings: BillingSettings): Promise<void> {
  const { subscription, invoice } = draft;
  const { environment_id, id: subscription_id, now } = subscription;
  const context = invoiceContextOf(draft, settings);
  const counted = invoice.is_stale ? await countAnew(db, context) : await readCounted(db, context);
  const composed = await priceCounted(db, context, counted, { lock: true });
  await writeDraft(db, { ...draft, invoice: { ...invoice, is_stale: false } }, composed);
  const key = { environment_id, invoice_id: invoice.id, now };
  if (invoice.is_stale) await writeSpans(db, key, linesCounted(counted, composed));
  await returnToGrants(db, key, composed.returns);
  await drawFromGrants(db, key, composed.draws);
  await writeDraws(db, key, composed.credit);
  const periods = lateWindowsToClose(counted, composed, { now, ...settings });
  await closeLateWindows(db, { environment_id, subscription_id }, { periods, now });
  await openInvoice(db, subscription, invoice.id);
  await expireGrants(db, subscription, now);
}

/**
 * Ends a draft's hold and issues it, as one transaction of the caller's: counted again up to now, credit drawn, numbered. Null
 * where there is no such invoice; conflict `invalid_state` where it is no draft.
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
  const period = await findPeriod(db, key, period_start);
  const invoice = await findPeriodInvoice(db, key, period_start);
  return period !== null && invoice?.status === 'draft' ? { subscription, period, invoice } : null;
}

function invoiceContextOf(
  { subscription, period, invoice }: Omit<Draft, 'invoice'> & { invoice: InvoiceState | null },
  { late_usage_days }: BillingSettings,
): InvoiceContext {
  return { subscription, period, invoice_id: invoice?.id ?? null, late_usage_days };
}

async function writeDraft(db: Db, draft: Draft, composed: ComposedInvoice): Promise<void> {
  const { subscription, invoice } = draft;
  const { environment_id, id: subscription_id } = subscription;
  const { id: invoice_id, usage_revision, credit_revision, is_stale } = invoice;
  await writeLines(db, { environment_id, subscription_id, invoice_id }, composed.line_items);
  const state = { environment_id, invoice_id, usage_revision, credit_revision, is_stale };
  await writeTotals(db, state, composed);
}
