import { findOpenPeriod } from '../db/subscriptions/periods.ts';
import { readSubscription } from '../db/subscriptions/subscription-context.ts';
import { setClock } from '../db/subscriptions/test-clock.ts';
import { rolledBack, type Db } from '../db/connection/pool.ts';
import { periodFollowing, type StoredPeriod, type SubscriptionPeriod } from '../domain/following-period.ts';
import { latest } from '../domain/period.ts';
import { periodContextOf, type BillingSettings, type Subscription } from '../domain/subscription.ts';
import { closeOne } from './close/close.ts';
import { changePlan, type ChangeRequest } from './change-plan.ts';
import { composePeriod, type UpcomingInvoice } from './upcoming-invoice.ts';

/** The invoices that a change of plan leads to: of the part that ends with it, and of the period that follows. */
export type ChangePreview = {
  object: 'plan_change_preview';
  /** Null where the plan is exchanged, so that nothing ends. */
  closing: UpcomingInvoice | null;
  upcoming: UpcomingInvoice | null;
};

/**
 * The invoices that changePlan would lead to, by the code that bills; nothing is stored. Returns null if the subscription does not exist. Throws as
 * changePlan does.
 */
export async function previewChange(
  db: Db,
  key: { environment_id: number; subscription_id: string },
  request: ChangeRequest,
  settings: BillingSettings,
): Promise<ChangePreview | null> {
  return rolledBack(db, async () => {
    const at = await changePlan(db, key, request, settings);
    return at === null ? null : previewAt(db, key, at, settings);
  });
}

async function previewAt(
  db: Db,
  key: { environment_id: number; subscription_id: string },
  at: string,
  settings: BillingSettings,
): Promise<ChangePreview> {
  const { environment_id, subscription_id } = key;
  const subscription = (await readSubscription(db, environment_id, subscription_id))!;
  const open = (await findOpenPeriod(db, key))!;
  const { closing, following } = periodsAround(subscription, { open, at }, settings);
  const compose = async (of: Subscription, period: SubscriptionPeriod | null) =>
    period && (await composePeriod(db, of, { closed_at: null, ...period }, settings));
  const ending = await compose(subscription, closing);
  // So that its credit, items and late lines are not those of the next one as well.
  if (closing?.period_start === open.period_start) await closeAt(db, subscription, open, { at, settings });
  const after = (await readSubscription(db, environment_id, subscription_id))!;
  return { object: 'plan_change_preview', closing: ending, upcoming: await compose(after, following) };
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

/** The billing period that ends with a change, null if none does, and the one after it. */
function periodsAround(
  subscription: Subscription,
  { open, at }: { open: StoredPeriod; at: string },
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
