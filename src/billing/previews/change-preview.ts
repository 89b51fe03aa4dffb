import type { SubscriptionKey } from '../../db/subscriptions/live-subscriptions.ts';
import { automaticNotesSince } from '../../db/invoicing/credit-notes.ts';
import type { CreditNote, CreditNotePreview } from '../../objects/credit-note.ts';
import type { UpcomingInvoice } from '../../objects/invoice.ts';
import type { PlanChangePreview } from '../../objects/subscription.ts';
import { findOpenPeriod } from '../../db/subscriptions/periods.ts';
import { readSubscription } from '../../db/subscriptions/subscription-context.ts';
import { setClock } from '../../db/subscriptions/test-clock.ts';
import { rolledBack, type Db } from '../../db/connection/pool.ts';
import { decimal, sum } from '../../domain/money/decimal.ts';
import { toAmount } from '../../domain/money/money.ts';
import type { StoredPeriod } from '../../domain/subscription/following-period.ts';
import { latest } from '../../domain/time/period.ts';
import type { BillingSettings, Subscription } from '../../domain/subscription/subscription.ts';
import { decideAll, writeDecided } from '../close/close.ts';
import { cancelSubscription, type CancelRequest } from '../terms/cancel.ts';
import { changePlan, type ChangeRequest } from '../terms/change-plan.ts';
import { newId } from '../../keys/ids.ts';
import { openPeriod } from '../close/open-period.ts';
import { composeOpening, composePeriod, shownDraft } from './upcoming-invoice.ts';

/**
 * The invoices that changePlan would lead to, by the code that bills; nothing is stored. Returns null if the
 * subscription does not exist. Throws as changePlan does.
 */
export async function previewChange(
  db: Db,
  key: SubscriptionKey,
  request: ChangeRequest,
  settings: BillingSettings,
): Promise<PlanChangePreview | null> {
  return rolledBack(db, async () => {
    const before = newId('cn');
    const at = await changePlan(db, key, request, settings);
    return at === null ? null : previewAt(db, key, { at, before }, settings);
  });
}

/** The invoice that cancelSubscription would lead to, in the same way. */
export async function previewCancel(
  db: Db,
  key: SubscriptionKey,
  request: CancelRequest,
  settings: BillingSettings,
): Promise<PlanChangePreview | null> {
  return rolledBack(db, async () => {
    const before = newId('cn');
    const end = await cancelSubscription(db, key, request, settings);
    if (end === null) return null;
    return { ...(await previewAt(db, key, { at: end, before }, settings)), opening: null, upcoming: null };
  });
}

/**
 * The invoices that follow a change at an instant. Ids sort by creation: `before` is one from before the change and its
 * notes.
 */
async function previewAt(
  db: Db,
  key: SubscriptionKey,
  { at, before }: { at: string; before: string },
  settings: BillingSettings,
): Promise<PlanChangePreview> {
  const { environment_id, subscription_id } = key;
  const closing = await billUntil(db, key, at, settings);
  const open = await findOpenPeriod(db, key);
  const following = open?.kind === 'billing' ? open : null;
  const subscription = (await readSubscription(db, environment_id, subscription_id))!;
  const opening = following && (await composeOpening(db, subscription, following));
  await openPeriod(db, key);
  const notes = await automaticNotesSince(db, key, before);
  const billed = [closing, opening].flatMap((bill) => (bill === null ? [] : [decimal(bill.total)]));
  const due = sum(billed).minus(sum(notes.map(({ total }) => decimal(total))));
  return {
    object: 'plan_change_preview',
    closing,
    opening,
    upcoming: following && (await composePeriod(db, subscription, following, settings)),
    credit_notes: notes.map(previewOfNote),
    due: toAmount(due, subscription.currency),
  };
}

/** An automatic note as a preview shows it. */
export function previewOfNote(note: CreditNote): CreditNotePreview {
  const { livemode, invoice_id, customer_id, currency, lines } = note;
  const { subtotal, tax, total, to_invoice, to_balance, outside } = note;
  return {
    object: 'credit_note_preview',
    livemode,
    invoice_id,
    customer_id,
    currency,
    lines,
    subtotal,
    tax,
    total,
    to_invoice,
    to_balance,
    outside,
  };
}

/**
 * Bills the periods that end at an instant or before, each as at its end, so that their fees, credit, items and late
 * lines are not those of later ones as well. Returns the last invoice, by what is known now; null if no billing period
 * ends. After an end in a period that is billed, that is the last one of the subscription, null without lines.
 */
async function billUntil(
  db: Db,
  key: SubscriptionKey,
  at: string,
  settings: BillingSettings,
): Promise<UpcomingInvoice | null> {
  let last: UpcomingInvoice | null = null;
  // At most a year of periods.
  for (;;) {
    const open = await findOpenPeriod(db, key);
    if (open?.kind === 'late' && last === null) return lastInvoice(db, key, open, settings);
    if (open === null || open.kind === 'late' || open.period_start >= at) return last;
    const { environment_id, subscription_id } = key;
    const { now, customer_id } = (await readSubscription(db, environment_id, subscription_id))!;
    await setClock(db, { environment_id, customer_id }, latest(now, open.period_start));
    await openPeriod(db, key);
    const subscription = (await readSubscription(db, environment_id, subscription_id))!;
    const closed = await closeAt(db, subscription, open, settings);
    if (open.period_end >= at && open.kind === 'billing') last = closed;
  }
}

/** Bills the days for late usage as at their end. */
async function lastInvoice(
  db: Db,
  { environment_id, subscription_id }: SubscriptionKey,
  late: StoredPeriod,
  settings: BillingSettings,
): Promise<UpcomingInvoice | null> {
  const subscription = (await readSubscription(db, environment_id, subscription_id))!;
  return closeAt(db, subscription, late, settings);
}

/** Bills the open period as at its end; null if no invoice is made. */
export async function closeAt(
  db: Db,
  subscription: Subscription,
  { period_start, period_end }: StoredPeriod,
  settings: BillingSettings,
): Promise<UpcomingInvoice | null> {
  const { environment_id, id: subscription_id, customer_id, now } = subscription;
  await setClock(db, { environment_id, customer_id }, latest(now, period_end));
  const request = { subscription_id, period_start, usage_revision: 1, issues: true };
  const [close] = await decideAll(db, environment_id, [request], { locks: 'taken', settings });
  if (close!.failure !== null) throw close!.failure;
  await writeDecided(db, environment_id, [close!]);
  const draft = close!.decided?.draft ?? null;
  return draft && shownDraft(subscription, draft);
}
