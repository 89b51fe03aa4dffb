import type { Db } from '../connection/pool.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';

/** SQL: the invoice `i` is open, and its due date is over by the clock of its customer `c`. */
export const OVERDUE = `i.status = 'open' and i.due_at <= ${CUSTOMER_NOW}`;

/**
 * Notes when an invoice became overdue, of at most `limit` invoices: the customer's now, once. Returns how many. It waits for no row,
 * because it holds the locks of several: an invoice that a payment or a void has locked is noted the next time, if it is still open then.
 */
export async function noteOverdue(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `with due as (
       select i.environment_id, i.id, ${CUSTOMER_NOW} as now
       from environments n
       -- Only a test clock is ahead of the time: live invoices are read from the index once they are due.
       join invoices i on i.environment_id = n.id and i.due_at <= case when n.livemode then now() else 'infinity' end
       join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
       where ${OVERDUE} and i.overdue_at is null
       limit $1 for update of i skip locked)
     update invoices i set overdue_at = due.now from due
     where i.environment_id = due.environment_id and i.id = due.id and i.status = 'open' and i.overdue_at is null`,
    [limit],
  );
  return rowCount!;
}
