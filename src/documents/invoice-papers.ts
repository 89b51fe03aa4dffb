import { findLogo } from '../db/account/logos.ts';
import type { Db } from '../db/connection/pool.ts';
import { findInvoice } from '../db/invoicing/invoices.ts';
import { chargesOfInvoice } from '../db/subscriptions/charges.ts';
import type { Invoice } from '../objects/invoice.ts';
import { nameOf, type PrintedInvoice } from './pdf/printed-invoice.ts';
import { eInvoice } from './xml/e-invoice.ts';
import { invoiceDocument } from './xml/invoice-document.ts';

/** A number as a name that is safe in a header and in a folder: numbers have only letters, digits, - _ . and /. */
export function safeName(number: string): string {
  return number.replaceAll(/[ /]/g, '-');
}

/** The file name of an invoice, of a draft too. */
export function fileNameOf(invoice: Invoice): string {
  return safeName(nameOf(invoice));
}

/** Reads the data that the PDF needs besides the invoice. None of it changes between issue and void. */
export async function printedInvoice(
  db: Db,
  environment_id: number,
  invoice: Invoice,
): Promise<PrintedInvoice> {
  const nameOfOther = async (id: string | null) => {
    const other = id === null ? null : await findInvoice(db, environment_id, id);
    return other === null ? null : nameOf(other);
  };
  return {
    invoice,
    charges: await chargesOfInvoice(db, environment_id, invoice.id),
    logo: await findLogo(db, environment_id, invoice.logo_sha256),
    replaces: await nameOfOther(invoice.replaces),
    replaced_by: await nameOfOther(invoice.replaced_by),
  };
}

/** The e-invoice of an issued invoice. Throws conflict if it has none. */
export async function eInvoiceOf(db: Db, environment_id: number, invoice: Invoice): Promise<Buffer> {
  const charges = await chargesOfInvoice(db, environment_id, invoice.id);
  const replaces = invoice.replaces === null ? null : await findInvoice(db, environment_id, invoice.replaces);
  return eInvoice(invoiceDocument({ invoice, charges, replaces }));
}
