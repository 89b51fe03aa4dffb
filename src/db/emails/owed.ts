import { isZero } from '../../domain/money/figures.ts';
import { dayOf } from '../../domain/time/local-time.ts';
import type { Db } from '../connection/pool.ts';
import { findStatement } from '../invoicing/statements.ts';
import type { EmailDocument } from './documents.ts';

/** Facts of an email about all that a customer owes; `day` is that of the statement, in the customer's time zone. */
export type OwedDocument = EmailDocument & { day: string };

/**
 * Facts of an email about all that a customer owes, by its `cus_` id: a reminder names some of the invoices, and their
 * earliest due date is its own; a statement names none, null, and has its day as its number. Null if there is no such
 * customer.
 */
export async function findOwedDocument(
  db: Db,
  environment_id: number,
  { customer_id, invoice_ids }: { customer_id: string; invoice_ids: readonly string[] | null },
): Promise<OwedDocument | null> {
  const found = await findStatement(db, environment_id, customer_id);
  if (found === null) return null;
  const { statement, timezone, seller, customer } = found;
  const { as_of, currency, amount_due, data } = statement;
  const named = data.filter(({ invoice_id }) => invoice_ids?.includes(invoice_id) ?? false);
  const numbers = named.map(({ number }) => number);
  const day = dayOf(as_of, timezone);
  const is_paid = isZero(amount_due);
  return {
    status: is_paid ? 'paid' : 'open',
    currency,
    number: invoice_ids === null ? day : numbers.join(', '),
    total: amount_due,
    amount_due: is_paid ? null : amount_due,
    due_date: named[0]?.due_date ?? null,
    invoices: numbers,
    replaces: null,
    method: null,
    invoice_id: named.length === 1 ? named[0]!.invoice_id : null,
    customer: customer.name ?? customer.external_id,
    company: seller.name,
    owed: data.map((invoice) => ({ ...invoice, currency })),
    day,
  };
}
