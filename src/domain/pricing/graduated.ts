import { type Decimal, ZERO, decimal, min } from '../money/decimal.ts';
import { definePricing } from './definition.ts';
import { type RatedTier, type Tier, TIERS_FIELD, rateTier, ratingOf } from './tiers.ts';

/** Each unit at its own tier's price. Units left after credit fill the tiers from the first on (billing.md 3 and 4). */
export const graduatedPricing = definePricing({
  name: 'Graduated',
  meaning:
    'Each unit costs the price of its own tier: the first units the price of the first tier, further units the price of the next tier.',
  fields: { tiers: TIERS_FIELD },
  is_metered: true,
  may_be_listed: true,
  may_fall: false,
  creditableUnits: (_, quantity) => quantity,
  rate: ({ tiers }, { quantity, credit }) => ratingOf(tiersReached(tiers, quantity.minus(credit))),
  unitPrice: () => 'by tier',
  tierRule: () => 'Each unit at the price of its own tier, and the flat amount of each tier that is reached',
  calculation: () => null,
});

function tiersReached(tiers: readonly Tier[], quantity: Decimal): RatedTier[] {
  const reached: RatedTier[] = [];
  let lower = ZERO;
  for (const tier of tiers) {
    // The first tier counts as reached at zero usage, so its flat amount is charged.
    if (reached.length > 0 && quantity.lte(lower)) break;
    const upper = tier.up_to === null ? quantity : min(quantity, decimal(tier.up_to));
    reached.push(rateTier(tier, upper.minus(lower)));
    lower = upper;
  }
  return reached;
}
