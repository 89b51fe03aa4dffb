import { Type, type Static } from 'typebox';
import { CHARGE_MODES } from '../domain/collection/schedule.ts';
import { LANGUAGES } from '../domain/email/language.ts';
import { KEPT } from '../domain/people/redaction.ts';
import { TAX_TREATMENTS } from '../domain/money/tax.ts';
import { PauseOfCollection } from './collection-pause.ts';
import { AddressObject, TaxIdObject } from './party.ts';
import {
  ResponseDecimal,
  ResponseInstant,
  responseObject,
  deletedObject,
  identity,
  Metadata,
  nullable,
  oneOf,
} from './parts.ts';

const RedactionObject = responseObject('Redaction', {
  redacted_at: { ...ResponseInstant, description: 'When the customer was last blanked.' },
  properties: Type.Array(Type.String(), {
    description: 'The properties that all redactions of the customer named, in order.',
  }),
  events: oneOf(['pending', 'done'], {
    description:
      'Whether these properties have been removed from the events that were stored before the redaction.',
  }),
  kept: Type.Array(oneOf(KEPT), {
    description:
      'What stays as it is: the `external_id`; issued invoices and credit notes, with their copies of the customer; the idempotency keys of ' +
      'events with a hash of what was sent; the properties of events that a charge reads; the files of archived events.',
  }),
});

/**
 * contract.md 3. The tax rate, in percent, is the customer's own or the account's; a time zone or net days of null are
 * the account's.
 */
export const CustomerObject = responseObject('Customer', {
  ...identity('customer'),
  external_id: Type.String(),
  name: nullable(Type.String()),
  email: nullable(Type.String()),
  currency: Type.String(),
  tax_rate: ResponseDecimal,
  tax_treatment: oneOf(TAX_TREATMENTS),
  address: nullable(AddressObject),
  tax_ids: Type.Array(TaxIdObject),
  buyer_reference: nullable(Type.String()),
  timezone: nullable(Type.String()),
  net_days: nullable(Type.Integer()),
  billing_emails: Type.Array(Type.String(), {
    description: 'Where emails go; `email` while the list is empty.',
  }),
  email_muted: Type.Boolean({ description: 'Whether nothing is sent by itself.' }),
  language: nullable(oneOf(LANGUAGES, { description: "Of its emails; null is the account's." })),
  reminder_days: nullable(
    Type.Array(Type.Integer(), { description: "Days from the due date; null is the account's." }),
  ),
  charge_mode: nullable(
    oneOf(CHARGE_MODES, { description: "How its invoices are charged; null is the account's." }),
  ),
  collection_pause: PauseOfCollection,
  metadata: Metadata,
  credit_remaining: Type.Number({ description: 'The remaining credit of active grants, in units of usage.' }),
  balance: {
    ...ResponseDecimal,
    description: 'Money in advance, in `currency`, which covers the next invoices.',
  },
  test_clock: nullable({
    ...ResponseInstant,
    description: "The current time of a test customer; null while it is the server's time.",
  }),
  redaction: nullable(RedactionObject),
});
export type Customer = Static<typeof CustomerObject>;

/** The rest of a deleted customer. */
export const DeletedCustomer = deletedObject('DeletedCustomer', 'customer');
