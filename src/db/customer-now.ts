/** The customer's time, where the row of customers is `c`: the test clock, or the database's clock to the millisecond. */
export const CUSTOMER_NOW = `coalesce(c.test_clock, date_trunc('milliseconds', now()))`;
