import type { EmailKind } from './kind.ts';

/**
 * The reason of an email, of which there is one: kind and object, `invoice.inv_01m7`; of a later email about the same
 * `invoice.inv_01m7.2`.
 */
export function reasonOf(kind: EmailKind, object_id: string, ordinal = 1): string {
  return ordinal === 1 ? `${kind}.${object_id}` : `${kind}.${object_id}.${ordinal}`;
}

/** The reason of the reminder of a customer, by its `cus_` id, on a day: `reminder.cus_01m7.2026-03-11`. */
export function reminderReasonOf(customer_id: string, day: string): string {
  return `reminder.${customer_id}.${day}`;
}

/**
 * The Message-ID, `<invoice.inv_01m7@acme.com>`: from the reason alone, so that a try after a crash or a restore has
 * the same one. `email_from` is an address, with a name or without.
 */
export function messageIdOf(reason: string, email_from: string): string {
  return `<${reason}@${hostOf(email_from)}>`;
}

function hostOf(email_from: string): string {
  return email_from.slice(email_from.lastIndexOf('@') + 1).replace(/>\s*$/, '');
}
