/**
 * The kinds of what may be stored of a customer, each the reason of a refusal to delete it. A further kind also needs an `exists` in
 * src/db/customers/customer-deletion.ts and a sentence in src/billing/customer-uses.ts. test/db/tables-of-customers.test.ts finds a table
 * about which nobody decided.
 */
export const CUSTOMER_USES = [
  'has_subscriptions',
  'has_events',
  'has_credit_grants',
  'has_invoices',
  'has_invoice_items',
  'has_balance_entries',
] as const;

/** The uses that a customer has. */
export type CustomerUses = Record<(typeof CUSTOMER_USES)[number], boolean>;
