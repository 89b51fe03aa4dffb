import { createHash } from 'node:crypto';
import type { TaxColumns } from './invoices.ts';
import { IS_AUTOMATIC } from './amount-due.ts';
import { MAY_NUMBER } from './numbering.ts';
import type { CreditNote } from '../../objects/credit-note.ts';
import type { Db } from '../connection/pool.ts';

export type CreditNoteRow = Omit<CreditNote, 'tax'> & TaxColumns;

export const SELECT = `
  select k.id, 'credit_note' as object, n.livemode, k.issued_at as created_at, k.full_number as number, k.status,
    ${IS_AUTOMATIC} as automatic, k.invoice_id, i.full_number as invoice_number, c.external_id as customer_id,
    i.currency, i.timezone, (
      select jsonb_agg(jsonb_build_object('line_item_id', l.line_item_id, 'description', li.description,
        'amount', l.amount::text) order by l.position)
      from credit_note_lines l join line_items li on li.environment_id = l.environment_id and li.id = l.line_item_id
      where l.environment_id = k.environment_id and l.credit_note_id = k.id) as lines,
    k.subtotal::text as subtotal, trim_scale(i.tax_rate)::text as tax_rate, k.tax_amount::text as tax_amount,
    i.tax_treatment, i.tax_note, k.total::text as total, k.to_invoice::text as to_invoice,
    k.to_balance::text as to_balance, k.outside::text as outside, k.reason, k.issued_at, k.sent_at, k.created_by,
    k.voided_at, k.void_reason, k.voided_by, i.seller, i.customer
  from credit_notes k
  join invoices i on i.environment_id = k.environment_id and i.id = k.invoice_id
  join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
  join environments n on n.id = k.environment_id`;

/** The credit notes with these ids, in any order. */
export async function readCreditNotes(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<CreditNote[]> {
  const { rows } = await db.query<CreditNoteRow>(`${SELECT} where k.environment_id = $1 and k.id = any($2)`, [
    environment_id,
    ids,
  ]);
  return rows.map(present);
}

/** A credit note by its id; null if it does not exist. */
export async function findCreditNote(db: Db, environment_id: number, id: string): Promise<CreditNote | null> {
  return (await readCreditNotes(db, environment_id, [id]))[0] ?? null;
}

/** The credit note with a number such as `CN-000012`, in any case; null if there is none. */
export async function findCreditNoteNumbered(
  db: Db,
  environment_id: number,
  number: string,
): Promise<CreditNote | null> {
  const { rows } = await db.query<CreditNoteRow>(
    `${SELECT} where k.environment_id = $1 and k.full_number = upper($2)`,
    [environment_id, number],
  );
  return rows.map(present)[0] ?? null;
}

/** All credit notes of these invoices, by id. */
export async function creditNotesOf(
  db: Db,
  environment_id: number,
  invoice_ids: readonly string[],
): Promise<CreditNote[]> {
  const { rows } = await db.query<CreditNoteRow>(
    `${SELECT} where k.environment_id = $1 and k.invoice_id = any($2) order by k.id`,
    [environment_id, invoice_ids],
  );
  return rows.map(present);
}

/** The automatic credit notes that stand on an invoice or settle its late lines, the last one first. */
export async function automaticNotesWith(
  db: Db,
  environment_id: number,
  invoice_id: string,
): Promise<CreditNote[]> {
  const { rows } = await db.query<CreditNoteRow>(
    `${SELECT} where k.environment_id = $1 and (k.invoice_id = $2 or k.cause_invoice_id = $2)
       and ${IS_AUTOMATIC} and k.status = 'issued' order by k.number desc`,
    [environment_id, invoice_id],
  );
  return rows.map(present);
}

/** The automatic credit notes of a subscription with an id after `before`, in the order of issue. */
export async function automaticNotesSince(
  db: Db,
  { environment_id, subscription_id }: { environment_id: number; subscription_id: string },
  before: string,
): Promise<CreditNote[]> {
  const { rows } = await db.query<CreditNoteRow>(
    `${SELECT} where k.environment_id = $1 and i.subscription_id = $2 and k.id > $3 and ${IS_AUTOMATIC}
     order by k.number`,
    [environment_id, subscription_id, before],
  );
  return rows.map(present);
}

export function present({
  tax_rate,
  tax_amount,
  tax_treatment,
  tax_note,
  ...row
}: CreditNoteRow): CreditNote {
  return { ...row, tax: { rate: tax_rate, amount: tax_amount, treatment: tax_treatment, note: tax_note } };
}

export type NewCreditNote = Pick<
  CreditNote,
  | 'id'
  | 'invoice_id'
  | 'subtotal'
  | 'total'
  | 'to_invoice'
  | 'to_balance'
  | 'outside'
  | 'reason'
  | 'issued_at'
  | 'created_by'
> & {
  /** The invoice with which an automatic note is void too. */
  cause_invoice_id: string | null;
  tax: string;
  lines: readonly { line_item_id: string; amount: string }[];
};

/**
 * Inserts a credit note and seals its content. Takes its number from the environment's counter in the same transaction,
 * so that a rollback returns it. Returns false if numbers may not be given now (numberingRefusal).
 */
export async function insertCreditNote(
  db: Db,
  environment_id: number,
  note: NewCreditNote,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `with counter as (
       update environments set last_credit_note_number = last_credit_note_number + 1 where id = $1 and ${MAY_NUMBER}
       returning last_credit_note_number as number
     )
     insert into credit_notes (environment_id, id, invoice_id, status, number, full_number, subtotal, tax_amount, total,
       to_invoice, to_balance, outside, reason, issued_at, created_by, cause_invoice_id)
     select $1, $2, $3, 'issued', number, 'CN-' || lpad(number::text, greatest(6, length(number::text)), '0'), $4, $5,
       $6, $7, $8, $9, $10, $11, $12, $13
     from counter`,
    [
      environment_id,
      note.id,
      note.invoice_id,
      note.subtotal,
      note.tax,
      note.total,
      note.to_invoice,
      note.to_balance,
      note.outside,
      note.reason,
      note.issued_at,
      note.created_by,
      note.cause_invoice_id,
    ],
  );
  if (rowCount !== 1) return false;
  await db.query(
    `insert into credit_note_lines (environment_id, credit_note_id, position, line_item_id, amount)
     select $1, $2, position, line_item_id, amount
     from unnest($3::text[], $4::numeric[]) with ordinality as line(line_item_id, amount, position)`,
    [
      environment_id,
      note.id,
      note.lines.map(({ line_item_id }) => line_item_id),
      note.lines.map(({ amount }) => amount),
    ],
  );
  const stored = (await findCreditNote(db, environment_id, note.id))!;
  await db.query('update credit_notes set content_hash = $3 where environment_id = $1 and id = $2', [
    environment_id,
    note.id,
    hashOfCreditNote(stored),
  ]);
  return true;
}

