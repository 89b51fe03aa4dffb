import { Type, type Static, type TSchema } from 'typebox';
import { CYCLES, PRORATIONS, UNUSED_TIME } from '../../src/domain/subscription/change-terms.ts';
import { nullable, oneOf } from '../../src/objects/parts.ts';
import type { DecimalRule } from './keywords.ts';

/**
 * Building blocks for the schemas of bodies and query parameters, of lists and errors. Each kind of text is defined
 * once, here.
 */

/** Allows null with a meaning of its own, such as removal by a patch. Elsewhere null means left out. */
export function orNull<Schema extends TSchema & { type?: unknown; enum?: readonly unknown[] }>(
  schema: Schema,
) {
  const values = schema.enum === undefined ? {} : { enum: [...schema.enum, null] };
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'].flat(), ...values });
}

/**
 * Control characters and blanks by code: not every regular expression engine of API clients knows `\p`, and `\s`
 * differs among them.
 */
export const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
const BLANK = ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

export const PRINTABLE = {
  minLength: 1,
  maxLength: 255,
  // Each character can match only one part of the pattern, so matching takes linear time.
  pattern: `^[${BLANK}]*[^${BLANK}${CONTROL}][^${CONTROL}]*$`,
  'x-fault': 'must not be blank or contain control characters',
};

/** Identifiers chosen by the caller, and names of events, customers and properties: 1 to 255 characters. */
export const Identifier = Type.String(PRINTABLE);
export const Name = Type.String(PRINTABLE);

/** The plan of a request. */
export const PlanName = Type.String({
  ...PRINTABLE,
  description: 'The id of a plan, or a key, which names its newest version.',
});

export const Email = Type.String({
  maxLength: 254,
  pattern: `^[^@${BLANK}${CONTROL}]+@[^@${BLANK}${CONTROL}]+$`,
  'x-fault': 'must be an email address',
});

/** An ISO 8601 instant; handlers get it as `2026-01-31T00:00:00.000Z`. */
export const Instant = Type.Unsafe<string>({
  type: 'string',
  maxLength: 100,
  'x-instant': true,
  description:
    'RFC 3339. You can omit the seconds, the offset (default UTC) or the whole time (default midnight). Stored to the millisecond: ' +
    'of up to 30 decimals of a second, the decimals after the third are dropped.',
  examples: ['2026-01-31T00:00:00Z'],
});

/** A month of the calendar; in which time zone, its parameter says. */
export const Month = Type.String({
  maxLength: 100,
  pattern: '^(19[7-9][0-9]|[2-9][0-9]{3})-(0[1-9]|1[0-2])$',
  'x-fault': 'must be a month such as 2026-10, in the years 1970 to 9999',
  description: 'A month of the calendar.',
  examples: ['2026-10'],
});

/** A month by the time zone of the account. */
export const AccountMonth = Type.String({
  ...Month,
  description: 'Instead of `from` and `to`: a month by the time zone of the account.',
});

/** A day of the calendar, which handlers get as it was sent: its time zone is that of the account. */
export const AccountDay = Type.Unsafe<string>({
  type: 'string',
  maxLength: 100,
  'x-day': true,
  description: 'A day in the time zone of the account.',
  examples: ['2026-01-31'],
});

/** A day of the calendar, which handlers get as it was sent: its time zone is that of the customer. */
export const CustomerDay = Type.Unsafe<string>({
  ...AccountDay,
  description: 'A day in the time zone of the customer.',
});

/**
 * An instant, or a day such as 2026-01-31, which handlers get as it was sent, because its time zone is a matter of the
 * customer.
 */
export const InstantOrDay = instantOrDay();

/** An instant or a day; `more` is what its description says besides. */
export function instantOrDay(...more: readonly string[]) {
  const description =
    'RFC 3339. You can omit the seconds or the offset (default UTC). A date alone is the beginning of that day in the time zone of the customer.';
  return Type.Unsafe<string>({
    type: 'string',
    maxLength: 100,
    'x-instant': 'or_day',
    description: [description, ...more].join(' '),
    examples: ['2026-01-31', '2026-01-31T00:00:00Z'],
  });
}

/** The time of a change of a subscription: now, the end of the running period, an instant, or a day. */
export const ChangeTime = Type.Unsafe<string>({
  type: 'string',
  maxLength: 100,
  'x-instant': ['now', 'period_end'],
  description:
    '`now`, `period_end` (the end of the running period, whatever is scheduled; of a trial its end, before the start the start), or ' +
    'RFC 3339, where a date alone is the beginning of that day in the time zone of the subscription.',
  examples: ['now', 'period_end', '2026-04-16', '2026-04-16T00:00:00Z'],
});

/** The use of what was paid in advance for time that is not used. */
const SETTLE =
  'The use of what was paid in advance for time that is not used: to the balance, paid back outside of Tidemark, or `none`: the fee is kept.';
