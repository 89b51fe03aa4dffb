import { composeInvoice, type ComposedInvoice, type Usage } from '../domain/invoice.ts';
import { expiriesWithin } from '../domain/credit.ts';
import type { Charge } from '../domain/charge.ts';
import { chargesOf } from './charges.ts';
import { drawLots, expireLots, usableLots } from './credit-draws.ts';
import { insertDraft, invalidState, openInvoice, writeTotals } from './invoice-transitions.ts';
import { findInvoice, findPeriodInvoice, type Invoice, type InvoiceState } from './invoices.ts';
import { readHeldLines, writeLines, writeSpans, type HeldLine } from './line-items.ts';
import type { Period } from '../domain/period.ts';
import { closePeriod, findPeriod, type StoredPeriod } from './periods.ts';
import { lockCustomerAndSubscription, lockSubscription, type Subscription } from './subscriptions.ts';
import { quantityBefore, quantityOf, takeCutOff, type Span } from './usage.ts';
import type { Db } from './pool.ts';

/** One step of billing one period; a step that has run for its revision changes nothing when it runs again. */
export type BillingStep = {
  environment_id: number;
  subscription_id: string;
  period_start: string;
  revision: number;
};

export type BillingSettings = { grace_period_ms: number };

/**
 * Step 1 of an invoice's life (billing.md 6): takes the cut-off, counts what each charge holds up to it and writes the draft, yet
 * without credit. The first time, the period closes and the next one opens in the same transaction. Returns the invoice's id, or
 * null where the period's invoice is void: only `generate` bills such a period again.
 */
export async function aggregateUsage(
  db: Db,
  step: BillingStep,
  settings: BillingSettings,
): Promise<string | null> {
  const subscription = await lockSubscription(db, step.environment_id, step.subscription_id);
  const period = await findPeriod(db, step, step.period_start);
  if (subscription === null || period === null) return null;
  const invoice =
    (await findPeriodInvoice(db, step, step.period_start)) ??
    (await draft(db, subscription, period, settings));
  if (invoice === null || invoice.status !== 'draft' || invoice.usage_revision >= step.revision)
    return invoice?.id ?? null;

  const charges = await chargesOf(db, step.environment_id, subscription.plan_id);
  const up_to = await takeCutOff(db, step.environment_id, subscription.id);
  const span: Span = {
    after: null,
    up_to,
    timestamp_from: period.period_start,
    timestamp_to: period.period_end,
    stored_from: null,
    stored_to: null,
  };
  const usage = new Map<string, Usage>();
  for (const charge of charges) {
    const quantity = await quantityOf(db, usageQuery(subscription, charge, [span]));
    usage.set(charge.id, { ...quantity, quantity_before: new Map() });
  }
  const composed = composeInvoice({ ...terms(subscription, charges), usage, lots: [], period });
  await writeInvoice(db, { subscription, invoice, period, composed, usage_revision: step.revision });
  const metered = charges.filter((charge) => charge.pricing.pricing_model !== 'flat');
  await writeSpans(
    db,
    { environment_id: step.environment_id, invoice_id: invoice.id },
    new Map(metered.map((charge) => [charge.id, [span]])),
  );
  return invoice.id;
}

/** Null where the period is closed already and has no invoice but void ones. */
async function draft(
  db: Db,
  subscription: Subscription,
  period: StoredPeriod,
  settings: BillingSettings,
): Promise<InvoiceState | null> {
  const { cancel_at, now } = subscription;
  if (!(await closePeriod(db, periodKey(subscription), { period, schedule: subscription, cancel_at, now })))
    return null;
  return insertDraft(db, subscription, { period, hold_until: holdUntil(subscription, period, settings) });
}

/** When a draft's hold ends: live ones wait for the grace period, test ones only (null, for ever) where the advance said so. */
export function holdUntil(
  subscription: Subscription,
  period: Period,
  settings: BillingSettings,
): string | null {
  if (!subscription.livemode) return subscription.hold_drafts ? null : period.period_end;
  return new Date(Date.parse(period.period_end) + settings.grace_period_ms).toISOString();
}

/** Step 2: shows on the draft what credit would cover. Provisional: nothing is drawn before the invoice is issued. */
export async function applyCredits(db: Db, step: BillingStep): Promise<void> {
  const subscription = await lockSubscription(db, step.environment_id, step.subscription_id);
  const period = await findPeriod(db, step, step.period_start);
  const invoice = await findPeriodInvoice(db, step, step.period_start);
  if (subscription === null || period === null || invoice?.status !== 'draft') return;
  if (invoice.credit_revision >= step.revision) return;
  const composed = await compose(db, { subscription, invoice, period, lock: false });
  await writeInvoice(db, { subscription, invoice, period, composed, credit_revision: step.revision });
}

