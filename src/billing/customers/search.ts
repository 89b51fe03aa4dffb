import { findCreditNote, findCreditNoteNumbered } from '../../db/invoicing/credit-notes.ts';
import type { CreditNote } from '../../objects/credit-note.ts';
import { searchCustomers } from '../../db/customers/customer-search.ts';
import { findCustomer } from '../../db/customers/customers.ts';
import type { Customer } from '../../objects/customer.ts';
import { findEvent, listEvents } from '../../db/events/event-list.ts';
import type { UsageEvent } from '../../objects/event.ts';
import { newestInvoicesOf, searchDocuments } from '../../db/invoicing/document-search.ts';
import { findInvoice, readInvoices } from '../../db/invoicing/invoices.ts';
import type { Invoice } from '../../objects/invoice.ts';
import { findNumbered } from '../../db/invoicing/numbering.ts';
import { findPayment, listPayments } from '../../db/invoicing/payments.ts';
import type { Plan } from '../../objects/plan.ts';
import type { Payment } from '../../objects/payment.ts';
import type { Db } from '../../db/connection/pool.ts';
import { findPlan } from '../../db/subscriptions/plans.ts';
import { searchPlans } from '../../db/subscriptions/plan-search.ts';
import { findSubscription } from '../../db/subscriptions/subscriptions.ts';
import type { Subscription } from '../../objects/subscription.ts';

export type Found = Customer | Invoice | CreditNote | Subscription | Payment | UsageEvent | Plan;

const FOUND_MAX = 20;
/** Fewer payments than may be found, so that payments with one reference leave room for customers of that name. */
const PAYMENTS_MAX = 10;

/** Documents with a part of a number, or with a total, of each kind. */
const DOCUMENTS_MAX = 5;
const PLANS_MAX = 5;
/** Customers below which their newest invoices stand; where more are found, no one of them is meant. */
const WITH_INVOICES_MAX = 3;
const INVOICES_MAX = 5;

/**
 * Finds at most 20 objects by the words, the best first: those that have them as its id, number, key or reference, then
 * customers, whose names need only contain them, each with its newest invoices, then plans, then documents with the
 * words as a part of their number or as their total.
 */
export async function search(db: Db, environment_id: number, words: string): Promise<Found[]> {
  const objects = [
    ...(await withId(db, environment_id, words)),
    ...(await withNumber(db, environment_id, words)),
    ...(await withKey(db, environment_id, words)),
    ...(await withReference(db, environment_id, words)),
    ...(await customersNamed(db, environment_id, words)),
    ...(await plansNamed(db, environment_id, words)),
    ...(await documentsLike(db, environment_id, words)),
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
    // Custom plans too, which no list of plans has.
    plan: findPlan,
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

/** Customers by a part of their names; below each of a few, its newest invoices. */
async function customersNamed(db: Db, environment_id: number, words: string): Promise<Found[]> {
  const customers = await searchCustomers(db, environment_id, { words, limit: FOUND_MAX });
  if (customers.length > WITH_INVOICES_MAX) return customers;
  const found: Found[] = [];
  for (const customer of customers) {
    const newest = { customer_id: customer.id, limit: INVOICES_MAX };
    const ids = await newestInvoicesOf(db, environment_id, newest);
    found.push(customer, ...(await inOrder(db, environment_id, ids)));
  }
  return found;
}

function plansNamed(db: Db, environment_id: number, words: string): Promise<Plan[]> {
  const page = { key: null, customer_id: null, is_archived: null, before: null, limit: PLANS_MAX };
  return searchPlans(db, environment_id, { ...page, words });
}

/** The least length of a part of a number, which has a digit: a prefix alone is in all numbers. */
const PART_LENGTH_MIN = 4;
/** An amount as people write it: 1234.5, 1,234.50. */
const AMOUNT = /^(\d{1,15}|\d{1,3}(,\d{3}){1,4})(\.\d{1,4})?$/;

async function documentsLike(db: Db, environment_id: number, words: string): Promise<Found[]> {
  const is_part = words.length >= PART_LENGTH_MIN && /\d/.test(words);
  const part = is_part ? words.toLowerCase() : null;
  const total = AMOUNT.test(words) ? words.replaceAll(',', '') : null;
  if (part === null && total === null) return [];
  const like = { part, total, limit: DOCUMENTS_MAX };
  const notes: Found[] = [];
  for (const id of await searchDocuments(db, environment_id, { ...like, kind: 'credit_notes' }))
    notes.push((await findCreditNote(db, environment_id, id))!);
  return [
    ...(await inOrder(
      db,
      environment_id,
      await searchDocuments(db, environment_id, { ...like, kind: 'invoices' }),
    )),
    ...notes,
  ];
}

/** Invoices in the order of their ids as they are given. */
async function inOrder(db: Db, environment_id: number, ids: readonly string[]): Promise<Invoice[]> {
  const invoices = await readInvoices(db, environment_id, ids);
  return invoices.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
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
