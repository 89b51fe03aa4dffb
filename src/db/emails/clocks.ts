import type { Db } from '../connection/pool.ts';

/** SQL: when the email `e` of the customer `c` is first tried: a test clock must have come to its `send_at`. */
export const FIRST_TRY_AT = `case when c.test_clock is null then e.send_at
    when e.send_at <= c.test_clock then date_trunc('milliseconds', now()) end`;

/** SQL: an email `e` of a customer `c` with a test clock that no try has begun, and whose first try is to be moved. */
const IS_MISTIMED = `e.environment_id = c.environment_id and e.customer_id = c.id and e.status = 'queued'
    and e.first_attempt_at is null and c.test_clock is not null
    and case when e.send_at <= c.test_clock then coalesce(e.next_attempt_at > now(), true)
      else e.next_attempt_at is not null end`;

/** Has the emails of a customer, by its `cus_` id, tried once its test clock has come to their `send_at`. */
export async function timeByClock(db: Db, environment_id: number, customer_id: string): Promise<void> {
  await db.query(
    `update emails e set next_attempt_at = ${FIRST_TRY_AT}
     from customers c where ${IS_MISTIMED} and c.environment_id = $1 and c.id = $2`,
    [environment_id, customer_id],
  );
}

/** Has emails tried that were written while a test clock passed their `send_at`; at most `limit`. */
export async function timeByClocks(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `with mistimed as (
       select e.environment_id, e.id, ${FIRST_TRY_AT} as first_try_at
       from emails e join customers c on ${IS_MISTIMED}
       where e.next_attempt_at is null limit $1 for update of e skip locked)
     update emails e set next_attempt_at = m.first_try_at from mistimed m
     where e.environment_id = m.environment_id and e.id = m.id and e.status = 'queued'`,
    [limit],
  );
  return rowCount!;
}
