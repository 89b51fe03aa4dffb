import { conflict } from '../../domain/money/errors.ts';
import { negated } from '../../domain/money/figures.ts';
import type { ComposedCreditNote } from '../../domain/invoice/credit-note.ts';
import type { Subscription } from '../../domain/subscription/subscription.ts';
import { moveBalance } from '../../db/invoicing/balance.ts';
import {
  automaticNotesWith,
  insertCreditNote,
  markCreditNoteVoid,
  type CreditNote,
} from '../../db/invoicing/credit-notes.ts';
import { changeOwed, uncreditVoid } from '../../db/invoicing/owed.ts';
import { numberingRefusal } from '../../db/invoicing/numbering.ts';
import type { Db } from '../../db/connection/pool.ts';
import { newId } from '../../keys/ids.ts';
import { withdraw } from './withdraw.ts';

type NewNote = ComposedCreditNote & {
  invoice_id: string;
  reason: string;
  /** The invoice whose late lines it settles, for an automatic note. */
  cause_invoice_id: string | null;
  /** The key or the session; null for an automatic note. */
  by: string | null;
};

/**
 * Issues a composed credit note: reduces what is due, and moves the rest to the customer's balance. Returns its id. The
 * caller holds the locks of customer and subscription. Throws conflict `invalid_state` if live documents wait for the
 * count of numbers.
 */
export async function issueNote(
  db: Db,
  { environment_id, customer_id, now }: Subscription,
  { by, ...note }: NewNote,
): Promise<string> {
  const { invoice_id, reason } = note;
  const id = newId('cn');
  const is_numbered = await insertCreditNote(db, environment_id, {
    id,
    issued_at: now,
    created_by: by,
    ...note,
  });
  if (!is_numbered) throw (await numberingRefusal(db, environment_id))!;
  await changeOwed(db, environment_id, { invoice_id, credited: note.to_invoice });
  const entry = { id: newId('bal'), customer_id, type: 'credit_note', amount: note.to_balance } as const;
  await moveBalance(db, environment_id, { ...entry, reason, invoice_id, credit_note_id: id, at: now, by });
  return id;
}

/**
 * Voids a credit note: the amount that it took off its invoice is due again, unless that is void, and what it gave is
 * withdrawn from the balance (withdraw). Throws conflict `invalid_state` if it is void already, or if what it gave was
 * paid out.
 */
export async function voidNote(
  db: Db,
  { environment_id, customer_id, now: at }: Subscription,
  { note, reason, by, fault }: { note: CreditNote; reason: string | null; by: string | null; fault: string },
): Promise<void> {
  const { id, invoice_id, to_invoice, to_balance } = note;
  if (!(await markCreditNoteVoid(db, environment_id, { id, reason, at, by })))
    throw conflict(null, 'invalid_state', `credit note ${id} is void already`);
  const is_due_again = !(await uncreditVoid(db, environment_id, { invoice_id, amount: to_invoice }));
  if (is_due_again) await changeOwed(db, environment_id, { invoice_id, credited: negated(to_invoice) });
  await withdraw(db, environment_id, {
    customer_id,
    amount: to_balance,
    invoice_id,
    credit_note_id: id,
    at,
    by,
    ...(reason === null ? {} : { reason }),
    type: 'credit_note',
    fault,
  });
}

/**
 * Voids the automatic credit notes of a void invoice: those on it, and those that settle its late lines (billing.md 7).
 * Returns the invoices that they credited.
 */
export async function voidAutomaticNotes(
  db: Db,
  subscription: Subscription,
  { id: invoice_id, reason }: { id: string; reason: string | null },
): Promise<string[]> {
  const fault = `invoice ${invoice_id} cannot become void`;
  const notes = await automaticNotesWith(db, subscription.environment_id, invoice_id);
  for (const note of notes) await voidNote(db, subscription, { note, reason, by: null, fault });
  return notes.map((note) => note.invoice_id);
}
