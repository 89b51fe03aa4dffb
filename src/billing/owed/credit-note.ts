import { conflict } from '../../domain/money/errors.ts';
import {
  composeCreditNote,
  type ComposedCreditNote,
  type CreditRequest,
} from '../../domain/invoice/credit-note.ts';
import { readCreditable } from '../../db/invoicing/creditable.ts';
import { refuseClosedMonth } from '../../db/invoicing/closed-months.ts';
import { findCreditNote } from '../../db/invoicing/credit-notes.ts';
import type { CreditNote } from '../../objects/credit-note.ts';
import { invalidState } from '../../db/invoicing/owed.ts';
import { findInvoice } from '../../db/invoicing/invoices.ts';
import type { Invoice } from '../../objects/invoice.ts';
import type { Subscription } from '../../domain/subscription/subscription.ts';
import { lockCustomerAndSubscription } from '../../db/subscriptions/subscription-context.ts';
import type { Db } from '../../db/connection/pool.ts';
import { issueNote, voidNote } from '../notes/issue-note.ts';
import { creditOwedTime } from '../close/unused-time.ts';

type Locked = { invoice: Invoice; subscription: Subscription };

/**
 * Issues a credit note for an open or paid invoice: reduces what is due, and moves the rest to the customer's balance
 * or marks it as paid back outside. Returns null if the invoice does not exist. Throws conflict `invalid_state` if the
 * invoice is a draft or void, or has less left to credit (composeCreditNote), or if live documents wait for the count
 * of numbers.
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
  const note = composeCreditNote(await readCreditable(db, environment_id, invoice), request);
  const id = await issueNote(db, subscription, { ...note, invoice_id, reason, cause_invoice_id: null, by });
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
  const invoice_before = await findInvoice(db, environment_id, invoice_id);
  if (invoice_before === null) return null;
  const subscription = (await lockCustomerAndSubscription(
    db,
    environment_id,
    invoice_before.subscription_id,
  ))!;
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
 * Voids a credit note: the amount that it took off its invoice is due again, and what it gave is withdrawn from the
 * balance (withdraw). Unused time of fees that the invoice had too little left for is credited then (billing.md 10).
 * Returns null if the note does not exist. Throws conflict `invalid_state` if it is automatic or void already, or if
 * what it gave was paid out, and `month_closed` if its month is closed.
 */
export async function voidCreditNote(
  db: Db,
  environment_id: number,
  { id, reason, by }: { id: string; reason: string | null; by: string },
): Promise<CreditNote | null> {
  const note = await findCreditNote(db, environment_id, id);
  if (note === null) return null;
  const { subscription_id } = (await findInvoice(db, environment_id, note.invoice_id))!;
  const subscription = (await lockCustomerAndSubscription(db, environment_id, subscription_id))!;
  if (note.automatic)
    throw conflict(
      null,
      'invalid_state',
      `credit note ${id} is automatic: it is void with its invoice alone`,
    );
  await refuseClosedMonth(db, environment_id, { kind: 'credit note', id });
  await voidNote(db, subscription, { note, reason, by, fault: `credit note ${id} cannot be voided` });
  await creditOwedTime(db, subscription, [note.invoice_id]);
  return findCreditNote(db, environment_id, id);
}
