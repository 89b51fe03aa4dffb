import { Type, type Static } from 'typebox';
import type { Aggregation, Charge, Filters, Pricing, PricingModel, Tier } from '../../src/domain/charge.ts';
import { overlappingCharges, PRICING_MODELS, pricingFaults } from '../../src/domain/charge.ts';
import { BillingError, invalid, type ErrorDetail } from '../../src/domain/errors.ts';
import { newId } from '../../src/ids.ts';
import { decimalText, Identifier, Name, orNull, PRINTABLE } from '../schema/schemas.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';

const FIFTEEN = { whole_max: 15, scale_max: 15 };
const Price = decimalText(FIFTEEN, 'In major units of the currency, up to 15 decimals.');
const Quantity = decimalText(FIFTEEN, 'Up to 15 decimals.');

function priceOf(model: PricingModel, what: string) {
  return Type.Optional(decimalText(FIFTEEN, `Model ${model}: ${what}, in major units, up to 15 decimals.`));
}

function quantityOf(model: PricingModel, what: string) {
  return Type.Optional(decimalText(FIFTEEN, `Model ${model}: ${what}.`));
}

const NewTier = exactly({
  up_to: orNull(Quantity),
  unit_amount: Price,
  flat_amount: Type.Optional(Price),
});

const FilterValue = Type.Unsafe<string | number | boolean>({
  type: ['string', 'number', 'boolean'],
  maxLength: 255,
  'x-number': true,
});

/** Every field that some model has; fieldFaults says which belong to which. */
export const NewCharge = exactly({
  event_name: Identifier,
  name: Type.Optional(Name),
  unit_name: Type.Optional(
    Type.String({
      ...PRINTABLE,
      description: 'What is counted, in the plural, as invoices say it: `minutes`.',
    }),
  ),
  pricing_model: Type.Optional(oneOf(PRICING_MODELS)),
  aggregation: Type.Optional(
    exactly({
      type: oneOf(['count', 'sum', 'max', 'unique', 'latest']),
      property: Type.Optional(Identifier),
    }),
  ),
  filters: Type.Optional(
    Type.Unsafe<Filters>({
      type: 'object',
      maxProperties: 20,
      propertyNames: Identifier,
      additionalProperties: { type: 'array', minItems: 1, maxItems: 100, items: FilterValue },
      description: 'The values that a property may have, for each property; an event must match all of them.',
      examples: [{ region: ['eu', 'us'] }],
    }),
  ),
  flat_amount: priceOf('flat', 'the price of a period'),
  unit_amount: priceOf('per_unit', 'the price of a unit'),
  tiers: Type.Optional(
    Type.Array(NewTier, {
      minItems: 1,
      maxItems: 1000,
      description:
        'Models graduated and volume: `up_to` is inclusive, strictly rising, and null on the last.',
    }),
  ),
  package_size: quantityOf('package', 'units in a package'),
  package_amount: priceOf('package', 'the price of a package'),
  free_units: quantityOf('package', 'units that are free, 0 when left out'),
  credits_per_unit: quantityOf('credit', 'credits that a unit takes, 1 when left out'),
  overage_unit_amount: priceOf('credit', 'the price of a credit short, 0 when left out'),
});

type Sent = Static<typeof NewCharge>;
type Field = Exclude<
  keyof Sent,
  'event_name' | 'name' | 'unit_name' | 'pricing_model' | 'aggregation' | 'filters'
>;

/** Fields of each model: those that must be there, then those that may (contract.md 3). */
const FIELDS: Record<PricingModel, readonly [required: readonly Field[], optional: readonly Field[]]> = {
  flat: [['flat_amount'], []],
  per_unit: [['unit_amount'], []],
  graduated: [['tiers'], []],
  volume: [['tiers'], []],
  package: [['package_size', 'package_amount'], ['free_units']],
  credit: [[], ['credits_per_unit', 'overage_unit_amount']],
};
const ALL_FIELDS = [...new Set(Object.values(FIELDS).flat(2))];

/**
 * The charges of a new plan, as they are stored; one that names no model has the plan's. Throws invalid_request with everything
 * that a schema cannot say: fields of another model, prices that cannot be rated, two charges that bill the same.
 */
