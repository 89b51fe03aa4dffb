import type { Invoice } from '../../objects/invoice.ts';
import type { Charge } from '../../domain/pricing/charge.ts';

/**
 * An invoice, the `charges` of its plan, the PNG file of its logo, and the names (nameOf) of the invoices that it
 * `replaces` and is `replaced_by`.
 */
export type PrintedInvoice = {
  invoice: Invoice;
  charges: readonly Charge[];
  logo: Uint8Array | null;
  replaces: string | null;
  replaced_by: string | null;
};

/** Name of an invoice for people: its number or, for a draft, which has none, "draft" and its id. */
export function nameOf({ number, id }: Pick<Invoice, 'number' | 'id'>): string {
  return number ?? `draft ${id}`;
}
