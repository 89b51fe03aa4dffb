import type { CreditNoteStatus } from '../../domain/invoice/credit-note.ts';
import type { Db } from '../connection/pool.ts';
import { present, SELECT, type CreditNote, type CreditNoteRow } from './credit-notes.ts';
import { isPrintedIn, printedMonth, widestMonth, type PrintedMonth } from './printed-month.ts';

export type CreditNoteFilter = {
  customer_id: string | null;
  invoice_id: string | null;
  status: CreditNoteStatus | null;
  /** Bounds of issued_at. */
  from: string | null;
  to: string | null;
  /** A month such as 2026-10 instead of them: that of the day of issue, as the note prints it (billing.md 6). */
  issued_month?: string | undefined;
};

/**
 * A filter whose month is instants: the range holds the month of all time zones, and the month is exact for each zone.
 */
export type CreditNoteBounds = Omit<CreditNoteFilter, 'issued_month'> & { issued_in: PrintedMonth | null };

/**
 * The bounds of a filter. For one with a month, it reads the time zones of the notes that may pass, by the index of the
 * range.
 */
export async function boundsOfNotes(
  db: Db,
  environment_id: number,
  { issued_month, ...filter }: CreditNoteFilter,
): Promise<CreditNoteBounds> {
  if (issued_month === undefined) return { ...filter, issued_in: null };
  const { from, to } = widestMonth(issued_month);
  const { rows } = await db.query<{ timezone: string }>(
    `select distinct i.timezone
     from credit_notes k join invoices i on i.environment_id = k.environment_id and i.id = k.invoice_id
     where k.environment_id = $1 and k.issued_at >= $2 and k.issued_at < $3`,
    [environment_id, from, to],
  );
  const timezones = rows.map(({ timezone }) => timezone);
  return { ...filter, from, to, issued_in: printedMonth(issued_month, timezones) };
}

const LIST = `${SELECT} where k.environment_id = $1
   and ($2::text is null or c.external_id = $2 or c.id = $2)
   and ($3::text is null or k.invoice_id = $3)
   and ($4::text is null or k.status = $4)
   and ($5::timestamptz is null or k.issued_at >= $5)
   and ($6::timestamptz is null or k.issued_at < $6)
   and ($7::jsonb is null or ${isPrintedIn('$7::jsonb', 'k.issued_at')})
   and ($8::text is null or k.id < $8)
 order by k.id desc limit $9`;

/** Credit notes, newest first. `customer_id` is the external id or our `cus_` id; the range is half open. */
export async function listCreditNotes(
  db: Db,
  environment_id: number,
  bounds: CreditNoteBounds & { before: string | null; limit: number },
): Promise<CreditNote[]> {
  const { customer_id, invoice_id, status, from, to, issued_in, before, limit } = bounds;
  const values = [environment_id, customer_id, invoice_id, status, from, to, issued_in, before, limit];
  const { rows } = await db.query<CreditNoteRow>(LIST, values);
  return rows.map(present);
}
