import { Type, type Static } from 'typebox';
import { CREDIT_NOTE_STATUSES } from '../domain/invoice/credit-note.ts';
import { INVOICE_CAUSES, INVOICE_KINDS, INVOICE_STATUSES } from '../domain/lines/invoice-state.ts';
import { LINE_TYPES } from '../domain/lines/line-type.ts';
import { TAX_TREATMENTS } from '../domain/money/tax.ts';
import { PauseOfCollection } from './collection-pause.ts';
import { InvoiceCollection } from './invoice-collection.ts';
import { PaymentObject } from './payment.ts';
import { AddressObject, TaxIdObject } from './party.ts';
import type { Aggregation } from '../domain/pricing/charge.ts';
import { PRICING_MODELS } from '../domain/pricing/definitions.ts';
import { ResponseDecimal, ResponseInstant, responseObject, identity, nullable, oneOf } from './parts.ts';

/** contract.md 4. */
const Kind = oneOf(INVOICE_KINDS, {
  description:
    'Whether it closes its period, opens it with the fees in advance, or is the last one after the end of the subscription.',
});

export const PricedTier = responseObject('PricedTier', {
  up_to: nullable(ResponseDecimal),
  quantity: ResponseDecimal,
  unit_amount: ResponseDecimal,
  flat_amount: ResponseDecimal,
  amount: ResponseDecimal,
});

/** `property` is absent for a count. */
export const AggregationObject = Type.Unsafe<Aggregation>(
  Type.Object(
    {
      type: oneOf(['count', 'sum', 'max', 'unique', 'latest']),
      property: Type.Optional(Type.String()),
    },
    { title: 'LineAggregation' },
  ),
);

export const Automatic = Type.Boolean({ description: 'Whether billing issued it itself.' });

/** The item that a line of type `item` bills. */
export const ItemOfLine = responseObject('ItemOfLine', { id: Type.String(), unit_amount: ResponseDecimal });

/** A discount of a line (contract.md 4). */
export const DiscountOfLine = responseObject('DiscountOfLine', {
  discount_id: Type.String(),
  name: Type.String(),
  percent: nullable(ResponseDecimal),
});

/** A time of a fee with one quantity (billing.md 14). */
export const StretchObject = responseObject('Stretch', {
  period_start: ResponseInstant,
  period_end: ResponseInstant,
  quantity: ResponseDecimal,
  amount: ResponseDecimal,
});

/** Members for the part of its charge that a line bills (contract.md 4). */
export const SERIES = {
  price_index: nullable(
    Type.Integer({
      description: 'The place of the price in `prices` of the charge, from 0; null where it has one price.',
    }),
  ),
  group: nullable(
    Type.Unsafe<Record<string, string | null>>(
      Type.Object(
        {},
        {
          title: 'LineGroup',
          description:
            'The value of each property that the charge groups by, as text; null for events without one.',
          additionalProperties: nullable(Type.String()),
        },
      ),
    ),
  ),
  others: Type.Boolean({ description: 'Whether the line bills all groups that have no line of their own.' }),
};

/** The members of a line; one that is stored has an id too. */
const LINE = {
  type: oneOf(LINE_TYPES),
  charge_id: nullable(Type.String({ description: 'Null on a line of type `item`.' })),
  ...SERIES,
  invoice_item: nullable(ItemOfLine),
  event_name: nullable(Type.String()),
  description: Type.String(),
  pricing_model: nullable(oneOf(PRICING_MODELS)),
  aggregation: nullable(AggregationObject),
  quantity: ResponseDecimal,
  skipped_events: Type.Integer(),
  credits_applied: ResponseDecimal,
  billable_quantity: ResponseDecimal,
  tiers: nullable(Type.Array(PricedTier)),
  amount: ResponseDecimal,
  period_start: ResponseInstant,
  period_end: ResponseInstant,
  discounts: Type.Array(DiscountOfLine, {
    description: 'The discounts of the line, the oldest first, with their names at its issue.',
  }),
  amount_before: nullable({
    ...ResponseDecimal,
    description:
      'The amount of the line without their percents, to which `tiers` sum; null without discounts.',
  }),
  stretches: nullable(
    Type.Array(StretchObject, {
      description:
        'The times of a fee with a quantity, from the start of the full period on; null on other lines.',
    }),
  ),
  billed_before: nullable({
    ...ResponseDecimal,
    description: 'What other lines bill of the sum of `stretches`; null on lines without them.',
  }),
};

export const LineItem = responseObject('LineItem', { id: Type.String(), ...LINE });
export const Tax = responseObject('Tax', {
  rate: ResponseDecimal,
  amount: ResponseDecimal,
  treatment: oneOf(TAX_TREATMENTS),
  note: nullable(Type.String({ description: 'The sentence that the document prints.' })),
});

export const Seller = responseObject('Seller', {
  name: Type.String(),
  address: nullable(AddressObject),
  tax_ids: Type.Array(TaxIdObject),
  footer: nullable(Type.String()),
});
export type Seller = Static<typeof Seller>;

