import type { PricingOf } from '../charge.ts';
import { ZERO, decimal, divide, max } from '../decimal.ts';
import type { Model } from './model.ts';

/** Begun packages, at one amount each; free units come off before credit (billing.md 3). */
export function packageModel({ package_size, package_amount, free_units }: PricingOf<'package'>): Model {
  const creditableUnits: Model['creditableUnits'] = (quantity) => max(ZERO, quantity.minus(free_units));
  return {
    creditableUnits,
    rate: ({ quantity, credit }) => {
      const billable_quantity = creditableUnits(quantity).minus(credit);
      const packages = divide(billable_quantity, decimal(package_size), 0, 'away_from_zero');
      return { billable_quantity, tiers: null, exact_amount: packages.times(package_amount) };
    },
  };
}
