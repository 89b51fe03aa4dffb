import type { Found } from '../../api/objects.ts';
import { grouped } from '../../components/grouped.ts';
import { utcTime, words } from '../../components/values.tsx';
import { nameWithVersion } from '../plans/models.ts';
import { noteOfKind, stateOf } from '../invoices/invoice-state.tsx';

/** The page that shows an object; a payment is on that of its invoice, or of its customer. */
export function pageOf(result: Found): string {
  switch (result.object) {
    case 'customer':
      return `/customers/${result.id}`;
    case 'invoice':
      return `/invoices/${result.id}`;
    case 'credit_note':
      return `/credit-notes/${result.id}`;
    case 'subscription':
      return `/subscriptions/${result.id}`;
    case 'payment':
      return result.invoice_id === null
        ? `/customers/${encodeURIComponent(result.customer_id)}`
        : `/invoices/${result.invoice_id}`;
    case 'event':
      return `/events/${result.id}`;
    case 'pricing_plan':
      return `/plans/${result.id}`;
  }
}

/** The name by which people call an object. */
export function nameOf(result: Found): string {
  switch (result.object) {
    case 'customer':
      return result.name ?? result.external_id;
    case 'invoice':
      return result.number ?? 'invoice without a number';
    case 'credit_note':
      return result.number;
    case 'payment':
      return result.reference ?? 'payment without a reference';
    case 'event':
      return result.idempotency_key;
    case 'subscription':
      return `subscription of ${result.customer_id}`;
    case 'pricing_plan':
      return nameWithVersion(result);
  }
}

/** The details that tell an object from others of its name: its kind, its customer, its status and amount. */
export function detailsOf(result: Found): string {
  const kind = words(result.object);
  switch (result.object) {
    case 'customer':
      return listed(kind, result.name === null ? null : result.external_id, result.email);
    case 'invoice':
    case 'credit_note': {
      const customer = result.customer.name ?? result.customer_id;
      const note = result.object === 'invoice' ? noteOfKind(result) : null;
      return listed(kind, customer, words(statusOf(result)), note, amountOf(result.total, result.currency));
    }
    case 'subscription':
      return listed(kind, result.status);
    case 'payment':
      return listed(kind, result.customer_id, amountOf(result.amount, result.currency));
    case 'pricing_plan':
      return listed('plan', result.key, result.archived_at === null ? null : 'archived');
    case 'event':
      return listed(kind, result.event_name, result.customer_id, `${utcTime(result.timestamp)} UTC`);
  }
}

/** The status of a document as lists show it. */
export function statusOf(result: Extract<Found, { object: 'invoice' | 'credit_note' }>): string {
  return result.object === 'invoice' ? stateOf(result) : result.status;
}

const listed = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(', ');
const amountOf = (amount: string, currency: string) => `${grouped(amount)} ${currency}`;
