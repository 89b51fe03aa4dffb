import { createHash } from 'node:crypto';
import type { Invoice } from './invoices.ts';

/** What new invoices are sealed with. */
export const CONTENT_HASH_VERSION = 2;

/**
 * SHA-256 over what an issued invoice says for good: everything but payment, void and what replaced it. Version 1 covers neither
 * seller nor customer nor the invoice that this one replaces; invoices that were sealed with it keep that hash.
 */
export function contentHash(invoice: Invoice, version = CONTENT_HASH_VERSION): Buffer {
  const said = version === 1 ? contentOf(invoice) : [...contentOf(invoice), ...partiesOf(invoice)];
  return createHash('sha256').update(JSON.stringify(said)).digest();
}

/** The order is frozen. */
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

/** Members of both in the order in which jsonb keeps them. */
function partiesOf({ seller, customer, replaces }: Invoice): unknown[] {
  return [seller, customer, replaces];
}
