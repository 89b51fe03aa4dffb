import { Type, type Static } from 'typebox';
import { CHARGE_DATES, CHARGE_MODES } from '../domain/collection/schedule.ts';
import { SWITCHED_KINDS } from '../domain/email/kind.ts';
import { LANGUAGES } from '../domain/email/language.ts';
import { AccountNumberObject, DatevObject } from './bookkeeping.ts';
import { AddressObject, TaxIdObject } from './party.ts';
import { exactly, nullable, oneOf, ResponseDecimal, ResponseInstant, responseObject } from './parts.ts';

/** Files that emails may bring. */
export const ATTACHED = ['pdf', 'xml'] as const;

/**
 * contract.md 9. Test and live data have settings of their own; rates are in percent, days of a notice have 24 hours,
 * null: no notice.
 */
export const AccountObject = responseObject('Account', {
  id: Type.String(),
  object: Type.Literal('account'),
  livemode: Type.Boolean(),
  created_at: ResponseInstant,
  name: Type.String(),
  address: nullable(AddressObject),
  tax_ids: Type.Array(TaxIdObject),
  currency: Type.String(),
  tax_rate: ResponseDecimal,
  timezone: Type.String(),
  net_days: Type.Integer(),
  invoice_prefix: Type.String(),
  next_invoice_number: Type.Integer(),
  invoice_footer: nullable(Type.String()),
  hide_zero_lines: Type.Boolean(),
  portal_origins: Type.Array(Type.String(), {
    description:
      'Origins of the sites that may frame the page of portal links; the same for test and live data.',
  }),
  notice_days: exactly({
    renewal: nullable(Type.Integer()),
    trial_end: nullable(Type.Integer()),
    credit_expiry: nullable(Type.Integer()),
  }),
  language: oneOf(LANGUAGES, { description: 'Of emails to customers without a language of their own.' }),
  email_kinds: Type.Array(oneOf(SWITCHED_KINDS), { description: 'The emails that are sent by themselves.' }),
  email_reply_to: nullable(Type.String()),
  email_copy_to: nullable(Type.String({ description: 'Gets a blind copy of each email.' })),
  email_attach: Type.Array(oneOf(ATTACHED)),
  email_hours: exactly({ from: Type.Integer(), until: Type.Integer() }),
  email_test_recipients: Type.Array(Type.String(), {
    description: 'The only addresses to which emails of test data leave: `ada@acme.com`, `*@acme.com`.',
  }),
  reminder_days: Type.Array(Type.Integer(), {
    description: 'Days from the due date on which payers are reminded; none: not at all.',
  }),
  charge_mode: oneOf(CHARGE_MODES, { description: 'Of customers without a mode of their own.' }),
  charge_on: oneOf(CHARGE_DATES, { description: 'When an invoice is charged first.' }),
  charge_retry_days: Type.Array(Type.Integer(), {
    description: 'Days after the first charge on which it is tried again.',
  }),
  account_numbers: Type.Array(AccountNumberObject),
  datev: nullable(DatevObject),
  logo_sha256: nullable(
    Type.String({ description: 'The file of the logo, by its SHA-256 in hexadecimal digits.' }),
  ),
});
export type Account = Static<typeof AccountObject>;