/**
 * Whether the content hash covers a member: all but its void, who issued it, when it was sent, and what another member
 * says. A further one needs versions first, as the hash of an invoice has.
 */
export const IS_SEALED: Readonly<Record<keyof CreditNote, boolean>> = {
  object: false,
  livemode: false,
  created_at: false,
  created_by: false,
  automatic: false,
  status: false,
  voided_at: false,
  void_reason: false,
  voided_by: false,
  sent_at: false,
  id: true,
  number: true,
  invoice_id: true,
  invoice_number: true,
  customer_id: true,
  currency: true,
  timezone: true,
  lines: true,
  subtotal: true,
  tax: true,
  total: true,
  to_invoice: true,
  to_balance: true,
  outside: true,
  reason: true,
  issued_at: true,
  seller: true,
  customer: true,
};

/**
 * SHA-256 over everything in a credit note that never changes. Stored hashes depend on the order of IS_SEALED and of
 * the tax.
 */
export function hashOfCreditNote({ tax, ...note }: CreditNote): Buffer {
  const members: Readonly<Record<string, unknown>> = note;
  const said = Object.entries(IS_SEALED)
    .filter(([, is_sealed]) => is_sealed)
    .flatMap(([member]) =>
      member === 'tax' ? [tax.rate, tax.amount, tax.treatment, tax.note] : [members[member]],
    );
  return createHash('sha256').update(JSON.stringify(said)).digest();
}

/** Moves a note from issued to void. Returns false if the note was void already. */
export async function markCreditNoteVoid(
  db: Db,
  environment_id: number,
  voiding: { id: string; reason: string | null; at: string; by: string | null },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update credit_notes set status = 'void', voided_at = $3, void_reason = $4, voided_by = $5
     where environment_id = $1 and id = $2 and status = 'issued'`,
    [environment_id, voiding.id, voiding.at, voiding.reason, voiding.by],
  );
  return rowCount === 1;
}
