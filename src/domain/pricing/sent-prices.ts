import { type AllowedTexts, allowedTexts, type Filters } from './charge.ts';
import type { Pricing, PricingField } from './definitions.ts';
import type { ErrorDetail } from '../money/errors.ts';
import type { ListedPrice, PriceList } from './price-list.ts';

/** A tier as clients send it. */
export type SentTier = { up_to: string | null; unit_amount: string; flat_amount?: string };

/** The fields of one price, of any model, as clients send them. */
export type SentPricing = { [Name in PricingField]?: Name extends 'tiers' ? SentTier[] : string };

/** A price as clients send it; priceFaults refuses one with both a match and `default`, or neither. */
export type SentPrice = SentPricing & { match?: Filters; default?: true };

/** Limit of prices in all charges of a plan. */
export const PLAN_PRICES_MAX = 1000;

/**
 * Faults of a list of prices that a schema cannot find: a price that is both for some values and for all, or for none,
 * a default that is not the last price, two prices for the same event, and what `faultsOf` finds in each. `param` is
 * relative to the charge.
 */
export function priceFaults(
  prices: readonly SentPrice[],
  faultsOf: (price: SentPricing) => readonly ErrorDetail[],
): ErrorDetail[] {
  const matches = prices.map(({ match }) => (match === undefined ? null : allowedTexts(match)));
  return prices.flatMap((price, index) => {
    const param = `prices[${index}]`;
    const own_faults = faultsOf(price).map((fault) => ({
      ...fault,
      param: `${param}.${fault.param}`,
      message: `${param}.${fault.message}`,
    }));
    return [...placeFaults(prices, index), ...overlapFaults(matches, index), ...own_faults];
  });
}

function placeFaults(prices: readonly SentPrice[], index: number): ErrorDetail[] {
  const price = prices[index]!;
  const param = `prices[${index}]`;
  const { match } = price;
  if (match === undefined && price.default === undefined)
    return [
      { param: `${param}.match`, reason: 'missing', message: `${param} has neither match nor default` },
    ];
  if (match !== undefined && price.default !== undefined) {
    const message = `${param}.default is not allowed beside match`;
    return [{ param: `${param}.default`, reason: 'not_allowed', message }];
  }
  if (match === undefined && index < prices.length - 1) {
    const message = `${param}.default must be the last price`;
    return [{ param: `${param}.default`, reason: 'out_of_order', message }];
  }
  return [];
}

function overlapFaults(matches: readonly (AllowedTexts | null)[], index: number): ErrorDetail[] {
  const match = matches[index]!;
  if (match === null) return [];
  const earlier = matches.findIndex((other, at) => at < index && other !== null && overlap(other, match));
  if (earlier === -1) return [];
  const param = `prices[${index}].match`;
  const message = `${param} is for events that prices[${earlier}] is for too`;
  return [{ param, reason: 'overlapping_prices', message }];
}

/** Two prices are for different events if a property that both name has no value in common. */
function overlap(a: AllowedTexts, b: AllowedTexts): boolean {
  return [...a].every(([name, texts]) => {
    const other_texts = b.get(name);
    return other_texts === undefined || [...texts].some((text) => other_texts.has(text));
  });
}

/** The list as it is stored. The caller has run priceFaults. */
export function priceListOf(
  pricing_model: PriceList['pricing_model'],
  prices: readonly SentPrice[],
  pricingOf: (price: SentPricing) => Pricing,
): PriceList {
  return {
    pricing_model,
    prices: prices.map((price) => ({ ...placeOf(price), ...fieldsOf(pricingOf(price)) }) as ListedPrice),
  };
}

function placeOf({ match }: SentPrice): { match: Filters } | { default: true } {
  return match === undefined ? { default: true } : { match };
}

function fieldsOf({ pricing_model: _model, ...fields }: Pricing): object {
  return fields;
}
