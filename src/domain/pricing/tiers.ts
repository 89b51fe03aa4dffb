import { type Decimal, decimal, sum } from '../money/decimal.ts';
import type { Rating } from './definition.ts';

/** `up_to` is inclusive, and null on the last tier alone. Prices are canonical decimals in major units. */
export type Tier = { up_to: string | null; unit_amount: string; flat_amount: string | null };

/** The part of a line that lies in one tier. */
export type RatedTier = { tier: Tier; quantity: Decimal; amount: Decimal };

/** The field of every model with tiers. */
export const TIERS_FIELD = {
  kind: 'tiers',
  description: '`up_to` is the inclusive upper limit, strictly increasing, and null for the last tier',
  label: 'Tiers',
} as const;

/** Units at the tier's price, and its flat amount once. */
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
