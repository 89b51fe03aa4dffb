import { type Decimal, canonical } from '../money/decimal.ts';
import { impossible } from '../money/errors.ts';
import { definePricing } from './definition.ts';
import { type Tier, TIERS_FIELD, rateTier, ratingOf } from './tiers.ts';

/**
 * All units at the price of one tier. The gross quantity picks the tier, and the quantity less credit is charged: if
 * the net quantity picked it, credit could move the line into a tier with a higher price and raise the invoice
 * (billing.md 4).
 */
export const volumePricing = definePricing({
  name: 'Volume',
  meaning: 'The tier of the total quantity sets the price of all units, including the first units.',
  fields: { tiers: TIERS_FIELD },
  is_metered: true,
  may_be_listed: true,
  may_fall: true,
  creditableUnits: (_, quantity) => quantity,
  rate: ({ tiers }, { quantity, credit }) =>
    ratingOf([rateTier(tierOf(tiers, quantity), quantity.minus(credit))]),
  unitPrice: () => 'by tier',
  tierRule: (quantity) => `All units at the price of the tier for the quantity ${quantity}`,
  calculation: () => null,
});

function tierOf(tiers: readonly Tier[], quantity: Decimal): Tier {
  const tier = tiers.find(({ up_to }) => up_to === null || quantity.lte(up_to));
  if (tier === undefined)
    throw impossible(
      `No tier of the charge covers the quantity ${canonical(quantity)}, because its last tier has an upper limit.`,
    );
  return tier;
}
