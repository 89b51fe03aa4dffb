import { duePeriodsOfOthers, type DuePeriod } from '../db/due-periods.ts';
import type { Db } from '../db/pool.ts';
import type { Subscription } from '../db/subscription-context.ts';
import type { BillingSettings } from './draft.ts';

/**
 * So many subscriptions of a customer learn at once that their turn has come; all of them have periods with the same end. More than
 * that ask again by themselves.
 */
const SIGNALS_AT_ONCE_MAX = 200;

/**
 * The period that must be issued before one that ends at `period_end`: credit goes to the period that ends first, whichever
 * subscription of the customer it is of (billing.md 1). Null where there is none, and at equal ends.
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
 * The other subscriptions of the customer whose turn it is now that a period with the end `issued_end` holds them up no longer: those
 * with the same end have not waited for it. Null is any end.
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
