import { duePeriodsOfSiblings, type DuePeriod } from '../../db/subscriptions/due-periods.ts';
import type { Db } from '../../db/connection/pool.ts';
import type { BillingSettings, Subscription } from '../../domain/subscription/subscription.ts';

/** Limit of subscriptions of one customer that are signaled at once. More with the same end ask again by themselves. */
export const SIGNALS_AT_ONCE_MAX = 200;

/** The due periods of the customer's other subscriptions, the earliest end first. */
export async function findDueSiblings(
  db: Db,
  subscription: Subscription,
  { grace_period_ms }: BillingSettings,
): Promise<DuePeriod[]> {
  const { environment_id, id } = subscription;
  const due = await duePeriodsOfSiblings(db, environment_id, [subscription], {
    grace_period_ms,
    limit: SIGNALS_AT_ONCE_MAX,
  });
  return due.get(id)!;
}

/**
 * The subscriptions of `due_siblings` that waited for a period with the end `issued_end` and whose turn it is now.
 * Subscriptions with the same end did not wait for it. Null stands for any end.
 */
export function nextInTurn(
  environment_id: number,
  due_siblings: readonly DuePeriod[],
  issued_end: string | null,
): { environment_id: number; subscription_id: string }[] {
  const [first] = due_siblings;
  if (first === undefined || (issued_end !== null && first.period_end <= issued_end)) return [];
  return due_siblings
    .filter(({ period_end }) => period_end === first.period_end)
    .map(({ subscription_id }) => ({ environment_id, subscription_id }));
}
