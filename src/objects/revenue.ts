import { Type, type Static } from 'typebox';
import { BUCKET_LENGTHS } from '../domain/time/buckets.ts';
import { nullable, oneOf, ResponseDecimal, ResponseInstant, responseObject } from './parts.ts';

export const REVENUE_GROUPS = ['customer', 'plan'] as const;
export type RevenueGrouping = (typeof REVENUE_GROUPS)[number];

/** A customer by its external id, or a plan by its key; null is all that have no row of their own. */
const RevenueGroup = responseObject('RevenueGroup', {
  id: nullable(Type.String()),
  name: nullable(Type.String()),
});

const FIGURES = {
  fees: { ...ResponseDecimal, description: 'Flat amounts of the invoices issued.' },
  usage: { ...ResponseDecimal, description: 'Usage of their own periods.' },
  late_usage: { ...ResponseDecimal, description: 'Usage that arrived after its own invoice.' },
  items: { ...ResponseDecimal, description: 'Invoice items.' },
  discounts: { ...ResponseDecimal, description: 'Discounts of an amount: below 0.' },
  minimums: { ...ResponseDecimal, description: 'What full periods lacked of the minimums of their plans.' },
  voided: {
    ...ResponseDecimal,
    description: 'Invoices that were voided, whenever they were issued: below 0.',
  },
  credited: { ...ResponseDecimal, description: 'Credit notes, less those that were voided.' },
  total: { ...ResponseDecimal, description: 'The sum of these: what the account `revenue` moved.' },
  tax: { ...ResponseDecimal, description: 'What the account `tax_payable` moved.' },
  invoices: Type.Integer({ description: 'Number of invoices issued.' }),
  credit_notes: Type.Integer({ description: 'Number of credit notes issued.' }),
};

export const RevenueBucket = responseObject('RevenueBucket', {
  from: ResponseInstant,
  to: ResponseInstant,
  group: nullable(RevenueGroup),
  ...FIGURES,
});
export type RevenueBucket = Static<typeof RevenueBucket>;

/** A line of the file of revenue. */
export const RevenueLine = responseObject('RevenueLine', {
  currency: Type.String(),
  ...RevenueBucket.properties,
});

export const Currencies = Type.Array(Type.String(), {
  description: 'All currencies of the answer’s range and customer, in the order of their codes.',
});

/** contract.md 4: what was booked as revenue, by the day of booking in the time zone of the account. */
export const Revenue = responseObject('Revenue', {
  object: Type.Literal('revenue'),
  currency: Type.String(),
  currencies: Currencies,
  timezone: Type.String(),
  from: ResponseInstant,
  to: ResponseInstant,
  by: oneOf(BUCKET_LENGTHS),
  group_by: nullable(oneOf(REVENUE_GROUPS)),
  data: Type.Array(RevenueBucket, {
    description:
      'In the order of time. Without `group_by` all months, weeks or days of the range, also those in which nothing was booked; with it, of ' +
      'each the groups for which something was: the one of the greatest total in the range first, and last all others as one, whose `id` ' +
      'is null.',
  }),
});
export type Revenue = Static<typeof Revenue>;
