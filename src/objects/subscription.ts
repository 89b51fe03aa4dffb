import { Type, type Static } from 'typebox';
import { CreditNotePreview } from './credit-note.ts';
import { UpcomingInvoice } from './invoice.ts';
import { ResponseDecimal, ResponseInstant, responseObject, identity, nullable, oneOf } from './parts.ts';

export const SUBSCRIPTION_STATUSES = ['pending', 'trialing', 'active', 'canceled'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** contract.md 3: the status follows from the dates and the customer's clock. */
export const SubscriptionObject = responseObject('Subscription', {
  ...identity('subscription'),
  customer_id: Type.String(),
  plan_id: Type.String({ description: "The plan at the customer's now." }),
  status: oneOf(SUBSCRIPTION_STATUSES),
  start_date: ResponseInstant,
  trial_end_date: nullable(ResponseInstant),
  billing_anchor: nullable({ ...ResponseInstant, description: 'The anchor in force.' }),
  pending_change: nullable(responseObject('PendingChange', { plan_id: Type.String(), at: ResponseInstant })),
  timezone: Type.String({
    description:
      'The time zone of the customer when the subscription was created, an IANA name. Periods follow the days and months of this zone.',
  }),
  current_period_start: ResponseInstant,
  current_period_end: ResponseInstant,
  cancel_at: nullable(ResponseInstant),
  canceled_at: nullable(ResponseInstant),
  bill_at: nullable({
    ...ResponseDecimal,
    description: 'The usage, net, at which the open part of a period is billed before its end.',
  }),
  attention: nullable(Type.String({ description: 'The reason why the subscription needs attention.' })),
  unbilled_since: nullable({
    ...ResponseInstant,
    description: 'If the subscription needs attention: the end of the first due period that is not billed.',
  }),
  workflow_id: nullable(Type.String({ description: 'Null for a portal link.' })),
});
export type Subscription = Static<typeof SubscriptionObject>;

/** A period of a subscription. */
export const PeriodObject = responseObject('Period', {
  kind: oneOf(['trial', 'billing', 'late'], {
    description: '`late`: the days after the end of a subscription in which late usage is collected.',
  }),
  plan_id: Type.String(),
  period_start: ResponseInstant,
  period_end: ResponseInstant,
  invoice_id: nullable(Type.String({ description: 'The invoice that is not void.' })),
  opening_invoice_id: nullable(
    Type.String({
      description: 'The invoice, not void, of its fees in advance, if it is not on the one before.',
    }),
  ),
});
export type Period = Static<typeof PeriodObject>;

/** The invoices that a change of plan or a cancellation leads to, as they would be now. */
export const PlanChangePreview = responseObject('PlanChangePreview', {
  object: Type.Literal('plan_change_preview'),
  closing: nullable({ ...UpcomingInvoice, description: 'Of the part that ends; null where nothing ends.' }),
  opening: nullable({
    ...UpcomingInvoice,
    description: 'The fees in advance of the new plan, where no other invoice has them.',
  }),
  upcoming: nullable({
    ...UpcomingInvoice,
    description: 'Of the period after it; null where the subscription ends.',
  }),
  credit_notes: Type.Array(CreditNotePreview, {
    description: 'Of fees in advance of time that is not used.',
  }),
  due: {
    ...ResponseDecimal,
    description:
      'What comes with the change: `closing` and `opening`, less `credit_notes`, with tax, before any balance. Below zero if more is credited.',
  },
});
export type PlanChangePreview = Static<typeof PlanChangePreview>;
