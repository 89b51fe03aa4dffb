import {
  type Aggregation,
  type Charge,
  overlappingCharges,
  sharedQuantity,
} from '../../src/domain/pricing/charge.ts';
import { PLAN_PRICES_MAX, priceFaults, priceListOf } from './prices.ts';
import type { PriceList } from '../../src/domain/pricing/price-list.ts';
import { BillingError, invalid, type ErrorDetail } from '../../src/domain/money/errors.ts';
import {
  isListedModel,
  isPricingField,
  LISTED_MODELS,
  MODELS,
  type Pricing,
  type PricingModel,
  pricingOf,
} from '../../src/domain/pricing/definitions.ts';
import { pricingFaults } from '../../src/domain/pricing/faults.ts';
import type { Tier } from '../../src/domain/pricing/tiers.ts';
import { newId } from '../../src/keys/ids.ts';
import type { SentCharge, SentPricing, SentTier } from './charge-schema.ts';

/**
 * The charges of a new plan, as they are stored; a charge without a model has the plan's. Throws invalid_request with
 * all faults that a schema cannot find: fields of another model, prices that cannot be rated, two charges that bill the
 * same events.
 */
export function chargesOf(
  sent_charges: readonly SentCharge[],
  plan_model: PricingModel | undefined,
): Charge[] {
  const faults = sent_charges.flatMap((charge, index) =>
    chargeFaults(charge, `charges[${index}]`, plan_model),
  );
  if (faults.length > 0) throw new BillingError('invalid_request', faults);
  const price_count = sent_charges.reduce((sum, { prices = [] }) => sum + prices.length, 0);
  if (price_count > PLAN_PRICES_MAX)
    throw invalid(
      'charges',
      'too_many',
      `charges have ${price_count} prices, but may have ${PLAN_PRICES_MAX}`,
    );
  const charges = sent_charges.map((charge) => chargeOf(charge, plan_model));
  const overlap = overlappingCharges(charges);
  if (overlap !== null) throw new BillingError('invalid_request', [overlapFault(overlap)]);
  const shared = sharedQuantity(charges);
  if (shared !== null) throw new BillingError('invalid_request', [quantityFault(shared)]);
  return charges;
}

/** The prices of a charge that belongs to no plan, at `param` of a body. Throws invalid_request as chargesOf does. */
export function pricingOfCharge(charge: SentCharge, param: string): Pricing {
  const { pricing_model } = charge;
  if (pricing_model === undefined)
    throw invalid(`${param}.pricing_model`, 'missing', `${param}.pricing_model is missing`);
  const faults = [...listFaults(charge, param), ...chargeFaults(charge, param, pricing_model)];
  if (faults.length > 0) throw new BillingError('invalid_request', faults);
  return pricingOfSent(charge, pricing_model);
}

/** One price is asked for. */
function listFaults({ prices }: SentCharge, param: string): ErrorDetail[] {
  return prices === undefined
    ? []
    : [notAllowed(`${param}.prices`, `${param}.prices is not allowed here; send the fields of one price`)];
}

function chargeFaults(
  charge: SentCharge,
  param: string,
  plan_model: PricingModel | undefined,
): ErrorDetail[] {
  const model = charge.pricing_model ?? plan_model;
  if (model === undefined)
    return [missing('pricing_model', `${param}.pricing_model is missing, and the plan has no pricing_model`)];
  const place = `${param}.`;
  const faults = [...dimensionFaults(charge, model), ...aggregationFaults(charge, model)];
  const { prices, ...single } = charge;
  if (prices === undefined) faults.push(...singlePriceFaults(charge, model));
  else faults.push(...ownFields(single), ...priceFaults(prices, (price) => singlePriceFaults(price, model)));
  return faults.map((fault) => ({ ...fault, param: place + fault.param, message: place + fault.message }));
}

