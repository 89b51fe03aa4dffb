import { canonical, decimal } from '../money/decimal.ts';
import { isMetered, type Pricing } from './definitions.ts';
import type { PriceList } from './price-list.ts';

export type Aggregation = { type: 'count' } | { type: 'sum' | 'max' | 'unique' | 'latest'; property: string };

/** Allowed values by property. Values are compared as text: 1 and "1" are equal (billing.md 2). */
export type Filters = Record<string, (string | number | boolean)[]>;

export type Charge = {
  id: string;
  event_name: string;
  name: string | null;
  /** The unit of the quantity on the invoice, in the plural: "minutes". */
  unit_name: string | null;
  aggregation: Aggregation;
  filters: Filters | null;
  pricing: Pricing | PriceList;
  /** The properties by whose values the charge has lines of their own; at most two. */
  group_by: readonly string[] | null;
};

/** Whether a flat charge is for one of a quantity that the subscription has by its event name (billing.md 14). */
export function isOfQuantity({ pricing }: Pick<Charge, 'pricing'>): boolean {
  return 'quantity' in pricing && pricing.quantity === 'subscription';
}

/**
 * The indexes of the first two charges of which one names a quantity and the other has the same event name, or null.
 */
export function sharedQuantity(charges: readonly Selecting[]): [number, number] | null {
  for (const [later, charge] of charges.entries()) {
    const earlier = charges.findIndex(
      (other, place) =>
        place < later &&
        other.event_name === charge.event_name &&
        (isOfQuantity(other) || isOfQuantity(charge)),
    );
    if (earlier !== -1) return [earlier, later];
  }
  return null;
}

type Selecting = Pick<Charge, 'event_name' | 'aggregation' | 'filters' | 'pricing'>;

/**
 * The indexes of the first two charges that count the same events in the same way, or null. Flat charges count none.
 */
export function overlappingCharges(charges: readonly Selecting[]): [number, number] | null {
  const places = new Map<string, number>();
  for (const [place, charge] of charges.entries()) {
    if (!isMetered(charge.pricing)) continue;
    const key = selectionOf(charge);
    const earlier = places.get(key);
    if (earlier !== undefined) return [earlier, place];
    places.set(key, place);
  }
  return null;
}

/** A key that is equal for charges that count the same events in the same way. */
export function selectionOf({
  event_name,
  aggregation,
  filters,
}: Pick<Charge, 'event_name' | 'aggregation' | 'filters'>): string {
  const property = aggregation.type === 'count' ? null : aggregation.property;
  return JSON.stringify([event_name, aggregation.type, property, conditionsOf(filters)]);
}

/** Filters as texts, equal for filters that allow the same values. */
export function conditionsOf(filters: Filters | null): string[] {
  return [...allowedTexts(filters)].map(([name, texts]) => JSON.stringify([name, [...texts].sort()])).sort();
}

/** The texts that filters allow, by property. */
export type AllowedTexts = ReadonlyMap<string, ReadonlySet<string>>;

export function allowedTexts(filters: Filters | null | undefined): AllowedTexts {
  const entries = Object.entries(filters ?? {});
  return new Map(entries.map(([property, values]) => [property, new Set(values.map(filterText))]));
}

/** Whether each property that filters name has one of their texts; a value that is no text passes none. */
export function passes(filters: AllowedTexts, textOf: (property: string) => unknown): boolean {
  for (const [property, texts] of filters) {
    const text = textOf(property);
    if (typeof text !== 'string' || !texts.has(text)) return false;
  }
  return true;
}

/** A filter value as the database prints it: numbers without an exponent. */
export function filterText(value: string | number | boolean): string {
  return typeof value === 'number' ? canonical(decimal(`${value}`)) : `${value}`;
}
