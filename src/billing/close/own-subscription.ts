import { readSubscription } from '../../db/subscriptions/subscription-context.ts';
import type { Db } from '../../db/connection/pool.ts';
import { notFound } from '../../domain/money/errors.ts';

/** Throws not_found `unknown_subscription` at `subscription_id` for a subscription that is not one of the customer. */
export async function refuseForeignSubscription(
  db: Db,
  environment_id: number,
  { subscription_id, customer_id }: { subscription_id: string; customer_id: string },
): Promise<void> {
  const named = await readSubscription(db, environment_id, subscription_id);
  if (named?.customer_id === customer_id) return;
  const message = 'subscription_id does not match any subscription of the customer';
  throw notFound('subscription_id', 'unknown_subscription', message);
}
