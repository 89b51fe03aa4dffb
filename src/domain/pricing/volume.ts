import type { PricingOf, Tier } from '../charge.ts';
import { type Decimal, canonical } from '../decimal.ts';
import { impossible } from '../errors.ts';
import { type Model, rateTier, ratingOf } from './model.ts';

/**
 * All units at the price of one tier. The gross quantity picks it and the net one is charged: credit that picked the
 * tier could fall back into a dearer one and raise the invoice (billing.md 4).
 */
export function volumeModel({ tiers }: PricingOf<'volume'>): Model {
  return {
    creditableUnits: (quantity) => quantity,
    rate: ({ quantity, credit }) => ratingOf([rateTier(tierOf(tiers, quantity), quantity.minus(credit))]),
  };
}

function tierOf(tiers: readonly Tier[], quantity: Decimal): Tier {
  const tier = tiers.find(({ up_to }) => up_to === null || quantity.lte(up_to));
  if (tier === undefined)
    throw impossible(
      `No tier of the charge covers the quantity ${canonical(quantity)}: its last tier has an end.`,
    );
  return tier;
}
