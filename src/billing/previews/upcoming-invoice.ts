import { conflict, type BillingError } from '../../domain/money/errors.ts';
import type { DecidedDraft } from '../../domain/invoice/close.ts';
import { findOpenPeriod } from '../../db/subscriptions/periods.ts';
import { periodFollowing, type StoredPeriod } from '../../domain/subscription/following-period.ts';
import { billingStart } from '../../domain/time/period.ts';
import {
  periodContextOf,
  type BillingSettings,
  type Subscription,
} from '../../domain/subscription/subscription.ts';
import { readSubscription } from '../../db/subscriptions/subscription-context.ts';
import { decideAll } from '../close/close.ts';
import { openingOf } from '../close/open-period.ts';
import type { UpcomingInvoice } from '../../objects/invoice.ts';
import type { Db } from '../../db/connection/pool.ts';

/**
 * Composes the next invoice with the production billing code; writes nothing. The caller provides one snapshot. Returns
 * null if the subscription does not exist. Throws conflict `invalid_state` if no invoice will follow.
 */
export async function composeUpcoming(
  db: Db,
  environment_id: number,
  subscription_id: string,
  settings: BillingSettings,
): Promise<UpcomingInvoice | null> {
  const subscription = await readSubscription(db, environment_id, subscription_id);
  if (subscription === null) return null;
  const period = await nextBilledPeriod(db, subscription, settings);
  const opening = period?.opened_at === null ? await composeOpening(db, subscription, period) : null;
  const upcoming = opening ?? (period && (await composePeriod(db, subscription, period, settings)));
  if (upcoming === null) throw noneFollows(subscription);
  return upcoming;
}

/**
 * Composes the invoice of a period, stored or not, as it would be if the period ended now. Null if no invoice is made.
 */
export async function composePeriod(
  db: Db,
  subscription: Subscription,
  period: StoredPeriod,
  settings: BillingSettings,
): Promise<UpcomingInvoice | null> {
  const { environment_id, id: subscription_id } = subscription;
  const { period_start } = period;
  const request = {
    subscription_id,
    period_start,
    period,
    usage_revision: 1,
    issues: false,
    may_be_empty: !endsBeforeBilling(subscription),
  };
  const [decided] = await decideAll(db, environment_id, [request], { locks: 'none', settings });
  if (decided!.failure !== null) throw decided!.failure;
  const draft = decided!.decided?.draft ?? null;
  return draft && shownDraft(subscription, draft);
}

/** Composes the opening invoice of a period, stored or not, as if it began now; null if none is made. */
export async function composeOpening(
  db: Db,
  subscription: Subscription,
  period: StoredPeriod,
): Promise<UpcomingInvoice | null> {
  const how = { opening_number: 1, is_again: false, replaces: null, item_ids: null };
  const decided = await openingOf(db, subscription, period, how);
  return decided && shownDraft(subscription, decided.draft!);
}

/** A draft that is not stored, as a preview shows it. */
export function shownDraft(
  subscription: Subscription,
  { kind, period, composed }: DecidedDraft,
): UpcomingInvoice {
  const { period_start, period_end, plan_id } = period;
  const { line_items, subtotal, tax, total, credits_applied } = composed;
  const { id: subscription_id } = subscription;
  const { livemode, external_id: customer_id, currency, timezone } = subscription;
  return {
    object: 'upcoming_invoice',
    livemode,
    customer_id,
    subscription_id,
    plan_id,
    kind,
    currency,
    timezone,
    period_start,
    period_end,
    line_items: line_items.map(({ full_period_start: _, ...line }) => line),
    subtotal,
    tax,
    total,
    credits_applied,
  };
}

/** A subscription that never bills has an invoice for items alone. */
function endsBeforeBilling(subscription: Subscription): boolean {
  return subscription.cancel_at !== null && subscription.cancel_at <= billingStart(subscription);
}

/** Says why no invoice follows. Only a subscription with a set end has none, so `cancel_at` is not null here. */
function noneFollows(subscription: Subscription): BillingError {
  const { cancel_at, now } = subscription;
  const ends = `the subscription ${cancel_at! <= now ? 'ended' : 'ends'} at ${cancel_at}`;
  const why = endsBeforeBilling(subscription)
    ? `${ends}, before its first billing period`
    : `${ends} and its late usage is billed`;
  return conflict(null, 'invalid_state', `${why}: no invoice will follow`);
}

/** The open period; during a trial, which makes no invoice, the period after it. */
async function nextBilledPeriod(
  db: Db,
  subscription: Subscription,
  settings: BillingSettings,
): Promise<StoredPeriod | null> {
  const { environment_id, id: subscription_id } = subscription;
  const open = await findOpenPeriod(db, { environment_id, subscription_id });
  if (open?.kind !== 'trial') return open;
  const next = periodFollowing(open, periodContextOf(subscription, settings));
  return next && { ...next, opened_at: null, closed_at: null };
}
