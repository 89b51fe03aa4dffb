import { duePeriodsOfOthers, type DuePeriod } from '../db/subscriptions/due-periods.ts';
import type { Db } from '../db/connection/pool.ts';
import type { Subscription } from '../db/subscriptions/subscription-context.ts';
import type { BillingSettings } from './draft.ts';

/** Limit of subscriptions of one customer that are signaled at once. More with the same end ask again by themselves. */
const SIGNALS_AT_ONCE_MAX = 200;

/**
 * The customer's earliest due period that must be issued before one that ends at `period_end`: credit goes to the period that ends first,
 * across the customer's subscriptions (billing.md 1). Null if there is none; equal ends do not wait for each other.
 */
export async function findEarlierPeriod(
  db: Db,
  subscription: Subscription,
  period_end: string,
  { grace_period_ms }: BillingSettings,
): Promise<DuePeriod | null> {
  if (!subscription.has_siblings) return null;
  const [first] = await duePeriodsOfOthers(db, subscription, { grace_period_ms, limit: 1 });
  return first !== undefined && first.period_end < period_end ? first : null;
}

/**
 * The other subscriptions of the customer that waited for a period with the end `issued_end` and whose turn it is now. Subscriptions
 * with the same end did not wait for it. Null stands for any end.
 */
export async function findNextInTurn(
  db: Db,
  subscription: Subscription,
  issued_end: string | null,
  { grace_period_ms }: BillingSettings,
): Promise<{ environment_id: number; subscription_id: string }[]> {
  if (!subscription.has_siblings) return [];
  const due = await duePeriodsOfOthers(db, subscription, { grace_period_ms, limit: SIGNALS_AT_ONCE_MAX });
  const [first] = due;
  if (first === undefined || (issued_end !== null && first.period_end <= issued_end)) return [];
  return due
    .filter(({ period_end }) => period_end === first.period_end)
    .map(({ subscription_id }) => ({ environment_id: subscription.environment_id, subscription_id }));
}