export const BilledCustomer = responseObject('BilledCustomer', {
  external_id: Type.String(),
  name: nullable(Type.String()),
  email: nullable(Type.String()),
  address: nullable(AddressObject),
  tax_ids: Type.Array(TaxIdObject),
  tax_treatment: oneOf(TAX_TREATMENTS),
  buyer_reference: nullable(Type.String()),
});
export type BilledCustomer = Static<typeof BilledCustomer>;

export const Timezone = Type.String({
  description: 'The time zone of the subscription, an IANA name: days on the invoice are days of this zone.',
});

/** Description of `sent_at` of a document. */
export const SENT_AT = 'When a mail server first took an email with it.';

const AS_OF_THE_ISSUE = 'Of an issued invoice as it was at the issue, of a draft as it is now.';

/** contract.md 4: amounts have the minor digits of the currency, quantities are canonical decimals. */
export const InvoiceObject = responseObject('Invoice', {
  ...identity('invoice'),
  number: nullable(Type.String()),
  status: oneOf(INVOICE_STATUSES),
  payment_status: oneOf(['unpaid', 'partially_paid', 'paid', 'void']),
  customer_id: Type.String(),
  subscription_id: Type.String(),
  plan_id: Type.String(),
  kind: Kind,
  opening_number: nullable(
    Type.Integer({
      description:
        'Of an opening: 1 where it begins its period, from 2 on for a higher quantity that is billed inside it.',
    }),
  ),
  cause: nullable(
    oneOf(INVOICE_CAUSES, {
      description:
        '`threshold`: the usage of the period came to `bill_at` of the subscription before the end. Null on others.',
    }),
  ),
  currency: Type.String(),
  timezone: Timezone,
  period_start: ResponseInstant,
  period_end: ResponseInstant,
  line_items: Type.Array(LineItem),
  subtotal: ResponseDecimal,
  tax: Tax,
  total: ResponseDecimal,
  amount_due: ResponseDecimal,
  amount_paid: ResponseDecimal,
  balance_applied: { ...ResponseDecimal, description: "What the customer's balance covers." },
  balance_at_issue: {
    ...ResponseDecimal,
    description: 'What the balance covered when the invoice was issued, as the document says.',
  },
  credited: { ...ResponseDecimal, description: 'What credit notes take off what is due.' },
  credits_applied: ResponseDecimal,
  replaces: nullable(Type.String()),
  replaced_by: nullable(Type.String()),
  issued_at: nullable(ResponseInstant),
  due_date: nullable(
    Type.String({ description: 'The last day for the payment, in `timezone`; null for a draft.' }),
  ),
  overdue: Type.Boolean({ description: 'Whether the due date is over while the invoice is open.' }),
  collection_pause: PauseOfCollection,
  collection: InvoiceCollection,
  sent_at: nullable({ ...ResponseInstant, description: SENT_AT }),
  paid_at: nullable(ResponseInstant),
  voided_at: nullable(ResponseInstant),
  void_reason: nullable(Type.String()),
  payment_reference: nullable(Type.String()),
  payments: Type.Array(PaymentObject, { description: 'In the order of recording, reversed ones too.' }),
  credit_notes: Type.Array(
    responseObject('CreditNoteOfInvoice', {
      id: Type.String(),
      number: Type.String(),
      status: oneOf(CREDIT_NOTE_STATUSES),
      automatic: Automatic,
      total: ResponseDecimal,
    }),
    { description: 'In the order of issue, void ones too.' },
  ),
  hide_zero_lines: Type.Boolean({
    description: 'Whether the PDF leaves out lines of quantity and amount 0.',
  }),
  seller: { ...Seller, description: AS_OF_THE_ISSUE },
  customer: { ...BilledCustomer, description: AS_OF_THE_ISSUE },
  logo_sha256: nullable(
    Type.String({ description: `The logo on its pages, by the SHA-256 of the file. ${AS_OF_THE_ISSUE}` }),
  ),
});
export type Invoice = Static<typeof InvoiceObject>;

/** contract.md 4: sums over invoices by status and currency. */
export const InvoiceSummary = responseObject('InvoiceSummary', {
  object: Type.Literal('invoice_summary'),
  data: Type.Array(
    responseObject('InvoiceSum', {
      status: oneOf(INVOICE_STATUSES),
      currency: Type.String(),
      count: Type.Integer(),
      total: ResponseDecimal,
      tax: ResponseDecimal,
      amount_due: ResponseDecimal,
      amount_paid: ResponseDecimal,
    }),
  ),
});
/** Invoices of one status and currency. */
export type InvoiceSum = Static<typeof InvoiceSummary>['data'][number];

/** The next invoice as it would be now: no number, no state, no ids of lines. */
export const UpcomingInvoice = responseObject('UpcomingInvoice', {
  object: Type.Literal('upcoming_invoice'),
  livemode: Type.Boolean(),
  customer_id: Type.String(),
  subscription_id: Type.String(),
  plan_id: Type.String(),
  kind: Kind,
  currency: Type.String(),
  timezone: Timezone,
  period_start: ResponseInstant,
  period_end: ResponseInstant,
  line_items: Type.Array(responseObject('UpcomingLineItem', LINE)),
  subtotal: ResponseDecimal,
  tax: Tax,
  total: ResponseDecimal,
  credits_applied: ResponseDecimal,
});
export type UpcomingInvoice = Static<typeof UpcomingInvoice>;
