import type { Db } from '../connection/pool.ts';
import { CUSTOMER_NOW, DUE_UNTIL, type Whose } from '../customers/customer-now.ts';

/** SQL: the invoice `i` is open, and its due date is over by the clock of its customer `c`. */
export const OVERDUE = `i.status = 'open' and i.due_at <= ${CUSTOMER_NOW}`;

/** SQL: OVERDUE, false also for a draft, which has no due date. */
export const IS_OVERDUE = `coalesce(${OVERDUE}, false)`;

/**
 * Notes when an invoice became overdue: the customer's now, once. Returns how many. It waits for no row, because it
 * holds the locks of several: an invoice that a payment or a void has locked is noted the next time, if it is still
 * open then.
 */
export async function noteOverdue(db: Db, { customer_id, limit }: Whose): Promise<number> {
  const { rowCount } = await db.query(
    `with due as (
       select i.environment_id, i.id, ${CUSTOMER_NOW} as now
       from environments n
       join invoices i on i.environment_id = n.id and i.due_at <= ${DUE_UNTIL}
       join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
       where ${OVERDUE} and i.overdue_at is null and ($2::text is null or c.id = $2)
       limit $1 for update of i skip locked)
     update invoices i set overdue_at = due.now from due
     where i.environment_id = due.environment_id and i.id = due.id and i.status = 'open' and i.overdue_at is null`,
    [limit, customer_id],
  );
  return rowCount!;
}
