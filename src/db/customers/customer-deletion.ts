import type { CustomerUses } from '../../domain/money/errors.ts';
import type { Db } from '../connection/pool.ts';

/**
 * The kinds of objects that are stored of a customer. The result stays true while the caller holds the customer's lock,
 * but for events: see lockEvents.
 */
export async function usesOfCustomer(db: Db, environment_id: number, id: string): Promise<CustomerUses> {
  const { rows } = await db.query<CustomerUses>(
    `select exists (select 1 from subscriptions where environment_id = $1 and customer_id = $2) as has_subscriptions,
       exists (select 1 from events
         where customer_key = (select key from customers where environment_id = $1 and id = $2))
         or exists (select 1 from customers where environment_id = $1 and id = $2 and archived_to is not null)
           as has_events,
       exists (select 1 from credit_grants where environment_id = $1 and customer_id = $2) as has_credit_grants,
       exists (select 1 from invoices where environment_id = $1 and customer_id = $2) as has_invoices,
       exists (select 1 from invoice_items where environment_id = $1 and customer_id = $2 and deleted_at is null)
         as has_invoice_items,
       exists (select 1 from balance_entries where environment_id = $1 and customer_id = $2) as has_balance_entries,
       exists (select 1 from discounts where environment_id = $1 and customer_id = $2) as has_discounts,
       exists (select 1 from plans where environment_id = $1 and customer_id = $2) as has_pricing_plans,
       exists (select 1 from provider_customers where environment_id = $1 and customer_id = $2) as has_payment_methods`,
    [environment_id, id],
  );
  return rows[0]!;
}

/** Whether the customer has a subscription that has not ended. */
export async function hasRunningSubscription(db: Db, environment_id: number, id: string): Promise<boolean> {
  const { rows } = await db.query<{ is_running: boolean }>(
    `select exists (select 1 from subscriptions
       where environment_id = $1 and customer_id = $2 and finished_at is null) as is_running`,
    [environment_id, id],
  );
  return rows[0]!.is_running;
}

/**
 * Waits until all transactions that store events have ended, and lets none begin before this one ends. It takes
 * milliseconds, because each of them is short; after a second without success it fails, so that one that hangs does not
 * stop all others.
 */
export async function lockEvents(db: Db): Promise<void> {
  await db.query(`set local lock_timeout = '1s'`);
  // Exclusive, not access exclusive: a dump reads this table for as long as it takes.
  await db.query('lock table deleted_customers in exclusive mode');
}

/**
 * Deletes a customer that nothing refers to; the caller holds the locks of customer and events. `by` is a key or a
 * session. What stores events looks for the key among the deleted ones, because API processes keep the keys of
 * customers in memory.
 */
export async function deleteCustomer(
  db: Db,
  environment_id: number,
  { id, by }: { id: string; by: string },
): Promise<void> {
  await db.query(
    `insert into deleted_customers (environment_id, id, key, deleted_by)
     select environment_id, id, key, $3 from customers where environment_id = $1 and id = $2`,
    [environment_id, id, by],
  );
  await db.query('delete from customers where environment_id = $1 and id = $2', [environment_id, id]);
}
