import { canonical, decimal } from './decimal.ts';
import type { Pricing } from './pricing/definitions.ts';

export type Aggregation = { type: 'count' } | { type: 'sum' | 'max' | 'unique' | 'latest'; property: string };

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
