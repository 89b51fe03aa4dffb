import { createHash } from 'node:crypto';
import type { Invoice } from './invoices.ts';

/** Version of the content hash of newly issued invoices. */
export const CONTENT_HASH_VERSION = 4;

/**
 * SHA-256 over everything in an issued invoice that never changes: all but payments, balance, credit notes, void and `replaced_by`. Invoices keep the hash of the
 * version that they were issued with: version 1 omits seller, customer and `replaces`; version 2 their addresses in parts, tax ids and
 * treatment, the due date and the zone; version 3 what the balance covered at the issue.
 */
export function contentHash(invoice: Invoice, version = CONTENT_HASH_VERSION): Buffer {
  const said = [
    ...contentOf(invoice),
    ...(version === 1 ? [] : version === 2 ? partiesOf2(invoice) : partiesOf(invoice)),
    ...(version < 4 ? [] : [invoice.balance_at_issue]),
  ];
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
    invoice.line_items.map(lineOf),
    invoice.subtotal,
    invoice.tax.rate,
    invoice.tax.amount,
    invoice.total,
    invoice.credits_applied,
    invoice.issued_at,
  ];
}

/** A line without an invoice item, price and group is as lines were before there were any, whose hashes stand. */
function lineOf(said: Invoice['line_items'][number]): object {
  const { invoice_item, price_index, group, others, ...line } = said;
  const is_all = price_index === null && group === null && !others;
  return {
    ...line,
    ...(invoice_item === null ? {} : { invoice_item }),
    ...(is_all ? {} : { price_index, group, others }),
  };
}

/** Members of seller and customer are in jsonb's order, which the hash depends on. */
function partiesOf(invoice: Invoice): unknown[] {
  const { seller, customer, replaces, tax, due_date, timezone, hide_zero_lines } = invoice;
  return [seller, customer, replaces, tax.treatment, tax.note, due_date, timezone, hide_zero_lines];
}

/** As the copies were when an address was one text, now `line1`; in jsonb's order. */
function partiesOf2({ seller, customer, replaces }: Invoice): unknown[] {
  const { name, footer, address } = seller;
  const { email, external_id } = customer;
  return [
    { name, footer, address: address?.line1 ?? null },
    { name: customer.name, email, external_id },
    replaces,
  ];
}
