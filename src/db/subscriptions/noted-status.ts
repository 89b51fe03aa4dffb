import { CUSTOMER_NOW, DUE_UNTIL, type Whose } from '../customers/customer-now.ts';
import type { Db } from '../connection/pool.ts';
import { STATUS } from './subscriptions.ts';

/** SQL: the instant of the next status of the subscription `s`; the index subscriptions_to_note has it. */
const NEXT_STATUS_AT = `least(s.cancel_at,
    case s.noted_status when 'pending' then s.start_date when 'trialing' then s.trial_end_date end)`;
/** SQL: the subscription `s` of the customer `c` has come to a status that is not noted. */
export const HAS_NEW_STATUS = `s.noted_status <> 'canceled' and coalesce(${NEXT_STATUS_AT} <= ${CUSTOMER_NOW}, false)`;

/**
 * Notes the statuses that subscriptions have come to by the clock alone, so that the feed has them. Returns how many.
 * It waits for no row; a subscription that another transaction has locked is noted the next time.
 */
export async function noteStatuses(db: Db, { customer_id, limit }: Whose): Promise<number> {
  const { rowCount } = await db.query(
    `with due as (
       select s.environment_id, s.id, ${STATUS} as status
       from environments n
       join subscriptions s on s.environment_id = n.id and s.noted_status <> 'canceled'
         and ${NEXT_STATUS_AT} <= ${DUE_UNTIL}
       join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
       where ${NEXT_STATUS_AT} <= ${CUSTOMER_NOW} and ($2::text is null or c.id = $2)
       limit $1 for no key update of s skip locked)
     update subscriptions s set noted_status = due.status from due
     where s.environment_id = due.environment_id and s.id = due.id`,
    [limit, customer_id],
  );
  return rowCount!;
}

/** Notes the statuses of subscriptions that the caller has locked. */
export async function noteStatusesOf(db: Db, environment_id: number, ids: readonly string[]): Promise<void> {
  await db.query(
    `update subscriptions s set noted_status = ${STATUS}
     from customers c
     where s.environment_id = $1 and s.id = any($2) and c.environment_id = s.environment_id and c.id = s.customer_id
       and ${HAS_NEW_STATUS}`,
    [environment_id, ids],
  );
}
