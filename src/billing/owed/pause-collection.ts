import { endPause, writePause, type NewPause } from '../../db/customers/collection-pauses.ts';
import { lockedTerms, type CustomerTerms } from '../../db/customers/customer-terms.ts';
import { findCustomer } from '../../db/customers/customers.ts';
import { findInvoice } from '../../db/invoicing/invoices.ts';
import { invalidState } from '../../db/invoicing/owed.ts';
import type { Db } from '../../db/connection/pool.ts';
import { pauseEndsAt, type PauseReason } from '../../domain/invoice/collection-pause.ts';
import { conflict } from '../../domain/money/errors.ts';
import type { Customer } from '../../objects/customer.ts';
import type { Invoice } from '../../objects/invoice.ts';

/** A pause that a person asks for; `until` is its last day, null for none. `by` is a key or a session. */
export type PauseRequest = { reason: PauseReason; until: string | null; note: string | null; by: string };

/**
 * Pauses the collection of an open invoice: no reminder and no charge goes out by itself (billing.md 18). Returns null
 * if the invoice does not exist. Throws conflict `invalid_state` if it is paused or not open, and invalid_request
 * `out_of_range` for a last day before today or too far ahead.
 */
export async function pauseInvoice(
  db: Db,
  environment_id: number,
  id: string,
  request: PauseRequest,
): Promise<Invoice | null> {
  const terms = await termsOfInvoice(db, environment_id, id);
  if (terms === null) return null;
  const is_paused = await writePause(db, environment_id, { row: 'i', id }, newPause(request, terms));
  const invoice = (await findInvoice(db, environment_id, id))!;
  if (is_paused) return invoice;
  const { status } = invoice;
  throw invalidState(id, status === 'open' ? 'is paused already' : `is ${status} and cannot be paused`);
}

/** Ends the pause of an invoice; null if it does not exist. Throws conflict `invalid_state` if it is not paused. */
export async function resumeInvoice(db: Db, environment_id: number, id: string): Promise<Invoice | null> {
  const terms = await termsOfInvoice(db, environment_id, id);
  if (terms === null) return null;
  if (!(await endPause(db, environment_id, { row: 'i', id }, terms.now)))
    throw invalidState(id, 'is not paused');
  return findInvoice(db, environment_id, id);
}

/**
 * Pauses the collection of all that a customer owes, by its external id or our `cus_` id; null if it does not exist.
 * Throws conflict `invalid_state` if it is paused, and invalid_request as pauseInvoice does.
 */
export async function pauseCustomer(
  db: Db,
  environment_id: number,
  id_or_external_id: string,
  request: PauseRequest,
): Promise<Customer | null> {
  const terms = await lockedTerms(db, environment_id, id_or_external_id);
  if (terms === null) return null;
  const { id } = terms;
  if (!(await writePause(db, environment_id, { row: 'c', id }, newPause(request, terms))))
    throw conflict(null, 'invalid_state', `customer ${id} is paused already`);
  return findCustomer(db, environment_id, id);
}

/** Ends the pause of a customer, as resumeInvoice does. */
export async function resumeCustomer(
  db: Db,
  environment_id: number,
  id_or_external_id: string,
): Promise<Customer | null> {
  const terms = await lockedTerms(db, environment_id, id_or_external_id);
  if (terms === null) return null;
  const { id, now } = terms;
  if (!(await endPause(db, environment_id, { row: 'c', id }, now)))
    throw conflict(null, 'invalid_state', `customer ${id} is not paused`);
  return findCustomer(db, environment_id, id);
}

/** Locks the customer of an invoice, and reads its terms; null if the invoice does not exist. */
async function termsOfInvoice(db: Db, environment_id: number, id: string): Promise<CustomerTerms | null> {
  const invoice = await findInvoice(db, environment_id, id);
  return invoice === null ? null : lockedTerms(db, environment_id, invoice.customer_id);
}

function newPause({ reason, until, note, by }: PauseRequest, terms: CustomerTerms): NewPause {
  const ends_at = pauseEndsAt(until, terms);
  return { reason, until, ends_at, note, created_at: terms.now, created_by: by };
}
