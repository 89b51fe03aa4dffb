import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import type { Db } from '../connection/pool.ts';

export type SubscriptionKey = { environment_id: number; subscription_id: string };

/** A page, by id, of the subscriptions of all environments that must have a running workflow; for the reconciler. */
export async function pageOfLiveSubscriptions(
  db: Db,
  page: { after: string; limit: number },
): Promise<SubscriptionKey[]> {
  const { rows } = await db.query<SubscriptionKey>(
    `select environment_id, id as subscription_id from subscriptions
     where finished_at is null and id > $1 order by id limit $2`,
    [page.after, page.limit],
  );
  return rows;
}

/**
 * SQL: when the open period `p`, the draft `i` and the quantity `q` have work: the end, the end of the hold, a start
 * with fees in advance, or the instant of the quantity.
 */
const DUE_AT =
  'least(p.period_end, i.hold_until, case when p.opened_at is null then p.period_start end, q.at)';

/**
 * Subscriptions, not parked, whose period ended or whose draft's hold ended more than a minute ago by the customer's
 * clock.
 */
export async function overdueSubscriptions(db: Db, limit: number): Promise<SubscriptionKey[]> {
  const { rows } = await db.query<SubscriptionKey>(
    `select s.environment_id, s.id as subscription_id
     from subscriptions s
     join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
     left join periods p on p.environment_id = s.environment_id and p.subscription_id = s.id and p.closed_at is null
     left join invoices i on i.environment_id = s.environment_id and i.subscription_id = s.id and i.status = 'draft'
     left join lateral (
       select min(at) as at from quantity_changes
       where environment_id = s.environment_id and subscription_id = s.id and came_at is null) as q on true
     where s.finished_at is null and s.attention is null
       and ${DUE_AT} < ${CUSTOMER_NOW} - interval '1 minute'
     order by ${DUE_AT} limit $1`,
    [limit],
  );
  return rows;
}

/** The subscriptions of a customer that must have a running workflow. */
export async function subscriptionsOfCustomer(
  db: Db,
  environment_id: number,
  customer_id: string,
): Promise<SubscriptionKey[]> {
  const { rows } = await db.query<SubscriptionKey>(
    `select environment_id, id as subscription_id from subscriptions
     where environment_id = $1 and customer_id = $2 and finished_at is null`,
    [environment_id, customer_id],
  );
  return rows;
}