export function chargesOf(sent: readonly Sent[], plan_model: PricingModel | undefined): Charge[] {
  const faults = sent.flatMap((charge, index) => chargeFaults(charge, `charges[${index}]`, plan_model));
  if (faults.length > 0) throw new BillingError('invalid_request', faults);
  const charges = sent.map((charge) => chargeOf(charge, plan_model));
  const overlap = overlappingCharges(charges);
  if (overlap !== null) throw new BillingError('invalid_request', [overlapFault(overlap)]);
  return charges;
}

/** The prices of a charge that belongs to no plan, at `param` of a body. Throws invalid_request as chargesOf does. */
export function pricingOfCharge(sent: Sent, param: string): Pricing {
  const { pricing_model } = sent;
  if (pricing_model === undefined)
    throw invalid(`${param}.pricing_model`, 'missing', `${param}.pricing_model is missing`);
  const faults = chargeFaults(sent, param, pricing_model);
  if (faults.length > 0) throw new BillingError('invalid_request', faults);
  return pricingOf(sent, pricing_model);
}

function chargeFaults(sent: Sent, param: string, plan_model: PricingModel | undefined): ErrorDetail[] {
  const model = sent.pricing_model ?? plan_model;
  if (model === undefined)
    return [missing('pricing_model', `${param} names no pricing_model, so the plan must`)];
  const place = `${param}.`;
  const faults = [...fieldFaults(sent, model), ...aggregationFaults(sent)];
  if (faults.length === 0) faults.push(...pricingFaults(pricingOf(sent, model)));
  return faults.map((fault) => ({ ...fault, param: place + fault.param, message: place + fault.message }));
}

function fieldFaults(sent: Sent, model: PricingModel): ErrorDetail[] {
  const [required, optional] = FIELDS[model];
  const absent = required.filter((field) => sent[field] === undefined);
  const foreign = ALL_FIELDS.filter(
    (field) => sent[field] !== undefined && !required.includes(field) && !optional.includes(field),
  );
  return [
    ...absent.map((field) => missing(field, `${field} is missing: the model ${model} needs it`)),
    ...foreign.map((field) => notAllowed(field, `${field} does not belong to the model ${model}`)),
  ];
}

function aggregationFaults({ aggregation }: Sent): ErrorDetail[] {
  if (aggregation === undefined) return [];
  const { type, property } = aggregation;
  const param = 'aggregation.property';
  if (type === 'count' && property !== undefined)
    return [notAllowed(param, `${param} does not belong to count`)];
  if (type !== 'count' && property === undefined)
    return [missing(param, `${param} is missing: ${type} needs it`)];
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

function chargeOf(sent: Sent, plan_model: PricingModel | undefined): Charge {
  const { event_name, name = null, unit_name = null, filters = {} } = sent;
  return {
    id: newId('chg'),
    event_name,
    name,
    unit_name,
    aggregation: aggregationOf(sent),
    filters: Object.keys(filters).length === 0 ? null : filters,
    // chargeFaults refused a charge that has none.
    pricing: pricingOf(sent, (sent.pricing_model ?? plan_model)!),
  };
}

function aggregationOf({ aggregation }: Sent): Aggregation {
  if (aggregation === undefined || aggregation.type === 'count') return { type: 'count' };
  return { type: aggregation.type, property: aggregation.property! };
}

/** fieldFaults guarantees every field that is read with `!`. */
function pricingOf(sent: Sent, pricing_model: PricingModel): Pricing {
  switch (pricing_model) {
    case 'flat':
      return { pricing_model, flat_amount: sent.flat_amount! };
    case 'per_unit':
      return { pricing_model, unit_amount: sent.unit_amount! };
    case 'graduated':
    case 'volume':
      return { pricing_model, tiers: sent.tiers!.map(tierOf) };
    case 'package': {
      const { package_size, package_amount, free_units = '0' } = sent;
      return { pricing_model, package_size: package_size!, package_amount: package_amount!, free_units };
    }
    case 'credit': {
      const { credits_per_unit = '1', overage_unit_amount = '0' } = sent;
      return { pricing_model, credits_per_unit, overage_unit_amount };
    }
  }
}

function tierOf({ up_to, unit_amount, flat_amount }: Static<typeof NewTier>): Tier {
  return { up_to, unit_amount, flat_amount: flat_amount ?? null };
}
