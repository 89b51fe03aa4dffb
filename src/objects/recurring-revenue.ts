import { Type, type Static } from 'typebox';
import { oneOf, nullable, ResponseDecimal, responseObject } from './parts.ts';
import { Currencies } from './revenue.ts';

export const RECURRING_MOVEMENTS = ['new', 'expansion', 'contraction', 'churn', 'reactivation'] as const;
export type RecurringMovementType = (typeof RECURRING_MOVEMENTS)[number];

export const RecurringRevenueMonth = responseObject('RecurringRevenueMonth', {
  month: Type.String({ description: 'A month of the time zone of the account, such as 2026-02.' }),
  before: { ...ResponseDecimal, description: 'At the end of the month before.' },
  new: { ...ResponseDecimal, description: 'Of customers who have some for the first time.' },
  expansion: { ...ResponseDecimal, description: 'Of customers who have more.' },
  contraction: { ...ResponseDecimal, description: 'Of customers who have less: below 0.' },
  churn: { ...ResponseDecimal, description: 'Of customers who have none any more: below 0.' },
  reactivation: { ...ResponseDecimal, description: 'Of customers who have some again.' },
  recurring: {
    ...ResponseDecimal,
    description: 'At the last instant of the month, or now: the sum of the other amounts.',
  },
  customers: Type.Integer({ description: 'Number of customers who have some then.' }),
});
export type RecurringRevenueMonth = Static<typeof RecurringRevenueMonth>;

/** A line of the file of recurring revenue. */
export const RecurringRevenueLine = responseObject('RecurringRevenueLine', {
  currency: Type.String(),
  ...RecurringRevenueMonth.properties,
});

/** contract.md 4: the flat charges of subscriptions as an amount a month, and how it moved. */
export const RecurringRevenue = responseObject('RecurringRevenue', {
  object: Type.Literal('recurring_revenue'),
  currency: Type.String(),
  currencies: Currencies,
  timezone: Type.String(),
  data: Type.Array(RecurringRevenueMonth, { description: 'All months of the range, in order.' }),
});
export type RecurringRevenue = Static<typeof RecurringRevenue>;

export const RecurringRevenueMovement = responseObject('RecurringRevenueMovement', {
  customer_id: Type.String(),
  name: nullable(Type.String()),
  type: oneOf(RECURRING_MOVEMENTS),
  before: { ...ResponseDecimal, description: 'At the end of the month before.' },
  after: { ...ResponseDecimal, description: 'At the end of the month.' },
});
export type RecurringRevenueMovement = Static<typeof RecurringRevenueMovement>;
