import { BillingError, invalid, type ErrorDetail } from '../money/errors.ts';
import { overlappingCharges, type Charge } from './charge.ts';
import { pricingOf, type Pricing, type PricingModel } from './definitions.ts';
import { pricingFaults } from './faults.ts';
import { countPrices, isPriceList, type PriceList } from './price-list.ts';
import {
  chargeFaults,
  faultsAt,
  foreignFields,
  ownFields,
  pricingFrom,
  storedFields,
  type SentOverride,
} from './sent-charge.ts';
import { PLAN_PRICES_MAX } from './sent-prices.ts';

/** A charge of a plan that is not stored yet. */
export type ChargeTerms = Omit<Charge, 'id'>;

/**
 * The charges of a custom plan: those of its base, with other prices where an override names their place (billing.md
 * 12). Throws invalid_request with the faults of the overrides.
 */
export function overriddenCharges(
  base: readonly ChargeTerms[],
  overrides: readonly SentOverride[],
): ChargeTerms[] {
  refuse(overrides.flatMap((_, index) => placeFaults(base.length, overrides, index)));
  refuse(
    overrides.flatMap((override, index) =>
      faultsAt(`overrides[${index}]`, priceFaultsOf(base[override.charge]!, override)),
    ),
  );
  const charges = base.map((charge, place) => {
    const override = overrides.find((one) => one.charge === place);
    return override === undefined ? charge : { ...charge, pricing: pricingBy(charge, override) };
  });
  const price_count = countPrices(charges);
  if (price_count > PLAN_PRICES_MAX) {
    const message = `overrides give the charges ${price_count} prices, but they may have ${PLAN_PRICES_MAX}`;
    throw invalid('overrides', 'too_many', message);
  }
  const overlap = overlappingCharges(charges);
  if (overlap !== null) refuse([overlapFault(overrides, overlap)]);
  return charges;
}

function refuse(faults: readonly ErrorDetail[]): void {
  if (faults.length > 0) throw new BillingError('invalid_request', faults);
}

function placeFaults(length: number, overrides: readonly SentOverride[], index: number): ErrorDetail[] {
  const { charge } = overrides[index]!;
  const param = `overrides[${index}].charge`;
  if (charge >= length) {
    const message = `${param} must be at most ${length - 1}, the place of the last charge of the base`;
    return [{ param, reason: 'out_of_range', message }];
  }
  const earlier = overrides.findIndex((other) => other.charge === charge);
  if (earlier === index) return [];
  return [{ param, reason: 'not_allowed', message: `${param} is the charge of overrides[${earlier}] too` }];
}

/** Faults of the price that a charge has by an override; `param` is relative to the override. */
function priceFaultsOf(charge: ChargeTerms, override: SentOverride): ErrorDetail[] {
  if (isWhole(override)) {
    const { aggregation, group_by } = charge;
    const priced = { ...override, aggregation, ...(group_by === null ? {} : { group_by }) };
    return chargeFaults(priced, modelBy(charge, override)).map(withoutSelection(charge, override));
  }
  if (isPriceList(charge.pricing)) return ownFields(override);
  const foreign = foreignFields(override, charge.pricing.pricing_model);
  return foreign.length > 0 ? foreign : pricingFaults(mergedPricing(charge.pricing, override));
}

/** Nothing of the base's price is left with a model or with a list of prices. */
function isWhole({ pricing_model, prices }: SentOverride): boolean {
  return pricing_model !== undefined || prices !== undefined;
}

function modelBy({ pricing }: ChargeTerms, { pricing_model }: SentOverride): PricingModel {
  return pricing_model ?? pricing.pricing_model;
}

/** A fault of what the base selects is one of the model that does not go with it. */
function withoutSelection(
  { aggregation, group_by }: ChargeTerms,
  { pricing_model }: SentOverride,
): (fault: ErrorDetail) => ErrorDetail {
  return (fault) => {
    const of_groups = fault.param === 'group_by';
    if (!of_groups && fault.param !== 'aggregation.type') return fault;
    const selected = of_groups ? `group_by ${group_by!.join(', ')}` : `aggregation ${aggregation.type}`;
    const message = `pricing_model ${pricing_model} does not go with the ${selected} of the charge`;
    return { ...fault, param: 'pricing_model', message };
  };
}

function pricingBy(charge: ChargeTerms, override: SentOverride): Pricing | PriceList {
  const { pricing } = charge;
  if (isWhole(override)) return pricingFrom(override, modelBy(charge, override));
  // priceFaultsOf refused a field beside a list.
  return isPriceList(pricing) ? pricing : mergedPricing(pricing, override);
}

function mergedPricing(pricing: Pricing, override: SentOverride): Pricing {
  return pricingOf(pricing.pricing_model, { ...pricing, ...storedFields(override) });
}

/** The base's charges do not overlap, so one of both has an override. */
function overlapFault(
  overrides: readonly SentOverride[],
  [earlier, later]: readonly [number, number],
): ErrorDetail {
  const index = overrides.findIndex(({ charge }) => charge === later || charge === earlier);
  const [place, other] = overrides[index]!.charge === later ? [later, earlier] : [earlier, later];
  const param = `overrides[${index}]`;
  const message = `by ${param} charge ${place} bills the same events in the same way as charge ${other}`;
  return { param, reason: 'overlapping_charges', message };
}
