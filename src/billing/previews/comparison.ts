import { compareBills, type Bill } from '../../domain/comparison/comparison.ts';
import { conflict, invalid, notFound } from '../../domain/money/errors.ts';
import type { BillingSettings } from '../../domain/subscription/subscription.ts';
import { findEarlierInvoice, type LaterInvoice } from '../../db/invoicing/earlier-invoice.ts';
import { findInvoice } from '../../db/invoicing/invoices.ts';
import { chargesById } from '../../db/subscriptions/charges.ts';
import type { Db } from '../../db/connection/pool.ts';
import type { Invoice } from '../../objects/invoice.ts';
import type { InvoiceComparison } from '../../objects/invoice-comparison.ts';
import { composeUpcoming } from './upcoming-invoice.ts';

/** The invoice to compare with, null for the one before; `shows_drafts` is false for a payer, who sees no drafts. */
export type ComparedWith = { with_id: string | null; shows_drafts: boolean };

/**
 * Compares an invoice, a draft too, with another one of its customer. Null if the invoice does not exist. Throws
 * not_found `no_earlier_invoice` and `unknown_invoice`, invalid_request `not_allowed` for itself, and conflict
 * `invalid_state` for a draft to compare with.
 */
export async function compareInvoice(
  db: Db,
  environment_id: number,
  invoice_id: string,
  how: ComparedWith,
): Promise<InvoiceComparison | null> {
  const invoice = await findInvoice(db, environment_id, invoice_id);
  return invoice && compared(db, environment_id, invoice, await otherOf(db, environment_id, invoice, how));
}

/**
 * Compares the next invoice of a subscription, as it would be now, likewise. Null if the subscription does not exist.
 * The caller provides one snapshot. Throws conflict `invalid_state` if no invoice will follow.
 */
export async function compareUpcoming(
  db: Db,
  environment_id: number,
  subscription_id: string,
  { settings, ...how }: ComparedWith & { settings: BillingSettings },
): Promise<InvoiceComparison | null> {
  const upcoming = await composeUpcoming(db, environment_id, subscription_id, settings);
  if (upcoming === null) return null;
  const bill = { ...upcoming, id: null };
  return compared(db, environment_id, bill, await otherOf(db, environment_id, bill, how));
}

/** A bill with its lines, and whose it is; its id is null while it is not made. */
type ComparedBill = Bill & LaterInvoice & Pick<Invoice, 'customer_id' | 'currency'>;

async function otherOf(
  db: Db,
  environment_id: number,
  bill: ComparedBill,
  { with_id, shows_drafts }: ComparedWith,
): Promise<Invoice> {
  if (with_id === null) {
    const earlier = await findEarlierInvoice(db, environment_id, bill);
    if (earlier !== null) return earlier;
    throw notFound(null, 'no_earlier_invoice', 'the subscription has no earlier invoice of this kind');
  }
  if (with_id === bill.id)
    throw invalid('with', 'not_allowed', 'with must not be the invoice that is compared');
  const other = await findInvoice(db, environment_id, with_id);
  const is_draft = other?.status === 'draft';
  const is_seen = is_draft ? shows_drafts : other?.issued_at !== null;
  if (other === null || other.customer_id !== bill.customer_id || !is_seen)
    throw notFound('with', 'unknown_invoice', 'with does not match any issued invoice of the customer');
  if (is_draft) throw conflict('with', 'invalid_state', 'with is a draft: it has no final amounts yet');
  return other;
}

/** Compares two bills of one customer, which are in one currency. */
export async function compared(
  db: Db,
  environment_id: number,
  bill: Bill & Pick<ComparedBill, 'id' | 'currency'>,
  other: Invoice,
): Promise<InvoiceComparison> {
  const { currency } = bill;
  const charge_ids = [...bill.line_items, ...other.line_items].flatMap(({ charge_id }) => charge_id ?? []);
  const charges = await chargesById(db, environment_id, [...new Set(charge_ids)]);
  return {
    object: 'invoice_comparison',
    invoice_id: bill.id,
    with_invoice_id: other.id,
    currency,
    ...compareBills(bill, other, { charges, currency }),
  };
}
