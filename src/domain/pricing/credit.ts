import { decimal } from '../money/decimal.ts';
import { definePricing, unitsTimesAmount } from './definition.ts';

/** Every unit costs credits, taken from grants; each credit short costs the overage amount (billing.md 3). */
export const creditPricing = definePricing({
  name: 'Credit',
  meaning: 'Units use credits from the customer’s grants. Each missing credit costs the overage amount.',
  fields: {
    credits_per_unit: {
      kind: 'quantity',
      default: '1',
      description: 'credits per unit',
      label: 'Credits per unit',
    },
    overage_unit_amount: {
      kind: 'amount',
      default: '0',
      description: 'the price of each credit that the grants do not cover',
      label: 'Overage amount per credit',
    },
  },
  is_metered: true,
  may_be_listed: false,
  may_fall: false,
  creditableUnits: ({ credits_per_unit }, quantity) => quantity.times(credits_per_unit),
  rate({ credits_per_unit, overage_unit_amount }, { quantity, credit }) {
    const credits_short = quantity.times(credits_per_unit).minus(credit);
    return {
      billable_quantity: credits_short,
      tiers: null,
      exact_amount: credits_short.times(overage_unit_amount),
    };
  },
  unitPrice: ({ overage_unit_amount }, { amount }) => `${amount(overage_unit_amount)} per credit`,
  creditsOf: ({ credits_per_unit }, units, { quantity }) =>
    `${quantity(units)} × ${quantity(credits_per_unit)} credits each`,
  calculation: ({ overage_unit_amount }, billable_quantity, formats) =>
    unitsTimesAmount(decimal(billable_quantity), overage_unit_amount, formats),
});
