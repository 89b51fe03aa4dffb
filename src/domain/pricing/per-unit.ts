import type { PricingOf } from '../charge.ts';
import type { Model } from './model.ts';

/** Every unit at one price (billing.md 3). */
export function perUnitModel({ unit_amount }: PricingOf<'per_unit'>): Model {
  return {
    creditableUnits: (quantity) => quantity,
    rate: ({ quantity, credit }) => {
      const billable_quantity = quantity.minus(credit);
      return { billable_quantity, tiers: null, exact_amount: billable_quantity.times(unit_amount) };
    },
  };
}
