import type { BilledCustomer, Seller } from '../../objects/invoice.ts';
import type { InvoiceTax } from '../../domain/invoice/invoice.ts';

/** Days such as 2026-01-31, both inclusive. */
export type Days = { first: string; last: string };

/**
 * A line; `unit_price` is null if no single price gives its amount, `price_before` the unit price without the percents
 * of discounts, null without. Amounts have the minor digits of the currency.
 */
export type ELine = {
  description: string;
  quantity: string;
  unit_price: string | null;
  price_before: string | null;
  amount: string;
  days: Days | null;
};

/**
 * The content of an e-invoice (billing.md 9): an issued invoice or credit note, whose amounts are not negative as a
 * whole.
 */
export type EDocument = {
  kind: 'invoice' | 'credit_note';
  number: string;
  /** Days such as 2026-01-31. A credit note has no due date. */
  issue_date: string;
  due_date: string | null;
  currency: string;
  /** Paragraphs for the person who reads it. */
  notes: readonly string[];
  /** The invoice that this document corrects or replaces. */
  preceding: { number: string; issue_date: string } | null;
  days: Days | null;
  seller: Seller;
  customer: BilledCustomer;
  lines: readonly ELine[];
  tax: InvoiceTax;
  subtotal: string;
  total: string;
  /** The amount that was settled at the issue, and the rest of the total. */
  prepaid: string;
  payable: string;
};