/** `prices` and `group_by` are for models whose lines may be divided. */
function dimensionFaults(charge: SentCharge, model: PricingModel): ErrorDetail[] {
  if (isListedModel(model)) return groupFaults(charge);
  const names = (['prices', 'group_by'] as const).filter((name) => charge[name] !== undefined);
  const models = LISTED_MODELS.join(', ');
  return names.map((name) => notAllowed(name, `${name} is only for the pricing models ${models}`));
}

function groupFaults({ group_by = [] }: SentCharge): ErrorDetail[] {
  const place = group_by.findIndex((name, at) => group_by.indexOf(name) < at);
  const param = `group_by[${place}]`;
  return place === -1 ? [] : [notAllowed(param, `${param} is the same property as one before`)];
}

/** The fields of a price beside a list of prices. */
function ownFields(price: SentPricing): ErrorDetail[] {
  const names = Object.keys(price).filter((name) => isPricingField(name) && price[name] !== undefined);
  return names.map((name) => notAllowed(name, `${name} is not allowed beside prices; give it to each price`));
}

function singlePriceFaults(price: SentPricing, model: PricingModel): ErrorDetail[] {
  const faults = fieldFaults(price, model);
  return faults.length > 0 ? faults : pricingFaults(pricingOfSent(price, model));
}

function fieldFaults(price: SentPricing, model: PricingModel): ErrorDetail[] {
  const { fields } = MODELS[model];
  const names = Object.keys(price).filter((name) => isPricingField(name) && price[name] !== undefined);
  const absent = Object.keys(fields).filter(
    (name) => fields[name]!.default === undefined && !names.includes(name),
  );
  const foreign = names.filter((name) => !Object.hasOwn(fields, name));
  return [
    ...absent.map((field) => missing(field, `${field} is missing; the pricing model ${model} requires it`)),
    ...foreign.map((field) => notAllowed(field, `${field} is not a field of the pricing model ${model}`)),
  ];
}

function aggregationFaults({ aggregation }: SentCharge, model: PricingModel): ErrorDetail[] {
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

function missing(param: string, message: string): ErrorDetail {
  return { param, reason: 'missing', message };
}

function notAllowed(param: string, message: string): ErrorDetail {
  return { param, reason: 'not_allowed', message };
}

function overlapFault([earlier, later]: readonly [number, number]): ErrorDetail {
  const message = `charges[${later}] bills the same events in the same way as charges[${earlier}]`;
  return { param: `charges[${later}]`, reason: 'overlapping_charges', message };
}

function quantityFault([earlier, later]: readonly [number, number]): ErrorDetail {
  const message = `charges[${later}] has the event_name of charges[${earlier}], but that of a quantity is of one charge alone`;
  return { param: `charges[${later}]`, reason: 'overlapping_charges', message };
}

function chargeOf(charge: SentCharge, plan_model: PricingModel | undefined): Charge {
  const { event_name, name = null, unit_name = null, filters = {}, group_by = null } = charge;
  return {
    id: newId('chg'),
    event_name,
    name,
    unit_name,
    aggregation: aggregationOf(charge),
    filters: Object.keys(filters).length === 0 ? null : filters,
    // chargeFaults refused a charge without a model.
    pricing: chargePricingOf(charge, (charge.pricing_model ?? plan_model)!),
    group_by,
  };
}

function aggregationOf({ aggregation }: SentCharge): Aggregation {
  if (aggregation === undefined || aggregation.type === 'count') return { type: 'count' };
  return { type: aggregation.type, property: aggregation.property! };
}

function chargePricingOf(charge: SentCharge, model: PricingModel): Pricing | PriceList {
  if (charge.prices === undefined || !isListedModel(model)) return pricingOfSent(charge, model);
  return priceListOf(model, charge.prices, (price) => pricingOfSent(price, model));
}

/** The caller has run fieldFaults, so that every required field is there. */
function pricingOfSent(price: SentPricing, model: PricingModel): Pricing {
  return pricingOf(model, { ...price, tiers: price.tiers?.map(tierOf) });
}

function tierOf({ up_to, unit_amount, flat_amount }: SentTier): Tier {
  return { up_to, unit_amount, flat_amount: flat_amount ?? null };
}
