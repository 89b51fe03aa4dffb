import { filterText } from './charge.ts';
import { isPriceList, type ListedPrice, type PriceList } from './pricing/price-list.ts';
import type { Pricing } from './pricing/definitions.ts';

/**
 * Which prices of a list the values of one property allow, a bit for each price in its order: `masks[0]` for every value that no price
 * names, and for none; a value in `places` has the mask at that place. A price that does not name the property is allowed by all of them,
 * the default by none.
 */
export type PropertyMasks = {
  property: string;
  masks: readonly string[];
  places: Readonly<Record<string, number>>;
};

/** The masks of each property that the prices name. The price of an event is the one that the masks of all its values allow. */
export function priceMasks(pricing: Pricing | PriceList): PropertyMasks[] {
  if (!isPriceList(pricing)) return [];
  const { prices } = pricing;
  const properties = new Set(prices.flatMap(({ match = {} }) => Object.keys(match)));
  return [...properties].map((property) => masksOf(property, prices));
}

function masksOf(property: string, prices: readonly ListedPrice[]): PropertyMasks {
  const allowed = prices.map(({ match }) => {
    const values = match?.[property];
    return values === undefined ? match !== undefined : new Set(values.map(filterText));
  });
  const maskOf = (value: string | null) =>
    allowed
      .map((texts) => (typeof texts === 'boolean' ? texts : value !== null && texts.has(value)))
      .map((is_allowed) => (is_allowed ? '1' : '0'))
      .join('');
  const named = new Set(allowed.flatMap((texts) => (typeof texts === 'boolean' ? [] : [...texts])));
  const byValue = [...named].map((value) => [value, maskOf(value)] as const);
  const masks = [...new Set([maskOf(null), ...byValue.map(([, mask]) => mask)])];
  const placeOf = new Map(masks.map((mask, place) => [mask, place]));
  return {
    property,
    masks,
    places: Object.fromEntries(byValue.map(([value, mask]) => [value, placeOf.get(mask)!])),
  };
}

/** The place of the price for events that no other price is for; -1 if the list has none. */
export function defaultPlace(pricing: Pricing | PriceList): number {
  return isPriceList(pricing) ? pricing.prices.findIndex((price) => price.default) : -1;
}
