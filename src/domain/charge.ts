import { ZERO, canonical, decimal } from './decimal.ts';

export const PRICING_MODELS = ['flat', 'per_unit', 'graduated', 'volume', 'package', 'credit'] as const;

export type PricingModel = (typeof PRICING_MODELS)[number];

export type Aggregation = { type: 'count' } | { type: 'sum' | 'max' | 'unique' | 'latest'; property: string };

/** `up_to` is inclusive, and null on the last tier alone. Prices are canonical decimals in major units. */
export type Tier = { up_to: string | null; unit_amount: string; flat_amount: string | null };

/** What a charge asks for, by model (contract.md 3); defaults are filled in, decimals are canonical. */
export type Pricing =
  | { pricing_model: 'flat'; flat_amount: string }
  | { pricing_model: 'per_unit'; unit_amount: string }
  | { pricing_model: 'graduated'; tiers: readonly Tier[] }
  | { pricing_model: 'volume'; tiers: readonly Tier[] }
  | { pricing_model: 'package'; package_size: string; package_amount: string; free_units: string }
  | { pricing_model: 'credit'; credits_per_unit: string; overage_unit_amount: string };

/** The pricing of one model, for the file that knows it. */
export type PricingOf<M extends PricingModel> = Extract<Pricing, { pricing_model: M }>;

/** Property to the values that it may have, compared as text: 1 and "1" are one (billing.md 2). */
export type Filters = Record<string, (string | number | boolean)[]>;

export type Charge = {
  id: string;
  event_name: string;
  name: string | null;
  /** What the quantity is of, in the plural, for the person who pays: "minutes". */
  unit_name: string | null;
  aggregation: Aggregation;
  filters: Filters | null;
  pricing: Pricing;
};

/** `param` is relative to the charge, `tiers[1].up_to`, and `message` begins with it: prefix both alike. */
export type PricingFault = { param: string; reason: 'out_of_order' | 'out_of_range'; message: string };

/** What a schema cannot say of a charge's prices (contract.md 3 and 7). A pricing without faults can be rated. */
export function pricingFaults(pricing: Pricing): PricingFault[] {
  const { pricing_model: _, ...fields } = pricing;
  return Object.entries(fields).flatMap(([param, value]) =>
    typeof value === 'string' ? numberFaults(param, value) : tierFaults(value),
  );
}

type Selecting = Pick<Charge, 'event_name' | 'aggregation' | 'filters' | 'pricing'>;

/** The places of the first two charges that would bill the same events alike, or null. Flat ones never do. */
export function overlappingCharges(charges: readonly Selecting[]): [number, number] | null {
  const places = new Map<string, number>();
  for (const [place, charge] of charges.entries()) {
    if (charge.pricing.pricing_model === 'flat') continue;
    const key = selectionOf(charge);
    const earlier = places.get(key);
    if (earlier !== undefined) return [earlier, place];
    places.set(key, place);
  }
  return null;
}

/** One text for all charges that read the same events in the same way. */
function selectionOf({ event_name, aggregation, filters }: Selecting): string {
  const property = aggregation.type === 'count' ? null : aggregation.property;
  const conditions = Object.entries(filters ?? {}).map(([name, values]) =>
    JSON.stringify([name, [...new Set(values.map(filterText))].sort()]),
  );
  return JSON.stringify([event_name, aggregation.type, property, conditions.sort()]);
}

/** As the database prints it: a number without an exponent. */
export function filterText(value: string | number | boolean): string {
  return typeof value === 'number' ? canonical(decimal(`${value}`)) : `${value}`;
}

function numberFaults(param: string, value: string): PricingFault[] {
  const number = decimal(value);
  if (param === 'package_size' && number.lte(ZERO)) return [outOfRange(param, 'must be above 0')];
  return number.lt(ZERO) ? [outOfRange(param, 'must not be negative')] : [];
}

function tierFaults(tiers: readonly Tier[]): PricingFault[] {
  if (tiers.length === 0) return [outOfRange('tiers', 'must not be empty')];
  return tiers.flatMap((tier, index) => [
    ...boundFaults(tiers, index),
    ...numberFaults(`tiers[${index}].unit_amount`, tier.unit_amount),
    ...numberFaults(`tiers[${index}].flat_amount`, tier.flat_amount ?? '0'),
  ]);
}

function boundFaults(tiers: readonly Tier[], index: number): PricingFault[] {
  const param = `tiers[${index}].up_to`;
  const bound = tiers[index]?.up_to ?? null;
  const isLast = index === tiers.length - 1;
  if (bound === null) return isLast ? [] : [outOfOrder(param, 'must not be null before the last tier')];
  if (isLast) return [outOfOrder(param, 'must be null, as the last tier has no end')];
  if (decimal(bound).lte(ZERO)) return [outOfRange(param, 'must be above 0')];
  const before = tiers[index - 1]?.up_to ?? null;
  if (before !== null && decimal(bound).lte(before)) return [outOfOrder(param, `must be above ${before}`)];
  return [];
}

function outOfOrder(param: string, fault: string): PricingFault {
  return { param, reason: 'out_of_order', message: `${param} ${fault}` };
}

function outOfRange(param: string, fault: string): PricingFault {
  return { param, reason: 'out_of_range', message: `${param} ${fault}` };
}