/**
 * Step 3: draft to open. Credit is drawn, the number given and the content sealed in this one transaction; a total of zero is
 * paid at once. Nothing happens where the invoice is no draft any more.
 */
export async function issueInvoice(db: Db, step: Omit<BillingStep, 'revision'>): Promise<void> {
  const subscription = await lockCustomerAndSubscription(db, step.environment_id, step.subscription_id);
  const period = await findPeriod(db, step, step.period_start);
  const invoice = await findPeriodInvoice(db, step, step.period_start);
  if (subscription === null || period === null || invoice?.status !== 'draft') return;
  const composed = await compose(db, { subscription, invoice, period, lock: true });
  await writeInvoice(db, { subscription, invoice, period, composed });
  const { environment_id, now } = subscription;
  await drawLots(db, { environment_id, invoice_id: invoice.id, now }, composed.draws);
  await openInvoice(db, subscription, invoice.id);
  await expireLots(db, subscription, now);
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
  const { subscription_id, period_start } = found;
  await lockCustomerAndSubscription(db, environment_id, subscription_id);
  const draft = await findPeriodInvoice(db, { environment_id, subscription_id }, period_start);
  if (draft?.id !== invoice_id || draft.status !== 'draft') {
    const invoice = await findInvoice(db, environment_id, invoice_id);
    throw invalidState(invoice_id, `is ${invoice!.status}; only a draft can be finalized`);
  }
  const step = { environment_id, subscription_id, period_start, revision: draft.usage_revision + 1 };
  await aggregateUsage(db, step, settings);
  await applyCredits(db, step);
  await issueInvoice(db, step);
  return findInvoice(db, environment_id, invoice_id);
}

/** Prices what the draft's lines hold, with the credit that there is now. */
async function compose(
  db: Db,
  billed: { subscription: Subscription; invoice: InvoiceState; period: StoredPeriod; lock: boolean },
): Promise<ComposedInvoice> {
  const { subscription, invoice, period, lock } = billed;
  const charges = await chargesOf(db, subscription.environment_id, subscription.plan_id);
  const lots = await usableLots(db, subscription, { period, lock });
  const held = await readHeldLines(db, subscription.environment_id, invoice.id);
  const usage = new Map<string, Usage>();
  for (const line of held) {
    const charge = charges.find(({ id }) => id === line.charge_id)!;
    usage.set(
      charge.id,
      await usageOf(db, { subscription, charge, line, expiries: expiriesWithin(lots, period) }),
    );
  }
  return composeInvoice({ ...terms(subscription, charges), usage, lots, period });
}

/** What a line holds, and what of it happened before each expiry: counted from the same spans, so both are of one cut-off. */
async function usageOf(
  db: Db,
  held: { subscription: Subscription; charge: Charge; line: HeldLine; expiries: readonly string[] },
): Promise<Usage> {
  const { subscription, charge, line, expiries } = held;
  const quantity_before = new Map<string, string>();
  if (charge.pricing.pricing_model !== 'flat') {
    for (const expiry of expiries) {
      quantity_before.set(
        expiry,
        await quantityBefore(db, usageQuery(subscription, charge, line.spans), expiry),
      );
    }
  }
  return { quantity: line.quantity, skipped_events: line.skipped_events, quantity_before };
}

async function writeInvoice(
  db: Db,
  written: {
    subscription: Subscription;
    invoice: InvoiceState;
    period: StoredPeriod;
    composed: ComposedInvoice;
    usage_revision?: number;
    credit_revision?: number;
  },
): Promise<void> {
  const { subscription, invoice, period, composed } = written;
  const { usage_revision = invoice.usage_revision, credit_revision = invoice.credit_revision } = written;
  const { environment_id } = subscription;
  await writeLines(
    db,
    {
      environment_id,
      invoice_id: invoice.id,
      subscription_id: subscription.id,
      whole_start: period.period_start,
    },
    composed.line_items,
  );
  await writeTotals(
    db,
    { environment_id, invoice_id: invoice.id, usage_revision, credit_revision },
    composed,
  );
}

function terms(subscription: Subscription, charges: readonly Charge[]) {
  return { charges, currency: subscription.currency, tax_rate: subscription.tax_rate };
}

function usageQuery(subscription: Subscription, charge: Charge, spans: readonly Span[]) {
  const { environment_id, customer_key } = subscription;
  return { environment_id, customer_key, charge, spans };
}

function periodKey(subscription: Subscription) {
  return { environment_id: subscription.environment_id, subscription_id: subscription.id };
}
