import { Type, type Static } from 'typebox';
import { SWITCHED_KINDS } from '../../src/domain/email/kind.ts';
import { LANGUAGES } from '../../src/domain/email/language.ts';
import { invalid } from '../../src/domain/money/errors.ts';
import { ATTACHED } from '../../src/objects/account.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import { CONTROL, Email, orNull } from './schemas.ts';

const ADDRESSES_MAX = 10;
const TEST_RECIPIENTS_MAX = 20;
const STEPS_MAX = 10;
const STEP_MIN = -30;
const STEP_MAX = 90;
export const SUBJECT_MAX = 200;
export const BODY_MAX = 5000;

/** The language of emails. */
export const EmailLanguage = oneOf(LANGUAGES);

/** The addresses of a customer. */
export const BillingEmails = Type.Array(Email, {
  maxItems: ADDRESSES_MAX,
  description: 'Where emails go, each address once; `email` while the list is empty.',
  examples: [['billing@acme.example']],
});

/** Addresses of one email that is sent by hand. */
export const Recipients = Type.Array(Email, {
  minItems: 1,
  maxItems: ADDRESSES_MAX,
  description: "Addresses instead of the customer's, each once.",
});

/** An address, or all addresses of a domain: `*@acme.com`. */
const TestRecipient = Type.String({ ...Email, 'x-fault': 'must be an email address, or *@ and a domain' });

const Hour = Type.Integer({ minimum: 0, maximum: 24 });
const Hours = {
  ...exactly({ from: Type.Optional(Hour), until: Type.Optional(Hour) }),
  description:
    "The hours of a day, in the customer's time zone, in which emails leave by themselves. A member that is left out stays.",
};

/** Days from the due date of an invoice on which its payer is reminded. */
export const ReminderDays = Type.Array(Type.Integer({ minimum: STEP_MIN, maximum: STEP_MAX }), {
  maxItems: STEPS_MAX,
  description: 'Whole days from the due date on which payers are reminded, ascending; none: not at all.',
  examples: [[-3, 1, 7, 14]],
});

/** Settings of emails in a patch of the account. */
export const EMAIL_SETTINGS = {
  language: Type.Optional(EmailLanguage),
  email_kinds: Type.Optional(
    Type.Array(oneOf(SWITCHED_KINDS), {
      maxItems: SWITCHED_KINDS.length,
      description: 'The emails that are sent by themselves, of what is issued from now on.',
    }),
  ),
  email_reply_to: Type.Optional(orNull(Email)),
  email_copy_to: Type.Optional(orNull({ ...Email, description: 'Gets a blind copy of each email.' })),
  email_attach: Type.Optional(Type.Array(oneOf(ATTACHED), { maxItems: ATTACHED.length })),
  email_hours: Type.Optional(Hours),
  email_test_recipients: Type.Optional(
    Type.Array(TestRecipient, {
      maxItems: TEST_RECIPIENTS_MAX,
      description: 'The only addresses to which emails of test data leave.',
      examples: [['ada@acme.com', '*@acme.com']],
    }),
  ),
  reminder_days: Type.Optional(ReminderDays),
};
const Settings = exactly(EMAIL_SETTINGS);

/** Throws invalid_request for a list of the settings of emails that has one value twice, and for days in disorder. */
export function checkEmailSettings(settings: Static<typeof Settings>): void {
  for (const name of ['email_kinds', 'email_attach', 'email_test_recipients'] as const)
    checkNoneTwice(name, settings[name] ?? []);
  checkAscending('reminder_days', settings.reminder_days);
}

/** Throws invalid_request `out_of_order` at the first day that is not above the one before it: `reminder_days[2]`. */
export function checkAscending(
  list: 'reminder_days' | 'charge_retry_days',
  days: readonly number[] | null | undefined,
): void {
  const place = days?.findIndex((day, at) => at > 0 && day <= days[at - 1]!) ?? -1;
  if (place === -1) return;
  const param = `${list}[${place}]`;
  throw invalid(param, 'out_of_order', `${param} must be above ${days![place - 1]}`);
}

/**
 * The hours of a patch with the stored ones. Throws invalid_request `out_of_order` unless the first is before the last.
 */
export function emailHoursOf(
  stored: { from: number; until: number },
  sent: Static<typeof Hours> = {},
): { from: number; until: number } {
  const { from, until } = { ...stored, ...sent };
  if (from < until) return { from, until };
  throw invalid('email_hours.until', 'out_of_order', `email_hours.until must be above ${from}`);
}

/** Throws invalid_request for a value of a list that stands before, in any case: `billing_emails[1]`. */
export function checkNoneTwice(param: string, values: readonly string[]): void {
  const known = new Set<string>();
  for (const [place, value] of values.entries()) {
    const key = value.toLowerCase();
    if (known.has(key))
      throw invalid(`${param}[${place}]`, 'not_allowed', `${param} must not have ${value} twice`);
    known.add(key);
  }
}

/** The subject of an email: one line. */
export const Subject = Type.String({
  minLength: 1,
  maxLength: SUBJECT_MAX,
  pattern: `^[^${CONTROL}]*[^ ${CONTROL}][^${CONTROL}]*$`,
  'x-fault': 'must be one line, and not blank',
});

/** The text of an email. */
export const Body = Type.String({
  minLength: 1,
  maxLength: BODY_MAX,
  pattern: `^[ \\n]*[^ ${CONTROL}](\\n|[^${CONTROL}])*$`,
  'x-fault': 'must not be blank, or contain control characters but line ends',
});
