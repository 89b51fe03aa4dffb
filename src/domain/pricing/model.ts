import type { Tier } from '../charge.ts';
import { type Decimal, decimal, sum } from '../decimal.ts';
import type { Fraction } from '../period.ts';

/** What is to be rated. `credit` is in creditable units, never more than `creditableUnits(quantity)`. */
type RatedUsage = { quantity: Decimal; credit: Decimal; fraction: Fraction };

/** The part of a line that lies in one tier. */
export type RatedTier = { tier: Tier; quantity: Decimal; amount: Decimal };

/** Before any rounding; `billable_quantity` is what is charged for (contract.md 7). */
export type Rating = {
  billable_quantity: Decimal;
  tiers: readonly RatedTier[] | null;
  exact_amount: Decimal;
};

/** A pricing model, bound to the prices of one charge. */
export type Model = {
  /** How many units credit can cover of this quantity. */
  creditableUnits(quantity: Decimal): Decimal;
  rate(usage: RatedUsage): Rating;
};

/** Units at the tier's price, and its flat once. */
export function rateTier(tier: Tier, quantity: Decimal): RatedTier {
  return { tier, quantity, amount: quantity.times(tier.unit_amount).plus(decimal(tier.flat_amount ?? '0')) };
}

/** A line is the sum of its tiers. */
export function ratingOf(tiers: readonly RatedTier[]): Rating {
  return {
    billable_quantity: sum(tiers.map(({ quantity }) => quantity)),
    tiers,
    exact_amount: sum(tiers.map(({ amount }) => amount)),
  };
}
