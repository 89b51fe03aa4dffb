/** SQL: the customer's now, for the row `c` of customers. The test clock, or the database's clock in milliseconds. */
export const CUSTOMER_NOW = `coalesce(c.test_clock, date_trunc('milliseconds', now()))`;
/** SQL: until when rows of the environment `n` may be due, for an index. Only a test clock is ahead of the time. */
export const DUE_UNTIL = `case when n.livemode then now() else 'infinity' end`;

/** Rows of a customer, by our `cus_` id, or of all customers for null; at most `limit`. */
export type Whose = { customer_id: string | null; limit: number };
