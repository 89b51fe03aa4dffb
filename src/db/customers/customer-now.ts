import type { Db } from '../connection/pool.ts';

/** SQL: the customer's now, for the row `c` of customers. The test clock, or the database's clock in milliseconds. */
export const CUSTOMER_NOW = `coalesce(c.test_clock, date_trunc('milliseconds', now()))`;
/** SQL: until when rows of the environment `n` may be due, for an index. Only a test clock is ahead of the time. */
export const DUE_UNTIL = `case when n.livemode then now() else 'infinity' end`;

/** Rows of a customer, by our `cus_` id, or of all customers for null; at most `limit`. */
export type Whose = { customer_id: string | null; limit: number };

/**
 * The test clocks of the customers with these external ids, by external id; customers without one, who live in real
 * time, are left out.
 */
export async function testClocksOf(
  db: Db,
  environment_id: number,
  external_ids: readonly string[],
): Promise<Record<string, string>> {
  const { rows } = await db.query<{ external_id: string; test_clock: string }>(
    `select external_id, test_clock from customers
     where environment_id = $1 and external_id = any($2) and test_clock is not null`,
    [environment_id, external_ids],
  );
  return Object.fromEntries(rows.map(({ external_id, test_clock }) => [external_id, test_clock]));
}

/**
 * The latest now of the customers of an environment: real time, or in test data the clock that is furthest ahead of it.
 */
export async function latestNow(
  db: Db,
  environment_id: number,
): Promise<{ livemode: boolean; latest_now: string }> {
  const { rows } = await db.query<{ livemode: boolean; latest_now: string }>(
    `select n.livemode, greatest(date_trunc('milliseconds', now()), case when not n.livemode then (
       select max(c.test_clock) from customers c where c.environment_id = n.id) end) as latest_now
     from environments n where n.id = $1`,
    [environment_id],
  );
  return rows[0]!;
}
