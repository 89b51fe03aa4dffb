/** SQL: the customer's now, for the row `c` of customers. The test clock, or the database's clock in milliseconds. */
export const CUSTOMER_NOW = `coalesce(c.test_clock, date_trunc('milliseconds', now()))`;
