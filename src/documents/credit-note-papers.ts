import { findLogo } from '../db/account/logos.ts';
import type { Db } from '../db/connection/pool.ts';
import type { CreditNote } from '../objects/credit-note.ts';
import type { Invoice } from '../objects/invoice.ts';
import type { PrintedNote } from './pdf/credit-note-pdf.ts';

/** A credit note with the logo of its invoice. */
export async function printedNote(
  db: Db,
  environment_id: number,
  { note, invoice }: { note: CreditNote; invoice: Invoice },
): Promise<PrintedNote> {
  return { note, logo: await findLogo(db, environment_id, invoice.logo_sha256) };
}
