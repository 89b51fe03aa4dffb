import { createHash } from 'node:crypto';
import type { Invoice } from './invoices.ts';

/** Version of the content hash of newly issued invoices. */
export const CONTENT_HASH_VERSION = 2;

/**
 * SHA-256 over everything in an issued invoice that never changes: all but payment, void and `replaced_by`. Version 1 omits seller,
 * customer and `replaces`; invoices issued with version 1 keep that hash.
 */
export function contentHash(invoice: Invoice, version = CONTENT_HASH_VERSION): Buffer {
  const said = version === 1 ? contentOf(invoice) : [...contentOf(invoice), ...partiesOf(invoice)];
  return createHash('sha256').update(JSON.stringify(said)).digest();
}

/** Frozen order: stored hashes depend on it. */
function contentOf(invoice: Invoice): unknown[] {
  return [
    invoice.id,
    invoice.number,
    invoice.customer_id,
    invoice.subscription_id,
    invoice.plan_id,
    invoice.currency,
    invoice.period_start,
    invoice.period_end,
    invoice.line_items,
    invoice.subtotal,
    invoice.tax.rate,
    invoice.tax.amount,
    invoice.total,
    invoice.credits_applied,
    invoice.issued_at,
  ];
}

/** Members of seller and customer are in jsonb's order, which the hash depends on. */
function partiesOf({ seller, customer, replaces }: Invoice): unknown[] {
  return [seller, customer, replaces];
}
