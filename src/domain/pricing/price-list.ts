import type { Filters } from './charge.ts';
import { impossible } from '../money/errors.ts';
import { type ListedModel, type Pricing, type PricingOf, pricingOf } from './definitions.ts';

/** The events that a price is for: those that match, or, as the last one of a list, all that no other price matches. */
type Place =
  { readonly match: Filters; readonly default?: never } | { readonly default: true; readonly match?: never };

type PriceOf<M extends ListedModel> = M extends ListedModel
  ? Place & Omit<PricingOf<M>, 'pricing_model'>
  : never;

export type ListedPrice = PriceOf<ListedModel>;

/** The prices of a charge by the values of properties; each is a line of its own (contract.md 3). */
export type PriceList = { readonly pricing_model: ListedModel; readonly prices: readonly ListedPrice[] };

export function isPriceList(pricing: Pricing | PriceList): pricing is PriceList {
  return 'prices' in pricing;
}

/**
 * The pricing of a line: of the price at `price_index` of a list, else the charge's own. Throws if the list has no such
 * price.
 */
export function pricingAt(pricing: Pricing | PriceList, price_index: number | null): Pricing {
  if (!isPriceList(pricing)) return pricing;
  const price = pricing.prices[price_index ?? -1];
  if (price === undefined) throw impossible(`A charge has no price at the place ${price_index}.`);
  return pricingOf(pricing.pricing_model, price);
}

/** The number of prices in the lists of charges. */
export function countPrices(charges: readonly { pricing: Pricing | PriceList }[]): number {
  return charges.reduce((sum, { pricing }) => sum + (isPriceList(pricing) ? pricing.prices.length : 0), 0);
}
