import type { Found } from '../../api/objects.ts';
import { grouped, utcTime, words } from '../../components/values.tsx';
import { stateOf } from '../invoices/invoice-state.tsx';

/** The page that shows an object; a payment is on that of its invoice, or of its customer. */
export function pageOf(found: Found): string {
  switch (found.object) {
    case 'customer':
      return `/customers/${found.id}`;
    case 'invoice':
      return `/invoices/${found.id}`;
    case 'credit_note':
      return `/credit-notes/${found.id}`;
    case 'subscription':
      return `/subscriptions/${found.id}`;
    case 'payment':
      return found.invoice_id === null
        ? `/customers/${encodeURIComponent(found.customer_id)}`
        : `/invoices/${found.invoice_id}`;
    case 'event':
      return `/events/${found.id}`;
  }
}

/** The name by which people call an object. */
export function nameOf(found: Found): string {
  switch (found.object) {
    case 'customer':
      return found.name ?? found.external_id;
    case 'invoice':
      return found.number ?? 'invoice without a number';
    case 'credit_note':
      return found.number;
    case 'payment':
      return found.reference ?? 'payment without a reference';
    case 'event':
      return found.idempotency_key;
    case 'subscription':
      return `subscription of ${found.customer_id}`;
  }
}

/** The details that tell an object from others of its name: its kind, its customer, its status and amount. */
export function detailsOf(found: Found): string {
  const kind = words(found.object);
  switch (found.object) {
    case 'customer':
      return listed(kind, found.name === null ? null : found.external_id, found.email);
    case 'invoice':
    case 'credit_note': {
      const customer = found.customer.name ?? found.customer_id;
      return listed(kind, customer, words(statusOf(found)), amountOf(found.total, found.currency));
    }
    case 'subscription':
      return listed(kind, found.status);
    case 'payment':
      return listed(kind, found.customer_id, amountOf(found.amount, found.currency));
    case 'event':
      return listed(kind, found.event_name, found.customer_id, `${utcTime(found.timestamp)} UTC`);
  }
}

/** The status of a document as lists show it. */
export function statusOf(found: Extract<Found, { object: 'invoice' | 'credit_note' }>): string {
  return found.object === 'invoice' ? stateOf(found) : found.status;
}

const listed = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(', ');
const amountOf = (amount: string, currency: string) => `${grouped(amount)} ${currency}`;
