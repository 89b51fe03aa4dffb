import type { PricingOf } from '../charge.ts';
import type { Model } from './model.ts';

/** Every unit costs credits, taken from grants; each credit short costs the overage amount (billing.md 3). */
export function creditModel({ credits_per_unit, overage_unit_amount }: PricingOf<'credit'>): Model {
  return {
    creditableUnits: (quantity) => quantity.times(credits_per_unit),
    rate: ({ quantity, credit }) => {
      const credits_short = quantity.times(credits_per_unit).minus(credit);
      return {
        billable_quantity: credits_short,
        tiers: null,
        exact_amount: credits_short.times(overage_unit_amount),
      };
    },
  };
}
