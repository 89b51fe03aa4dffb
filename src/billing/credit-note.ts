import { conflict } from '../domain/errors.ts';
import { negated } from '../domain/figures.ts';
import { composeCreditNote, type ComposedCreditNote, type CreditRequest } from '../domain/credit-note.ts';
import { newId } from '../ids.ts';
import { moveBalance } from '../db/invoicing/balance.ts';
import {
  findCreditNote,
  insertCreditNote,
  markCreditNoteVoid,
  readCreditable,
  type CreditNote,
} from '../db/invoicing/credit-notes.ts';
import { changeOwed, invalidState } from '../db/invoicing/owed.ts';
import { findInvoice, type Invoice } from '../db/invoicing/invoices.ts';
import { numberingRefusal } from '../db/invoicing/numbering.ts';
import type { Subscription } from '../domain/subscription.ts';
import { lockCustomerAndSubscription } from '../db/subscriptions/subscription-context.ts';
import type { Db } from '../db/connection/pool.ts';
import { withdraw } from './withdraw.ts';

type Locked = { invoice: Invoice; subscription: Subscription };

/**
 * Issues a credit note for an open or paid invoice: reduces what is due, and moves the rest to the customer's balance or marks it as paid
 * back outside. Returns null if the invoice does not exist. Throws conflict `invalid_state` if the invoice is a draft or void, or has less
 * left to credit (composeCreditNote), or if live documents wait for the count of numbers.
 */
export async function issueCreditNote(
  db: Db,
  environment_id: number,
  invoice_id: string,
  { reason, by, ...request }: CreditRequest & { reason: string; by: string },
): Promise<CreditNote | null> {
  const locked = await lockIssued(db, environment_id, invoice_id);
  if (locked === null) return null;
  const { invoice, subscription } = locked;
  const { now, customer_id } = subscription;
  const note = composeCreditNote(await readCreditable(db, environment_id, invoice), request);
  const id = newId('cn');
  const is_numbered = await insertCreditNote(db, environment_id, {
    ...{ id, invoice_id, reason, issued_at: now, created_by: by },
    ...note,
  });
  if (!is_numbered) throw (await numberingRefusal(db, environment_id))!;
  await changeOwed(db, environment_id, { invoice_id, credited: note.to_invoice });
  const entry = { id: newId('bal'), customer_id, type: 'credit_note', amount: note.to_balance } as const;
  await moveBalance(db, environment_id, { ...entry, reason, invoice_id, credit_note_id: id, at: now, by });
  return findCreditNote(db, environment_id, id);
}

/** The credit note that issueCreditNote would issue now; nothing is stored. */
export async function previewCreditNote(
  db: Db,
  environment_id: number,
  invoice_id: string,
  request: CreditRequest,
): Promise<{ invoice: Invoice; note: ComposedCreditNote } | null> {
  const invoice = await findInvoice(db, environment_id, invoice_id);
  if (invoice === null) return null;
  refuseUnlessIssued(invoice);
  return { invoice, note: composeCreditNote(await readCreditable(db, environment_id, invoice), request) };
}

async function lockIssued(db: Db, environment_id: number, invoice_id: string): Promise<Locked | null> {
  const found = await findInvoice(db, environment_id, invoice_id);
  if (found === null) return null;
  const subscription = (await lockCustomerAndSubscription(db, environment_id, found.subscription_id))!;
  // Read again: it may have changed while this transaction waited for the lock.
  const invoice = (await findInvoice(db, environment_id, invoice_id))!;
  refuseUnlessIssued(invoice);
  return { invoice, subscription };
}

function refuseUnlessIssued({ id, status }: Invoice): void {
  if (status === 'draft' || status === 'void')
    throw invalidState(id, `is ${status}; only an issued invoice can be credited`);
}

/**
 * Voids a credit note: the amount that it took off its invoice is due again, and what it gave is withdrawn from the balance (withdraw).
 * Returns null if the note does not exist. Throws conflict `invalid_state` if it is void already, or if what it gave was paid out.
 */
export async function voidCreditNote(
  db: Db,
  environment_id: number,
  { id, reason, by }: { id: string; reason: string | null; by: string },
): Promise<CreditNote | null> {
  const note = await findCreditNote(db, environment_id, id);
  if (note === null) return null;
  const { invoice_id, to_invoice, to_balance } = note;
  const { subscription_id } = (await findInvoice(db, environment_id, invoice_id))!;
  const { now, customer_id } = (await lockCustomerAndSubscription(db, environment_id, subscription_id))!;
  if (!(await markCreditNoteVoid(db, environment_id, { id, reason, at: now, by })))
    throw conflict(null, 'invalid_state', `credit note ${id} is void already`);
  await changeOwed(db, environment_id, { invoice_id, credited: negated(to_invoice) });
  await withdraw(db, environment_id, {
    ...{ customer_id, amount: to_balance, invoice_id, credit_note_id: id, at: now, by },
    ...(reason === null ? {} : { reason }),
    type: 'credit_note',
    fault: `credit note ${id} cannot be voided`,
  });
  return findCreditNote(db, environment_id, id);
}
