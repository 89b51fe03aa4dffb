import type { Invoice } from '../../src/db/invoices.ts';
import type { Charge } from '../../src/domain/charge.ts';

/** `charges` are those of the plan; `replaces` and `replaced_by` are what those invoices are called. */
export type PrintedInvoice = {
  invoice: Invoice;
  charges: readonly Charge[];
  replaces: string | null;
  replaced_by: string | null;
};

/** What people call an invoice: its number, which a draft has not. */
export function nameOf({ number, id }: Pick<Invoice, 'number' | 'id'>): string {
  return number ?? `draft ${id}`;
}
