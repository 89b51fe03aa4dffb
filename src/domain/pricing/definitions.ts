import type { Decimal } from '../money/decimal.ts';
import { impossible } from '../money/errors.ts';
import { creditPricing } from './credit.ts';
import type {
  Calculation,
  Definition,
  FieldFault,
  Fields,
  Formats,
  RatedUsage,
  Rating,
  Values,
} from './definition.ts';
import { flatPricing } from './flat.ts';
import { graduatedPricing } from './graduated.ts';
import { packagePricing } from './package.ts';
import { perUnitPricing } from './per-unit.ts';
import { percentagePricing } from './percentage.ts';
import type { Tier } from './tiers.ts';
import { volumePricing } from './volume.ts';

/** Every pricing model, in the order of the documentation. A new model is a definition, its figures and a line here. */
const DEFINITIONS = {
  flat: flatPricing,
  per_unit: perUnitPricing,
  graduated: graduatedPricing,
  volume: volumePricing,
  package: packagePricing,
  credit: creditPricing,
  percentage: percentagePricing,
};

export type PricingModel = keyof typeof DEFINITIONS;

type FieldsOf = { [M in PricingModel]: (typeof DEFINITIONS)[M]['fields'] };
type Pricings = { [M in PricingModel]: { readonly pricing_model: M } & Values<FieldsOf[M]> };

/** The prices of a charge, by model (contract.md 3); defaults are filled in, decimals are canonical. */
export type Pricing = Pricings[PricingModel];

/** The pricing of one model. */
export type PricingOf<M extends PricingModel> = Pricings[M];

/** The models whose prices may differ by the values of properties. */
export type ListedModel = {
  [M in PricingModel]: (typeof DEFINITIONS)[M]['may_be_listed'] extends true ? M : never;
}[PricingModel];

type Facts =
  'name' | 'meaning' | 'fields' | 'is_metered' | 'may_be_listed' | 'may_fall' | 'aggregations' | 'tierRule';

/** The facts of every model that do not depend on its prices; for the rest see `modelOf`. */
export const MODELS: Readonly<Record<PricingModel, Pick<Definition<Fields>, Facts>>> = DEFINITIONS;

export const PRICING_MODELS: readonly PricingModel[] = Object.keys(MODELS).filter(isPricingModel);

export function isPricingModel(name: string): name is PricingModel {
  return Object.hasOwn(MODELS, name);
}

export function isListedModel(model: PricingModel): model is ListedModel {
  return MODELS[model].may_be_listed;
}

export const LISTED_MODELS: readonly ListedModel[] = PRICING_MODELS.filter(isListedModel);

/** Whether a charge bills events. A charge that does not has the line type `flat`. */
export function isMetered({ pricing_model }: { pricing_model: PricingModel }): boolean {
  return MODELS[pricing_model].is_metered;
}

/** The name of a field of any model. */
export type PricingField = { [M in PricingModel]: keyof FieldsOf[M] }[PricingModel];

const FIELD_NAMES = new Set(PRICING_MODELS.flatMap((model) => Object.keys(MODELS[model].fields)));

export function isPricingField(name: string): name is PricingField {
  return FIELD_NAMES.has(name);
}

/**
 * Builds the pricing of a charge from the fields of its model, fills in defaults and ignores other fields. The caller
 * has refused a charge without a required field; here it throws.
 */
export function pricingOf(pricing_model: PricingModel, sent_fields: SentFields): Pricing {
  const fields = Object.entries(MODELS[pricing_model].fields);
  const values = fields.map(([name, field]) => [name, sent_fields[name] ?? field.default]);
  const pricing = { pricing_model, ...Object.fromEntries(values) };
  if (!isPricing(pricing))
    throw impossible(`A charge with the pricing model ${pricing_model} has no value for a required field.`);
  return pricing;
}

type SentFields = Readonly<Record<string, unknown>>;

function isPricing(pricing: { pricing_model: PricingModel; [field: string]: unknown }): pricing is Pricing {
  return Object.entries(MODELS[pricing.pricing_model].fields).every(([name, field]) => {
    const value = pricing[name];
    if (field.kind === 'tiers') return Array.isArray(value);
    return typeof value === 'string' || (value === null && field.default === null);
  });
}

const TABLE: { readonly [M in PricingModel]: Definition<FieldsOf[M]> } = DEFINITIONS;

/** A model with the prices of one charge filled in. */
export type BoundModel = {
  fields: Fields;
  values: Readonly<Record<string, string | null | readonly Tier[]>>;
  faults: () => readonly FieldFault[];
  creditableUnits: (quantity: Decimal) => Decimal;
  rate: (usage: RatedUsage) => Rating;
  unitPrice: (formats: Formats) => string;
  singlePrice: () => string | null;
  creditsOf: ((quantity: string, formats: Formats) => string) | null;
  ofQuantity: (formats: Formats) => string;
  limitOf: (quantity: Decimal, formats: Formats) => string | null;
  calculation: (billable_quantity: string, formats: Formats) => Calculation | null;
};

/** Models by their prices, which never change: a line asks for the same model several times. */
const BOUND = new WeakMap<Pricing, BoundModel>();

export function modelOf(pricing: Pricing): BoundModel {
  const known = BOUND.get(pricing) ?? bound(pricing.pricing_model, pricing);
  BOUND.set(pricing, known);
  return known;
}

function bound<M extends PricingModel>(model: M, pricing: Pricings[M]): BoundModel {
  const definition = TABLE[model];
  const { creditsOf } = definition;
  return {
    fields: definition.fields,
    values: pricing,
    faults: () => definition.faults?.(pricing) ?? [],
    creditableUnits: (quantity) => definition.creditableUnits(pricing, quantity),
    rate: (usage) => definition.rate(pricing, usage),
    unitPrice: (formats) => definition.unitPrice(pricing, formats),
    singlePrice: () => definition.singlePrice?.(pricing) ?? null,
    creditsOf: creditsOf ? (quantity, formats) => creditsOf(pricing, quantity, formats) : null,
    ofQuantity: (formats) => definition.ofQuantity?.(pricing, formats) ?? '',
    limitOf: (quantity, formats) => definition.limitOf?.(pricing, quantity, formats) ?? null,
    calculation: (quantity, formats) => definition.calculation(pricing, quantity, formats),
  };
}
