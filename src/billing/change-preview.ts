import type { SubscriptionKey } from '../db/subscriptions/live-subscriptions.ts';
import { automaticNotesSince, type CreditNote } from '../db/invoicing/credit-notes.ts';
import { findOpenPeriod } from '../db/subscriptions/periods.ts';
import { readSubscription } from '../db/subscriptions/subscription-context.ts';
import { setClock } from '../db/subscriptions/test-clock.ts';
import { rolledBack, type Db } from '../db/connection/pool.ts';
import { periodFollowing, type StoredPeriod, type SubscriptionPeriod } from '../domain/following-period.ts';
import { latest } from '../domain/period.ts';
import { periodContextOf, type BillingSettings, type Subscription } from '../domain/subscription.ts';
import { closeOne } from './close/close.ts';
import { cancelSubscription, type CancelRequest } from './cancel.ts';
import { changePlan, type ChangeRequest } from './change-plan.ts';
import { newId } from '../ids.ts';
import { openPeriod } from './open-period.ts';
import { composeOpening, composePeriod, type UpcomingInvoice } from './upcoming-invoice.ts';

/** The invoices that a change of plan or a cancellation leads to: of the part that ends with it, and of the period that follows. */
export type ChangePreview = {
  object: 'plan_change_preview';
  /** Null where the plan is exchanged, so that nothing ends, and where a subscription ends that never bills. */
  closing: UpcomingInvoice | null;
  /** The fees in advance of the new plan, where no other invoice has them. */
  opening: UpcomingInvoice | null;
  /** Null where a subscription ends. */
  upcoming: UpcomingInvoice | null;
  credit_notes: CreditNotePreview[];
};

/** An automatic credit note as it would be issued. */
type CreditNotePreview = { object: 'credit_note_preview' } & Pick<
  CreditNote,
  | 'livemode'
  | 'invoice_id'
  | 'customer_id'
  | 'currency'
  | 'lines'
  | 'subtotal'
  | 'tax'
  | 'total'
  | 'to_invoice'
  | 'to_balance'
  | 'outside'
>;

/**
 * The invoices that changePlan would lead to, by the code that bills; nothing is stored. Returns null if the subscription does not exist. Throws as
 * changePlan does.
 */
export async function previewChange(
  db: Db,
  key: SubscriptionKey,
  request: ChangeRequest,
  settings: BillingSettings,
): Promise<ChangePreview | null> {
  return rolledBack(db, async () => {
    const at = await changePlan(db, key, request, settings);
    return at === null ? null : previewAt(db, key, at, settings);
  });
}

/** The invoice that cancelSubscription would lead to, in the same way. */
export async function previewCancel(
  db: Db,
  key: SubscriptionKey,
  request: CancelRequest,
  settings: BillingSettings,
): Promise<ChangePreview | null> {
  return rolledBack(db, async () => {
    const end = await cancelSubscription(db, key, request, settings);
    if (end === null) return null;
    return { ...(await previewAt(db, key, end, settings)), opening: null, upcoming: null };
  });
}

async function previewAt(
  db: Db,
  key: SubscriptionKey,
  at: string,
  settings: BillingSettings,
): Promise<ChangePreview> {
  const { environment_id, subscription_id } = key;
  // Ids sort by creation.
  const before = newId('cn');
  const subscription = (await readSubscription(db, environment_id, subscription_id))!;
  const open = await findOpenPeriod(db, key);
  const { closing, following } = periodsAround(subscription, { open, at }, settings);
  const ending = await compose(db, subscription, closing, settings);
  // So that its credit, items and late lines are not those of the next one as well.
  if (closing !== null && closing.period_start === open?.period_start)
    await closeAt(db, subscription, open, { at, settings });
  const after = (await readSubscription(db, environment_id, subscription_id))!;
  const opening = following && (await composeOpening(db, after, toStore(following)));
  await openPeriod(db, key);
  const notes = await automaticNotesSince(db, key, before);
  return {
    object: 'plan_change_preview',
    closing: ending,
    opening,
    upcoming: await compose(db, after, following, settings),
    credit_notes: notes.map(previewOfNote),
  };
}

function toStore(period: SubscriptionPeriod): StoredPeriod {
  return { opened_at: null, closed_at: null, ...period };
}

function previewOfNote(note: CreditNote): CreditNotePreview {
  const { livemode, invoice_id, customer_id, currency, lines } = note;
  const { subtotal, tax, total, to_invoice, to_balance, outside } = note;
  return {
    object: 'credit_note_preview',
    ...{ livemode, invoice_id, customer_id, currency, lines },
    ...{ subtotal, tax, total, to_invoice, to_balance, outside },
  };
}

async function compose(
  db: Db,
  subscription: Subscription,
  period: SubscriptionPeriod | null,
  settings: BillingSettings,
): Promise<UpcomingInvoice | null> {
  return period && composePeriod(db, subscription, toStore(period), settings);
}

/** Bills the open period as at its end, in a savepoint that is rolled back. */
async function closeAt(
  db: Db,
  { environment_id, id: subscription_id, customer_id, now }: Subscription,
  { period_start }: StoredPeriod,
  { at, settings }: { at: string; settings: BillingSettings },
): Promise<void> {
  await setClock(db, { environment_id, customer_id }, latest(now, at));
  const request = { subscription_id, period_start, usage_revision: 1, issues: true };
  await closeOne(db, environment_id, request, { locks: 'taken', settings });
}

/** The billing period that ends with a change or at the end of the subscription, null if none does, and the one after it. */
function periodsAround(
  subscription: Subscription,
  { open, at }: { open: StoredPeriod | null; at: string },
  settings: BillingSettings,
): { closing: SubscriptionPeriod | null; following: SubscriptionPeriod | null } {
  const context = periodContextOf(subscription, settings);
  let closing: SubscriptionPeriod | null = null;
  let following: SubscriptionPeriod | null = open;
  // At most a year of periods.
  while (following !== null && (following.kind === 'trial' || following.period_start < at)) {
    closing = following.kind === 'billing' ? following : null;
    following = periodFollowing(following, context);
  }
  return { closing, following };
}
