import type { Db } from '../db/connection/pool.ts';
import { findAttempt } from '../db/collection/attempt-list.ts';
import { findCreditNote } from '../db/invoicing/credit-notes.ts';
import { findInvoice } from '../db/invoicing/invoices.ts';
import { findPayment } from '../db/invoicing/payments.ts';
import { findStatement } from '../db/invoicing/statements.ts';
import { lockedCustomer } from '../db/customers/customers.ts';
import { countByHand, insertByHand } from '../db/emails/by-hand.ts';
import type { ListedEmail } from '../db/emails/email-list.ts';
import { namedInvoices } from '../db/emails/reminder-stops.ts';
import type { EmailKind } from '../domain/email/kind.ts';
import { recipientsOf } from '../domain/email/addresses.ts';
import { namedNow } from '../domain/email/reminder.ts';
import { conflict, rateLimited } from '../domain/money/errors.ts';

/** Emails that people may send to one customer in an hour. */
export const BY_HAND_MAX = 20;
const RETRY_SECONDS = 60;
const NOTHING_DUE = 'nothing is due of the invoices that the reminder names';

/** Document that a person sends, to these addresses or, null, to those of the customer. */
export type Sending = {
  kind: EmailKind;
  object_id: string;
  /** Those of a reminder that is sent again; other emails are about those of their documents. */
  invoice_ids: readonly string[];
  to: readonly string[] | null;
  by: string;
  resend_of: string | null;
};

type Document = { customer_id: string; invoice_ids: readonly string[] };

/**
 * Writes an email that a person sends, which leaves at once, also of a customer that is muted, and returns its id; null
 * if the document does not exist. Throws conflict `invalid_state` of a draft, a void document, a reversed payment and a
 * statement of nothing, `no_recipient` without any address, and rate_limited beyond BY_HAND_MAX in an hour.
 */
export async function sendByHand(
  db: Db,
  environment_id: number,
  { to, by, resend_of, ...about }: Sending,
): Promise<string | null> {
  const { kind, object_id } = about;
  const document = await documentOf(db, environment_id, about);
  if (document === null) return null;
  const customer = (await lockedCustomer(db, environment_id, document.customer_id))!;
  // Once more under the lock: it may have been voided or reversed meanwhile.
  const { invoice_ids } = (await documentOf(db, environment_id, about))!;
  if (to === null && recipientsOf(customer).length === 0)
    throw conflict('to', 'no_recipient', 'to is absent, and the customer has no address');
  if ((await countByHand(db, environment_id, customer.id)) >= BY_HAND_MAX) throw rateLimited(RETRY_SECONDS);
  return insertByHand(db, environment_id, {
    kind,
    object_id,
    invoice_ids,
    customer_id: customer.id,
    chosen_to: to,
    created_by: by,
    resend_of,
  });
}

/** Sends the document of an email once more. Throws conflict `invalid_state` while the email waits itself. */
export async function resendByHand(
  db: Db,
  environment_id: number,
  { id, kind, object_id, invoice_ids, status, chosen_to }: ListedEmail,
  { to, by }: { to: readonly string[] | null; by: string },
): Promise<string | null> {
  if (status === 'queued')
    throw conflict(null, 'invalid_state', `the email ${id} is queued: it leaves by itself`);
  const about = { kind, object_id, invoice_ids };
  return sendByHand(db, environment_id, { ...about, to: to ?? chosen_to, by, resend_of: id });
}

/**
 * Customer and invoices of a document; null if it does not exist. Throws conflict `invalid_state` for one that is not
 * sent.
 */
async function documentOf(
  db: Db,
  environment_id: number,
  { kind, object_id, invoice_ids }: Pick<Sending, 'kind' | 'object_id' | 'invoice_ids'>,
): Promise<Document | null> {
  switch (kind) {
    case 'invoice': {
      const invoice = await findInvoice(db, environment_id, object_id);
      if (invoice === null) return null;
      if (invoice.status === 'draft' || invoice.status === 'void')
        throw notSent('invoice', object_id, invoice.status);
      return { customer_id: invoice.customer_id, invoice_ids: [object_id] };
    }
    case 'payment_failed': {
      const attempt = await findAttempt(db, environment_id, object_id);
      if (attempt === null) return null;
      const { invoice_id, customer_id } = attempt;
      const { status } = (await findInvoice(db, environment_id, invoice_id))!;
      if (status !== 'open') throw notSent('invoice', invoice_id, status);
      return { customer_id, invoice_ids: [invoice_id] };
    }
    case 'credit_note': {
      const note = await findCreditNote(db, environment_id, object_id);
      if (note === null) return null;
      if (note.status === 'void') throw notSent('credit note', object_id, note.status);
      return { customer_id: note.customer_id, invoice_ids: [note.invoice_id] };
    }
    case 'receipt': {
      const payment = await findPayment(db, environment_id, object_id);
      if (payment === null) return null;
      if (payment.reversed_at !== null) throw notSent('payment', object_id, 'reversed');
      const { invoice_id, customer_id } = payment;
      return { customer_id, invoice_ids: invoice_id === null ? [] : [invoice_id] };
    }
    case 'reminder': {
      const reminded = { customer_id: object_id, invoice_ids, is_by_hand: true };
      const named = namedNow(await namedInvoices(db, environment_id, reminded));
      if ('stop' in named) throw conflict(null, 'invalid_state', NOTHING_DUE);
      return { customer_id: object_id, invoice_ids: named.invoice_ids };
    }
    case 'statement': {
      const found = await findStatement(db, environment_id, object_id);
      if (found === null) return null;
      const { customer_id, data } = found.statement;
      if (data.length === 0) throw conflict(null, 'invalid_state', `customer ${customer_id} owes nothing`);
      return { customer_id: object_id, invoice_ids: data.map(({ invoice_id }) => invoice_id) };
    }
  }
}

function notSent(object: string, id: string, state: string) {
  return conflict(null, 'invalid_state', `${object} ${id} is ${state}, and is not sent`);
}
