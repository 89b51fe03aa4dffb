import type { Aggregation, Charge, Filters } from './charge.ts';
import type { ErrorDetail } from '../money/errors.ts';
import {
  isListedModel,
  isPricingField,
  LISTED_MODELS,
  MODELS,
  type Pricing,
  type PricingField,
  type PricingModel,
  pricingOf,
} from './definitions.ts';
import { pricingFaults } from './faults.ts';
import type { PriceList } from './price-list.ts';
import { priceFaults, priceListOf, type SentPrice, type SentPricing, type SentTier } from './sent-prices.ts';
import type { Tier } from './tiers.ts';

/** A charge as clients send it, with the fields of any model. */
export type SentCharge = SentPricing & {
  event_name: string;
  name?: string;
  unit_name?: string;
  pricing_model?: PricingModel;
  aggregation?: { type: Aggregation['type']; property?: string };
  filters?: Filters;
  prices?: SentPrice[];
  group_by?: string[];
};

/** The price of the charge at a place of the base, as clients send it. */
export type SentOverride = Pick<SentCharge, 'pricing_model' | 'prices'> & SentPricing & { charge: number };

/** A price, as it is judged: its fields, and the selection that its model must go with. */
export type PricedSelection = SentPricing &
  Pick<SentCharge, 'aggregation' | 'prices'> & { group_by?: readonly string[] };

/**
 * Faults of a charge that a schema cannot find: fields of another model, prices that cannot be rated. `param` is
 * relative to the charge.
 */
export function chargeFaults(charge: PricedSelection, model: PricingModel): ErrorDetail[] {
  const faults = [...dimensionFaults(charge, model), ...aggregationFaults(charge, model)];
  const { prices, ...single } = charge;
  if (prices === undefined) return [...faults, ...singlePriceFaults(charge, model)];
  return [
    ...faults,
    ...ownFields(single),
    ...priceFaults(prices, (price) => singlePriceFaults(price, model)),
  ];
}

/** Faults with their place before `param` and message. */
export function faultsAt(place: string, faults: readonly ErrorDetail[]): ErrorDetail[] {
  return faults.map((fault) => ({
    ...fault,
    param: `${place}.${fault.param}`,
    message: `${place}.${fault.message}`,
  }));
}

/** `prices` and `group_by` are for models whose lines may be divided. */
function dimensionFaults(charge: PricedSelection, model: PricingModel): ErrorDetail[] {
  if (isListedModel(model)) return groupFaults(charge);
  const names = (['prices', 'group_by'] as const).filter((name) => charge[name] !== undefined);
  const models = LISTED_MODELS.join(', ');
  return names.map((name) => notAllowed(name, `${name} is only for the pricing models ${models}`));
}

function groupFaults({ group_by = [] }: PricedSelection): ErrorDetail[] {
  const place = group_by.findIndex((name, at) => group_by.indexOf(name) < at);
  const param = `group_by[${place}]`;
  return place === -1 ? [] : [notAllowed(param, `${param} is the same property as one before`)];
}

/** The fields of a price beside a list of prices. */
export function ownFields(price: SentPricing): ErrorDetail[] {
  return sentFields(price).map((name) =>
    notAllowed(name, `${name} is not allowed beside prices; give it to each price`),
  );
}

function singlePriceFaults(price: SentPricing, model: PricingModel): ErrorDetail[] {
  const faults = fieldFaults(price, model);
  return faults.length > 0 ? faults : pricingFaults(pricingOfSent(price, model));
}

function fieldFaults(price: SentPricing, model: PricingModel): ErrorDetail[] {
  const { fields } = MODELS[model];
  const names: string[] = sentFields(price);
  const absent = Object.keys(fields).filter(
    (name) => fields[name]!.default === undefined && !names.includes(name),
  );
  return [
    ...absent.map((field) => missing(field, `${field} is missing; the pricing model ${model} requires it`)),
    ...foreignFields(price, model),
  ];
}

/** The fields of other models. */
export function foreignFields(price: SentPricing, model: PricingModel): ErrorDetail[] {
  const foreign = sentFields(price).filter((name) => !Object.hasOwn(MODELS[model].fields, name));
  return foreign.map((field) => notAllowed(field, `${field} is not a field of the pricing model ${model}`));
}

/** The names of the fields of prices that were sent. */
export function sentFields(price: SentPricing): PricingField[] {
  return Object.keys(price)
    .filter((name) => isPricingField(name))
    .filter((name) => price[name] !== undefined);
}

function aggregationFaults({ aggregation }: PricedSelection, model: PricingModel): ErrorDetail[] {
  const { type, property } = aggregation ?? { type: 'count' };
  const { aggregations } = MODELS[model];
  if (aggregations !== undefined && !aggregations.includes(type)) {
    const param = 'aggregation.type';
    return [
      notAllowed(param, `${param} must be ${aggregations.join(' or ')} for the pricing model ${model}`),
    ];
  }
  const param = 'aggregation.property';
  if (type === 'count' && property !== undefined)
    return [notAllowed(param, `${param} is not allowed with the type count`)];
  if (type !== 'count' && property === undefined)
    return [missing(param, `${param} is missing; the type ${type} requires it`)];
  return [];
}

/** A charge without faults, as it is stored; without an id. */
export function chargeFrom(charge: SentCharge, model: PricingModel): Omit<Charge, 'id'> {
  const { event_name, name = null, unit_name = null, filters = {}, group_by = null } = charge;
  return {
    event_name,
    name,
    unit_name,
    aggregation: aggregationOf(charge),
    filters: Object.keys(filters).length === 0 ? null : filters,
    pricing: pricingFrom(charge, model),
    group_by,
  };
}

function aggregationOf({ aggregation }: SentCharge): Aggregation {
  if (aggregation === undefined || aggregation.type === 'count') return { type: 'count' };
  return { type: aggregation.type, property: aggregation.property! };
}

/** The price of a charge without faults, as it is stored. */
export function pricingFrom(
  charge: SentPricing & Pick<SentCharge, 'prices'>,
  model: PricingModel,
): Pricing | PriceList {
  if (charge.prices === undefined || !isListedModel(model)) return pricingOfSent(charge, model);
  return priceListOf(model, charge.prices, (price) => pricingOfSent(price, model));
}

/** A price without faults, as it is stored: every required field is there. */
export function pricingOfSent(price: SentPricing, model: PricingModel): Pricing {
  return pricingOf(model, storedFields(price));
}

/** The fields of a price as they are stored. */
export function storedFields({ tiers, ...fields }: SentPricing): Readonly<Record<string, unknown>> {
  return tiers === undefined ? fields : { ...fields, tiers: tiers.map(tierOf) };
}

function tierOf({ up_to, unit_amount, flat_amount }: SentTier): Tier {
  return { up_to, unit_amount, flat_amount: flat_amount ?? null };
}

function missing(param: string, message: string): ErrorDetail {
  return { param, reason: 'missing', message };
}

function notAllowed(param: string, message: string): ErrorDetail {
  return { param, reason: 'not_allowed', message };
}
