import type { PeriodContext } from './following-period.ts';
import type { Discount } from '../pricing/discount.ts';
import { addMilliseconds, type Period } from '../time/period.ts';
import type { UnusedTime } from './change-terms.ts';
import type { PlanSchedule } from './plan-phase.ts';
import type { TaxTerms } from '../money/tax.ts';

/** A subscription with the current values of customer, plans and account that billing needs. */
export type Subscription = PlanSchedule & {
  environment_id: number;
  livemode: boolean;
  id: string;
  /** The plan at the customer's now. */
  plan_id: string;
  /** End of the subscription, past or future by the customer's clock. */
  cancel_at: string | null;
  /** The use of unused time of fees that end there: that of a change of plan at this instant if it had come. */
  cancel_settle: UnusedTime;
  /** The use of fees that the end leaves out, as the cancellation asks. */
  settle_left_out: UnusedTime;
  /** The usage of a part, net, at which the part is billed before its end; null: only at its end. */
  bill_at: string | null;
  /** Why it is parked; null if it is not, also while it is tried again. */
  attention: string | null;
  /** It was parked, and was not billed since. */
  billing_failed: boolean;
  customer_id: string;
  customer_key: string;
  external_id: string;
  customer_name: string | null;
  customer_email: string | null;
  currency: string;
  /** The discounts of the customer that may take something off its lines, the oldest first; ended ones too. */
  discounts: readonly Discount[];
  tax: TaxTerms;
  /** Days from the issue to the due date. */
  net_days: number;
  /** The customer's balance; it stands still only while the lock of the customer is held. */
  balance: string;
  /** The customer's now: the test clock, or the database's clock. */
  now: string;
  has_test_clock: boolean;
  hold_drafts: boolean;
  /** The customer has another subscription that is not finished. */
  has_siblings: boolean;
  /** It ends before it bills anything, and invoice items are pending. */
  ends_with_items: boolean;
  /** A quantity of it was asked for. */
  has_quantities: boolean;
  /** A quantity has come that is not settled. */
  has_quantity_to_settle: boolean;
  /** The next instant at which a quantity is to come; null if there is none. */
  next_quantity_at: string | null;
  /** The clock alone has brought it to a status that is not in the feed yet. */
  has_new_status: boolean;
};

export type BillingSettings = { grace_period_ms: number; late_usage_days: number };

/**
 * The instant when a draft's hold ends. Live: period end plus grace period. Test: period end, or null (held until
 * finalized) if the advance asked for `hold_drafts`.
 */
export function holdUntil(
  subscription: Pick<Subscription, 'livemode' | 'hold_drafts'>,
  { period_end }: Pick<Period, 'period_end'>,
  { grace_period_ms }: BillingSettings,
): string | null {
  if (!subscription.livemode) return subscription.hold_drafts ? null : period_end;
  return addMilliseconds(period_end, grace_period_ms);
}

/** The subscription's schedule, cancellation and now: what decides where its next period ends. */
export function periodContextOf(
  subscription: Subscription,
  { late_usage_days }: BillingSettings,
): PeriodContext {
  const { cancel_at, now, ends_with_items } = subscription;
  return { schedule: subscription, cancel_at, now, late_usage_days, ends_with_items };
}
