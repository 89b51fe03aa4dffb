import { Type } from 'typebox';
import { PRICING_MODELS } from '../domain/charge.ts';
import { AnsweredDecimal, AnsweredInstant, answerObject, identity, nullable, oneOf } from './parts.ts';

export const INVOICE_STATUSES = ['draft', 'open', 'paid', 'void'] as const;

export const PricedTier = answerObject('PricedTier', {
  up_to: nullable(AnsweredDecimal),
  quantity: AnsweredDecimal,
  unit_amount: AnsweredDecimal,
  flat_amount: AnsweredDecimal,
  amount: AnsweredDecimal,
});

export const AggregationObject = Type.Object(
  { type: Type.String(), property: Type.Optional(Type.String()) },
  { title: 'LineAggregation' },
);

/** What a line says; one that is stored has an id too. */
const LINE = {
  type: oneOf(['flat', 'usage', 'late_usage']),
  charge_id: Type.String(),
  event_name: Type.String(),
  description: Type.String(),
  pricing_model: oneOf(PRICING_MODELS),
  aggregation: nullable(AggregationObject),
  quantity: AnsweredDecimal,
  skipped_events: Type.Integer(),
  credits_applied: AnsweredDecimal,
  billable_quantity: AnsweredDecimal,
  tiers: nullable(Type.Array(PricedTier)),
  amount: AnsweredDecimal,
  period_start: AnsweredInstant,
  period_end: AnsweredInstant,
};

const LineItem = answerObject('LineItem', { id: Type.String(), ...LINE });
const Tax = answerObject('Tax', { rate: AnsweredDecimal, amount: AnsweredDecimal });

const Seller = answerObject('Seller', {
  name: Type.String(),
  address: nullable(Type.String()),
  footer: nullable(Type.String()),
});

const BilledCustomer = answerObject('BilledCustomer', {
  external_id: Type.String(),
  name: nullable(Type.String()),
  email: nullable(Type.String()),
});

/** contract.md 4: amounts have the minor digits of the currency, quantities are canonical decimals. */
export const InvoiceObject = answerObject('Invoice', {
  ...identity('invoice'),
  number: nullable(Type.String()),
  status: oneOf(INVOICE_STATUSES),
  payment_status: oneOf(['unpaid', 'paid', 'void']),
  customer_id: Type.String(),
  subscription_id: Type.String(),
  plan_id: Type.String(),
  currency: Type.String(),
  period_start: AnsweredInstant,
  period_end: AnsweredInstant,
  line_items: Type.Array(LineItem),
  subtotal: AnsweredDecimal,
  tax: Tax,
  total: AnsweredDecimal,
  amount_due: AnsweredDecimal,
  amount_paid: AnsweredDecimal,
  credits_applied: AnsweredDecimal,
  replaces: nullable(Type.String()),
  replaced_by: nullable(Type.String()),
  issued_at: nullable(AnsweredInstant),
  paid_at: nullable(AnsweredInstant),
  voided_at: nullable(AnsweredInstant),
  void_reason: nullable(Type.String()),
  payment_reference: nullable(Type.String()),
  seller: Seller,
  customer: BilledCustomer,
});

/** The next invoice as it would be now: no number, no state, no ids of lines. */
export const UpcomingInvoice = answerObject('UpcomingInvoice', {
  object: Type.Literal('upcoming_invoice'),
  livemode: Type.Boolean(),
  customer_id: Type.String(),
  subscription_id: Type.String(),
  plan_id: Type.String(),
  currency: Type.String(),
  period_start: AnsweredInstant,
  period_end: AnsweredInstant,
  line_items: Type.Array(answerObject('UpcomingLineItem', LINE)),
  subtotal: AnsweredDecimal,
  tax: Tax,
  total: AnsweredDecimal,
  credits_applied: AnsweredDecimal,
});
