import { allowedTexts } from './charge.ts';
import { isPriceList, type ListedPrice, type PriceList } from './price-list.ts';
import type { Pricing } from './definitions.ts';

/**
 * The prices of a list that the values of one property allow, a bit for each price in its order: `masks[0]` for every
 * value that no price names, and for none; a value in `places` has the mask at that place. A price that does not name
 * the property is allowed by all of them.
 */
export type PropertyMasks = {
  property: string;
  masks: readonly string[];
  places: Readonly<Record<string, number>>;
};

/**
 * The masks of each property that the prices name. The price of an event is the first that the masks of all its values
 * allow: the default, which is the last one, is allowed by all.
 */
export function priceMasks(pricing: Pricing | PriceList): PropertyMasks[] {
  if (!isPriceList(pricing)) return [];
  const allowed = pricing.prices.map(({ match }: ListedPrice) => allowedTexts(match));
  const properties = new Set(allowed.flatMap((texts) => [...texts.keys()]));
  return [...properties].map((property) =>
    masksOf(
      property,
      allowed.map((texts) => texts.get(property)),
    ),
  );
}

/** The masks of a property by the texts that each price allows; undefined for a price that does not name it. */
function masksOf(property: string, allowed: readonly (ReadonlySet<string> | undefined)[]): PropertyMasks {
  const maskOf = (value: string | null) =>
    allowed
      .map((texts) => (texts === undefined || (value !== null && texts.has(value)) ? '1' : '0'))
      .join('');
  const named = new Set(allowed.flatMap((texts) => [...(texts ?? [])]));
  const byValue = [...named].map((value) => [value, maskOf(value)] as const);
  const masks = [...new Set([maskOf(null), ...byValue.map(([, mask]) => mask)])];
  const placeOf = new Map(masks.map((mask, place) => [mask, place]));
  return {
    property,
    masks,
    places: Object.fromEntries(byValue.map(([value, mask]) => [value, placeOf.get(mask)!])),
  };
}
