import { createHash } from 'node:crypto';
import type { Group } from '../../domain/pricing/series.ts';
import type { Invoice } from './invoices.ts';

/** Version of the content hash of newly issued invoices. */
export const CONTENT_HASH_VERSION = 5;

/**
 * The version whose hash covers a member first: all that an issued invoice says. Null is what may change after the issue, or is not said.
 * From version 4 on the hash follows this table: a new member is a line at its end, with a new version.
 */
export const SEALED_SINCE: Readonly<Record<keyof Invoice, number | null>> = {
  ...{ object: null, livemode: null, created_at: null, status: null, payment_status: null },
  ...{ amount_due: null, amount_paid: null, balance_applied: null, credited: null, overdue: null },
  ...{ payments: null, payment_reference: null, paid_at: null, credit_notes: null },
  ...{ replaced_by: null, voided_at: null, void_reason: null },
  ...{ id: 1, number: 1, customer_id: 1, subscription_id: 1, plan_id: 1, currency: 1, period_start: 1 },
  ...{ period_end: 1, line_items: 1, subtotal: 1, tax: 1, total: 1, credits_applied: 1, issued_at: 1 },
  ...{ seller: 2, customer: 2, replaces: 2 },
  ...{ due_date: 3, timezone: 3, hide_zero_lines: 3 },
  balance_at_issue: 4,
  kind: 5,
};

/**
 * SHA-256 over everything in an issued invoice that never changes. Invoices keep the hash of the version that they were issued with;
 * versions 1 and 2 omit the treatment of the tax, and version 2 the parts of addresses and the tax ids.
 */
export function contentHash(invoice: Invoice, version = CONTENT_HASH_VERSION): Buffer {
  const said = [
    ...contentOf(invoice),
    ...(version === 1 ? [] : version === 2 ? partiesOf2(invoice) : partiesOf(invoice)),
    ...laterOf(invoice, version),
  ];
  return createHash('sha256').update(JSON.stringify(said)).digest();
}

/** The content in a frozen order: stored hashes depend on it. */
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

/** The members of a group in jsonb's order, by length and then by bytes: lines were read and hashed so before they had that of `group_by`. */
function sealedGroup(group: Group | null): Group | null {
  if (group === null) return null;
  const bytes = (name: string) => Buffer.from(name);
  const names = Object.keys(group).sort(
    (a, b) => bytes(a).length - bytes(b).length || Buffer.compare(bytes(a), bytes(b)),
  );
  return Object.fromEntries(names.map((name) => [name, group[name]!]));
}

/** A line without an invoice item, price and group is as lines were before there were any, whose hashes stand. */
function lineOf(said: Invoice['line_items'][number]): object {
  const { invoice_item, price_index, group, others, ...line } = said;
  const is_all = price_index === null && group === null && !others;
  return {
    ...line,
    ...(invoice_item === null ? {} : { invoice_item }),
    ...(is_all ? {} : { price_index, group: sealedGroup(group), others }),
  };
}

/** Members of seller and customer are in jsonb's order, which the hash depends on. */
function partiesOf(invoice: Invoice): unknown[] {
  const { seller, customer, replaces, tax, due_date, timezone, hide_zero_lines } = invoice;
  return [seller, customer, replaces, tax.treatment, tax.note, due_date, timezone, hide_zero_lines];
}

/** The members since version 4, in the order of the table; `kind` only where it is not `period`. */
function laterOf(invoice: Readonly<Record<string, unknown>>, version: number): unknown[] {
  return Object.entries(SEALED_SINCE)
    .filter(([, since]) => since !== null && since > 3 && since <= version)
    .filter(([member]) => member !== 'kind' || invoice[member] !== 'period')
    .map(([member]) => invoice[member]);
}

/** The parties as the copies were when an address was one text, now `line1`; in jsonb's order. */
function partiesOf2({ seller, customer, replaces }: Invoice): unknown[] {
  const { name, footer, address } = seller;
  const { email, external_id } = customer;
  return [
    { name, footer, address: address?.line1 ?? null },
    { name: customer.name, email, external_id },
    replaces,
  ];
}