export const Settle = oneOf(UNUSED_TIME, { default: 'balance', description: SETTLE });

/** Members of a change of plan besides the plan and the time, as `changeTerms` reads them. */
export const CHANGE_TERMS = {
  settle: Type.Optional(
    oneOf(UNUSED_TIME, { description: `${SETTLE} Default: \`balance\`; not with \`proration\` \`none\`.` }),
  ),
  proration: oneOf(PRORATIONS, {
    default: 'exact',
    description:
      'How fees in advance pass to the new plan inside a period. `exact`: both by exact time. `full`: the new fee whole for what is left up to the ' +
      'boundary. `none`: the old fee runs on to the boundary, where the new one begins.',
  }),
  cycle: oneOf(CYCLES, {
    default: 'keep',
    description:
      'Whether boundaries stay where they were, for a plan of the same interval, or the change begins the cycle anew (`restart`).',
  }),
};

/** Quantities of a subscription by the event names of their charges; handlers get canonical decimals. */
export const SentQuantities = Type.Unsafe<Record<string, string>>({
  type: 'object',
  minProperties: 1,
  maxProperties: 100,
  propertyNames: Identifier,
  additionalProperties: decimalText(
    { whole_max: 15, scale_max: 6, digits_max: 15, low: '0' },
    'From 0 on, with up to 6 decimals.',
  ),
  description: 'Quantities of flat charges with `quantity` `subscription`, by their `event_name`.',
  examples: [{ seat: '10' }],
});

/** The end of a trial that is changed: now, an instant, or a day. */
export const TrialTime = Type.Unsafe<string>({
  type: 'string',
  maxLength: 100,
  'x-instant': ['now'],
  description:
    '`now`, or RFC 3339, where a date alone is the beginning of that day in the time zone of the subscription.',
  examples: ['now', '2026-04-16', '2026-04-16T00:00:00Z'],
});

/** A decimal string or an exact JSON number; handlers get the canonical decimal string. */
export function decimalText(rule: DecimalRule, description: string) {
  return Type.Unsafe<string>({
    type: ['string', 'number'],
    'x-decimal': rule,
    description,
    examples: ['12.5'],
  });
}

/** A JSON number above 0; handlers get the canonical decimal string. */
export function decimalNumber(rule: DecimalRule, description: string) {
  return Type.Unsafe<string>({
    type: 'number',
    exclusiveMinimum: 0,
    'x-decimal': rule,
    description,
    examples: [1000],
  });
}

/** Units of a credit grant. */
export const GRANT_AMOUNT: DecimalRule = { whole_max: 15, scale_max: 6, digits_max: 15 };

export const GrantEventNames = Type.Array(Identifier, {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description: 'Cover the charges of these events alone.',
});

/** Event names of charges that a discount is for. */
export const DiscountEventNames = Type.Array(Identifier, {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description: 'The charges with these event names alone, flat ones too. The default is all.',
});

export const Percent = decimalText(
  { whole_max: 3, scale_max: 15, low: '0', high: '100' },
  'A percentage from 0 to 100.',
);

export const Amount = decimalText(
  { whole_max: 25, scale_max: 4, low: '0.0001' },
  'Above 0, with at most the decimals of the currency.',
);

/** The usage at which a part is billed before its end. */
export const BillAt = {
  ...Amount,
  description:
    'The usage of the open part of a period, net, at which it is billed before its end. Above 0, with at most the decimals of the currency.',
};

export const SignedAmount = decimalText(
  { whole_max: 25, scale_max: 4 },
  'Not 0, with at most the decimals of the currency.',
);

export const Currency = Type.String({
  maxLength: 3,
  'x-currency': true,
  description: 'An active ISO 4217 currency code with minor units.',
  examples: ['USD'],
});

export const Timezone = Type.String({
  maxLength: 50,
  'x-timezone': true,
  description: 'The name of an IANA time zone.',
  examples: ['Europe/Berlin'],
});

/** Days from the issue of an invoice to its due date. */
export const NetDays = Type.Integer({
  minimum: 0,
  maximum: 365,
  description: 'Days from the issue of an invoice to its due date.',
});

/** Query parameters of every list. */
export const PAGE = {
  cursor: Type.Optional(Type.String({ minLength: 1, description: '`next_cursor` of the previous page.' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Number of objects per page.' }),
};

/** A response that is not JSON. */
export const Bytes = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' });

/** Response with one page of a list, newest first. */
export function listOf<Item extends TSchema>(item: Item) {
  return Type.Object(
    {
      object: Type.Literal('list'),
      data: Type.Array(item),
      has_more: Type.Boolean(),
      next_cursor: nullable(Type.String()),
    },
    { additionalProperties: false },
  );
}
