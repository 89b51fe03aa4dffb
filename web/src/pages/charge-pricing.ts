import { type Pricing, pricingOf } from '../../../src/domain/pricing/definitions.ts';
import type { Charge } from '../api/objects.ts';

/**
 * The pricing of a line or a price: of the price at `price_index` of the charge's list, else the charge's own.
 * Undefined for an unknown price.
 */
export function pricingAt(charge: Charge, price_index: number | null): Pricing | undefined {
  const { pricing_model, prices } = charge;
  if (prices === null) return pricingOf(pricing_model, charge);
  const price = prices[price_index ?? -1];
  return price === undefined ? undefined : pricingOf(pricing_model, price);
}
