import { isChargeable } from '../domain/collection/minor-amount.ts';
import { conflict, notFound } from '../domain/money/errors.ts';
import { insertAttempt } from '../db/collection/attempts.ts';
import { findAttemptByKey } from '../db/collection/attempt-list.ts';
import {
  findMethodToCharge,
  readChargeTerms,
  type ChargedMethod,
  type ChargeTerms,
} from '../db/collection/charge-terms.ts';
import { noteBegun, type PlanKey } from '../db/collection/plans.ts';
import { transaction, type Act, type Db, type Pool } from '../db/connection/pool.ts';
import { findInvoice } from '../db/invoicing/invoices.ts';
import { invalidState } from '../db/invoicing/owed.ts';
import { lockCustomersOf } from '../db/subscriptions/subscription-context.ts';
import { newId } from '../keys/ids.ts';
import { closePages } from './close-pages.ts';
import type { ProviderOpener } from './opened.ts';

/** `payment_method_id` null is the default one. `request_key`: the Idempotency-Key, null without one. */
export type ChargeRequest = {
  invoice_id: string;
  payment_method_id: string | null;
  by: string;
  request_key: string | null;
};

/** A new attempt: of a person, who is `created_by`, or of the schedule, planned for `at`. */
type Beginning = Pick<ChargeRequest, 'payment_method_id' | 'request_key'> &
  ({ by: 'person'; created_by: string; at: null } | { by: 'schedule'; created_by: null; at: string });

/** Parts with which a charge begins, and whose act it is. */
type ByHand = { pool: Pool; providerOf: ProviderOpener; act: Act };

/**
 * Begins an attempt to charge an open invoice for a person, as beginCharge does, once the page on which it is paid is
 * closed. A charge that is refused closes none. Returns the id of the attempt; null if the invoice does not exist.
 * Throws ProviderError too.
 */
export async function chargeByHand(
  { pool, providerOf, act }: ByHand,
  environment_id: number,
  request: ChargeRequest,
): Promise<string | null> {
  const begin = () => transaction(pool, (db) => beginCharge(db, environment_id, request), { act });
  const { invoice_id } = request;
  const first = await begin();
  if (first === null || first.attempt_id !== null) return first?.attempt_id ?? null;
  await closePages({ pool, providerOf }, { environment_id, invoice_id });
  const second = await begin();
  if (second === null || second.attempt_id === null)
    throw conflict(null, 'charge_in_progress', `a payment of invoice ${invoice_id} by a page is under way`);
  return second.attempt_id;
}

/** Id of an attempt that has begun; null if a page is open, which has to be closed first (closePages). */
type Begun = { attempt_id: string | null };

/**
 * Begins an attempt to charge an open invoice for a person, of what is due; its workflow does the rest. A `request_key`
 * that comes again has the attempt of its first request. Returns null if the invoice does not exist. Throws conflict
 * `invalid_state` (a draft, void, paid), `not_chargeable`, `charge_in_progress`, `paused` and `no_payment_method`, and
 * not_found for a method that the customer does not have.
 */
export async function beginCharge(
  db: Db,
  environment_id: number,
  { invoice_id, payment_method_id, by, request_key }: ChargeRequest,
): Promise<Begun | null> {
  const invoice_before = await findInvoice(db, environment_id, invoice_id);
  if (invoice_before === null) return null;
  await lockCustomersOf(db, environment_id, [invoice_before.subscription_id]);
  const earlier = request_key === null ? null : await findAttemptByKey(db, environment_id, request_key);
  if (earlier !== null) return { attempt_id: earlier };
  return begin(
    db,
    { environment_id, invoice_id },
    { payment_method_id, by: 'person', created_by: by, request_key, at: null },
  );
}

/**
 * Begins the charge of a plan with the default method. The caller holds the lock of the customer, under which it has
 * seen that nothing is in its way.
 */
export function beginPlannedCharge(db: Db, key: PlanKey, at: string): Promise<Begun> {
  return begin(db, key, { payment_method_id: null, by: 'schedule', created_by: null, request_key: null, at });
}

/** Begins an attempt under the lock of the customer. Throws as beginCharge does. */
async function begin(db: Db, { environment_id, invoice_id }: PlanKey, beginning: Beginning): Promise<Begun> {
  const { payment_method_id: method_id, by } = beginning;
  // Read under the lock: it may have been paid meanwhile.
  const invoice = (await findInvoice(db, environment_id, invoice_id))!;
  if (invoice.status !== 'open') throw invalidState(invoice_id, `is ${invoice.status} and cannot be charged`);
  const { amount_due, currency } = invoice;
  if (!isChargeable(amount_due, currency))
    throw conflict(null, 'not_chargeable', `the provider does not charge ${amount_due} ${currency}`);
  const { customer_id, has_open_page } = await chargeableTerms(db, environment_id, invoice_id);
  const method = await methodToCharge(db, environment_id, { customer_id, method_id });
  if (has_open_page) return { attempt_id: null };
  const id = newId('pat');
  await insertAttempt(db, environment_id, {
    ...beginning,
    id,
    invoice_id,
    customer_id,
    amount: amount_due,
    currency,
    provider_id: method.provider_id,
    payment_method_id: method.id,
  });
  await noteBegun(db, { environment_id, invoice_id }, { customer_id, by });
  return { attempt_id: id };
}

/** The terms of an invoice that may be charged now. */
async function chargeableTerms(db: Db, environment_id: number, invoice_id: string): Promise<ChargeTerms> {
  const terms = await readChargeTerms(db, environment_id, invoice_id);
  // A page is read first, also one that was paid by a debit of days.
  if (terms.is_charged && !terms.has_open_page)
    throw conflict(null, 'charge_in_progress', `a charge of invoice ${invoice_id} is under way`);
  if (terms.is_paused)
    throw conflict(null, 'paused', `collection of invoice ${invoice_id} or of its customer is paused`);
  return terms;
}

async function methodToCharge(
  db: Db,
  environment_id: number,
  method: { customer_id: string; method_id: string | null },
): Promise<ChargedMethod> {
  const { method_id } = method;
  const found = await findMethodToCharge(db, environment_id, method);
  if (found === null && method_id !== null)
    throw notFound(
      'payment_method_id',
      'unknown_payment_method',
      `the customer has no payment method ${method_id}`,
    );
  if (found === null) throw conflict(null, 'no_payment_method', 'the customer has no default payment method');
  if (!found.is_usable)
    throw conflict(
      method_id === null ? null : 'payment_method_id',
      'no_payment_method',
      `payment method ${found.id} is failing or was removed`,
    );
  return found;
}
