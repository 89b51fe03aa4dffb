import { ENDS_AT } from './credit-draws.ts';
import { CUSTOMER_NOW, DUE_UNTIL, type Whose } from '../customers/customer-now.ts';
import type { Db } from '../connection/pool.ts';

/**
 * Notes which grants have expired, so that the feed has those with credit left. Returns how many. It waits for no row;
 * a grant that another transaction has locked is noted the next time.
 */
export async function noteExpiries(db: Db, { customer_id, limit }: Whose): Promise<number> {
  const { rowCount } = await db.query(
    `with due as (
       select g.environment_id, g.id
       from environments n
       join credit_grants g on g.environment_id = n.id and g.expiry_noted_at is null and g.voided_at is null
         and ${ENDS_AT} <= ${DUE_UNTIL}
       join customers c on c.environment_id = g.environment_id and c.id = g.customer_id
       where ${ENDS_AT} <= ${CUSTOMER_NOW} and ($2::text is null or c.id = $2)
       limit $1 for no key update of g skip locked)
     update credit_grants g set expiry_noted_at = ${ENDS_AT} from due
     where g.environment_id = due.environment_id and g.id = due.id`,
    [limit, customer_id],
  );
  return rowCount!;
}
