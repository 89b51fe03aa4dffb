import { findCreditNote, findCreditNoteNumbered } from '../../db/invoicing/credit-notes.ts';
import type { CreditNote } from '../../objects/credit-note.ts';
import { searchCustomers } from '../../db/customers/customer-search.ts';
import { findCustomer } from '../../db/customers/customers.ts';
import type { Customer } from '../../objects/customer.ts';
import { findEvent, listEvents } from '../../db/events/event-list.ts';
import type { UsageEvent } from '../../objects/event.ts';
import { findInvoice } from '../../db/invoicing/invoices.ts';
import type { Invoice } from '../../objects/invoice.ts';
import { findNumbered } from '../../db/invoicing/numbering.ts';
import { findPayment, listPayments } from '../../db/invoicing/payments.ts';
import type { Payment } from '../../objects/payment.ts';
import type { Db } from '../../db/connection/pool.ts';
import { findSubscription } from '../../db/subscriptions/subscriptions.ts';
import type { Subscription } from '../../objects/subscription.ts';

export type Found = Customer | Invoice | CreditNote | Subscription | Payment | UsageEvent;

const FOUND_MAX = 20;
/** Fewer payments than may be found, so that payments with one reference leave room for customers of that name. */
const PAYMENTS_MAX = 10;

/**
 * Finds at most 20 objects by the words, the best first: those that have them as its id, number, key or reference, then
 * customers, whose names need only contain them.
 */
export async function search(db: Db, environment_id: number, words: string): Promise<Found[]> {
  const objects = [
    ...(await withId(db, environment_id, words)),
    ...(await withNumber(db, environment_id, words)),
    ...(await withKey(db, environment_id, words)),
    ...(await withReference(db, environment_id, words)),
    ...(await searchCustomers(db, environment_id, { words, limit: FOUND_MAX })),
  ];
  return [...new Map(objects.map((object) => [object.id, object])).values()].slice(0, FOUND_MAX);
}

const FIND: Readonly<Record<string, (db: Db, environment_id: number, id: string) => Promise<Found | null>>> =
  {
    cus: findCustomer,
    inv: findInvoice,
    cn: findCreditNote,
    sub: findSubscription,
    pay: findPayment,
    evt: findEvent,
  };

async function withId(db: Db, environment_id: number, words: string): Promise<Found[]> {
  const find = new Map(Object.entries(FIND)).get(words.slice(0, words.indexOf('_')));
  const object = (await find?.(db, environment_id, words)) ?? null;
  return object === null ? [] : [object];
}

async function withNumber(db: Db, environment_id: number, number: string): Promise<Found[]> {
  const ids = await findNumbered(db, environment_id, number);
  const invoices = await Promise.all(ids.map((id) => findInvoice(db, environment_id, id)));
  const note = await findCreditNoteNumbered(db, environment_id, number);
  return [...invoices, note].filter((document) => document !== null);
}

async function withKey(db: Db, environment_id: number, idempotency_key: string): Promise<UsageEvent[]> {
  const filter = { idempotency_key };
  const placed = await listEvents(db, environment_id, { filter, after: null, limit: 1 });
  return placed.map(({ event }) => event);
}

function withReference(db: Db, environment_id: number, reference: string): Promise<Payment[]> {
  return listPayments(db, environment_id, {
    customer_id: null,
    invoice_id: null,
    reference,
    from: null,
    to: null,
    before: null,
    limit: PAYMENTS_MAX,
  });
}
