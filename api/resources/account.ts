import { Type } from 'typebox';
import {
  findAccount,
  lockAccount,
  NOTICE_DAYS_MAX,
  updateAccount,
  type AccountSettings,
} from '../../src/db/account/accounts.ts';
import { setNextNumber } from '../../src/billing/close/next-number.ts';
import { invalid } from '../../src/domain/money/errors.ts';
import { AccountObject } from '../../src/objects/account.ts';
import { exactly } from '../../src/objects/parts.ts';
import * as examples from '../reference/examples/account.ts';
import { route } from '../routing/route.ts';
import { AccountNumbers, accountNumbersOf, DatevParts, datevOf } from '../schema/bookkeeping.ts';
import { CHARGE_SETTINGS } from '../schema/charging.ts';
import { checkAscending, checkEmailSettings, EMAIL_SETTINGS, emailHoursOf } from '../schema/email.ts';
import { mergePatch } from '../schema/merge-patch.ts';
import { Address, addressOf, TaxIds } from '../schema/party.ts';
import { Currency, Name, NetDays, orNull, Percent, Timezone } from '../schema/schemas.ts';

const Lines = Type.String({
  minLength: 1,
  maxLength: 1000,
  pattern: '^(?=.*\\S)[^\\p{Cc}]*(\\n[^\\p{Cc}]*)*$',
  'x-fault': 'must not be blank or contain control characters',
  description: 'Text in one or more lines.',
});

/** A digit at its end would make numbers that are read wrongly: `INV-1` and 000002 is `INV-1000002` (billing.md 7). */
const InvoicePrefix = Type.String({
  maxLength: 20,
  pattern: '^(?![Cc][Nn]-$)([A-Za-z0-9/_.-]*[A-Za-z/_.-])?$',
  'x-fault':
    'may contain A-Z, a-z, 0-9 and / _ . -, must not end in a digit, and must not be CN-, the prefix of credit notes, in any case',
  description: 'Stands before the count in the numbers of invoices that are issued from now on.',
  examples: ['INV-'],
});

const Days = Type.Optional(orNull(Type.Integer({ minimum: 0, maximum: NOTICE_DAYS_MAX })));

const NoticeDays = {
  ...exactly({ renewal: Days, trial_end: Days, credit_expiry: Days }),
  description:
    'How many days of 24 hours before the end of a billing period, the end of a trial and the expiry of credit the feed of ' +
    'changes tells that it comes; null: not at all. What is left out stays.',
};

const NO_NOTICES = { renewal: null, trial_end: null, credit_expiry: null };

const ORIGINS_MAX = 10;

/** No wildcard, and no character that has a meaning in a Content-Security-Policy. A policy has no IPv6 addresses. */
const Origin = Type.String({
  maxLength: 255,
  pattern: '^(https://[a-z0-9]([a-z0-9.-]*[a-z0-9])?|http://(localhost|127\\.0\\.0\\.1))(:[1-9][0-9]{0,4})?$',
  'x-fault':
    'must be an origin such as https://app.example.com, in small letters and without a path; http only for localhost and 127.0.0.1',
});

/**
 * Throws invalid_request for an origin that browsers write in another way, such as with the default port: it would
 * never match.
 */
function checkOrigins(origins: readonly string[]): void {
  for (const [place, origin] of origins.entries()) {
    const written = URL.canParse(origin) ? new URL(origin).origin : null;
    const param = `portal_origins[${place}]`;
    if (written === origin) continue;
    throw invalid(
      param,
      'malformed',
      `${param} must be ${written ?? 'an origin such as https://app.example.com'}`,
    );
  }
}

const NEXT_NUMBER_MAX = 999_999_999_999;

const read = route({
  method: 'get',
  path: '/v1/account',
  operation_id: 'getAccount',
  tag: 'Account',
  summary:
    'Get the settings of the environment: the seller on its documents, and the defaults of customers and plans',
  examples: examples.read,
  responses: { 200: AccountObject },
  handle: async ({ db, caller }) => ({ status: 200, body: await findAccount(db, caller.environment_id) }),
});

const patch = route({
  method: 'patch',
  path: '/v1/account',
  operation_id: 'updateAccount',
  tag: 'Account',
  summary: 'Update the settings of the environment by a JSON merge patch',
  description:
    'Issued invoices do not change. Test and live data have settings of their own, but for `portal_origins`.',
  body: exactly({
    name: Type.Optional(Name),
    address: Type.Optional(orNull(Address)),
    tax_ids: Type.Optional(TaxIds),
    currency: Type.Optional(Currency),
    tax_rate: Type.Optional(Percent),
    timezone: Type.Optional(Timezone),
    net_days: Type.Optional(NetDays),
    invoice_prefix: Type.Optional(InvoicePrefix),
    next_invoice_number: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: NEXT_NUMBER_MAX,
        description:
          'The count in the number of the first invoice. Can be raised until an invoice is issued.',
      }),
    ),
    invoice_footer: Type.Optional(orNull(Lines)),
    hide_zero_lines: Type.Optional(
      Type.Boolean({ description: 'Whether PDFs leave out lines of quantity and amount 0.' }),
    ),
    portal_origins: Type.Optional(
      Type.Array(Origin, {
        maxItems: ORIGINS_MAX,
        uniqueItems: true,
        description: 'Sites that may frame the page of portal links. For test and live data together.',
        examples: [['https://app.example.com']],
      }),
    ),
    notice_days: Type.Optional(orNull(NoticeDays)),
    ...EMAIL_SETTINGS,
    ...CHARGE_SETTINGS,
    account_numbers: Type.Optional(AccountNumbers),
    datev: Type.Optional(orNull(DatevParts)),
  }),
  examples: examples.patch,
  refusals: ['conflict'],
  responses: { 200: AccountObject },
  handle: async ({ db, caller, body }) => {
    const { environment_id } = caller;
    checkOrigins(body.portal_origins ?? []);
    checkEmailSettings(body);
    checkAscending('charge_retry_days', body.charge_retry_days);
    const numbers = body.account_numbers && accountNumbersOf(body.account_numbers);
    await lockAccount(db, environment_id);
    const {
      next_invoice_number,
      address: parts,
      notice_days: days,
      email_hours: hours,
      datev: head,
      ...fields
    } = body;
    const stored: AccountSettings = await findAccount(db, environment_id);
    const address =
      parts === undefined ? stored.address : addressOf(mergePatch(stored.address, parts) as typeof parts);
    const notice_days = days === null ? NO_NOTICES : { ...stored.notice_days, ...days };
    const email_hours = emailHoursOf(stored.email_hours, hours);
    const account_numbers = numbers ?? stored.account_numbers;
    const datev = head === undefined ? stored.datev : datevOf(head && { ...stored.datev, ...head });
    const settings = { ...stored, ...fields, address, notice_days, email_hours, account_numbers, datev };
    await updateAccount(db, environment_id, settings);
    if (next_invoice_number !== undefined) await setNextNumber(db, environment_id, next_invoice_number);
    return { status: 200, body: await findAccount(db, environment_id) };
  },
});

export const accountRoutes = [read, patch];
