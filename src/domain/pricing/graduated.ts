import type { PricingOf, Tier } from '../charge.ts';
import { type Decimal, ZERO, decimal, min } from '../decimal.ts';
import { type Model, type RatedTier, rateTier, ratingOf } from './model.ts';

/** Each unit at its own tier's price; what credit leaves is rated from the first tier on (billing.md 3 and 4). */
export function graduatedModel({ tiers }: PricingOf<'graduated'>): Model {
  return {
    creditableUnits: (quantity) => quantity,
    rate: ({ quantity, credit }) => ratingOf(tiersReached(tiers, quantity.minus(credit))),
  };
}

function tiersReached(tiers: readonly Tier[], quantity: Decimal): RatedTier[] {
  const reached: RatedTier[] = [];
  let lower = ZERO;
  for (const tier of tiers) {
    // The first tier counts as reached at zero usage: its flat is charged.
    if (reached.length > 0 && quantity.lte(lower)) break;
    const upper = tier.up_to === null ? quantity : min(quantity, decimal(tier.up_to));
    reached.push(rateTier(tier, upper.minus(lower)));
    lower = upper;
  }
  return reached;
}
