import { isPricingField, MODELS, type PricingModel } from '../../../../src/domain/pricing/definitions.ts';
import type { Aggregation, Plan } from '../../api/objects.ts';
import type { SentPricing } from '../../api/sent-pricing.ts';

/** A plan as it is being written: all that was typed, also what the chosen model has no use for, in case it is chosen again. */
export type DraftPlan = {
  name: string;
  currency: string;
  interval: Plan['interval'];
  interval_count: string;
  charges: readonly DraftCharge[];
};

/** `key` is the same for as long as the charge is in the form. */
export type DraftCharge = {
  key: number;
  event_name: string;
  name: string;
  unit_name: string;
  pricing_model: PricingModel;
  aggregation: Aggregation['type'];
  property: string;
  filters: readonly DraftFilter[];
  tiers: readonly DraftTier[];
  /** The other fields of all models, by name. */
  amounts: Readonly<Record<string, string>>;
};

/** `values` holds one in a line. */
export type DraftFilter = { key: number; property: string; values: string };

/** The last tier of a charge has no end, whatever its `up_to` holds. */
export type DraftTier = { key: number; up_to: string; unit_amount: string; flat_amount: string };

let keys_given = 0;

function newKey(): number {
  keys_given += 1;
  return keys_given;
}

export function newPlan(currency: string): DraftPlan {
  return { name: '', currency, interval: 'month', interval_count: '1', charges: [newCharge()] };
}

export function newCharge(): DraftCharge {
  return {
    ...{ key: newKey(), event_name: '', name: '', unit_name: '', pricing_model: 'graduated' },
    ...{ aggregation: 'count', property: '', filters: [], tiers: [newTier(), newTier()] },
    amounts: {},
  };
}

export function newTier(): DraftTier {
  return { key: newKey(), up_to: '', unit_amount: '', flat_amount: '' };
}

export function newFilter(): DraftFilter {
  return { key: newKey(), property: '', values: '' };
}

/** The same list with another item in one place. */
export function withItem<Item>(items: readonly Item[], place: number, item: Item): Item[] {
  return items.map((other, index) => (index === place ? item : other));
}

export function withoutItem<Item>(items: readonly Item[], place: number): Item[] {
  return items.filter((_, index) => index !== place);
}

/** Which charges and tiers there are. The server names them by their places, which another shape gives to others. */
export function shapeOf({ charges }: DraftPlan): string {
  return charges.map(({ key, tiers }) => [key, ...tiers.map((tier) => tier.key)].join()).join(';');
}

/** What is sent to make the plan. What is blank is left out: the server says what it cannot do without. */
export function bodyOf({ name, currency, interval, interval_count, charges }: DraftPlan): object {
  return {
    name: given(name),
    currency: given(currency),
    interval,
    // What is no whole number goes as it was typed, for the server to say so.
    interval_count: /^\d{1,9}$/.test(interval_count.trim()) ? Number(interval_count) : interval_count,
    charges: charges.map((charge) => ({
      event_name: given(charge.event_name),
      name: given(charge.name),
      ...selectionOf(charge),
      ...pricingOf(charge),
    })),
  };
}

function selectionOf({ pricing_model, unit_name, aggregation, property, filters }: DraftCharge): object {
  if (pricing_model === 'flat') return {};
  return {
    unit_name: given(unit_name),
    aggregation:
      aggregation === 'count' ? { type: aggregation } : { type: aggregation, property: given(property) },
    filters: Object.fromEntries(filters.map(({ property, values }) => [property.trim(), valuesIn(values)])),
  };
}

/** A filter compares values as text, so that a number need not be one here. */
function valuesIn(lines: string): string[] {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The prices of a charge, with the fields of its model alone. */
export function pricingOf({ pricing_model, amounts, tiers }: DraftCharge): SentPricing {
  const names = Object.keys(MODELS[pricing_model].fields).filter(isPricingField);
  const decimals = names.filter((name) => name !== 'tiers').map((name) => [name, given(amounts[name] ?? '')]);
  return {
    pricing_model,
    ...Object.fromEntries(decimals),
    ...(names.includes('tiers') ? { tiers: tiers.map(sentTier) } : {}),
  };
}

function sentTier(
  { up_to, unit_amount, flat_amount }: DraftTier,
  place: number,
  tiers: readonly DraftTier[],
) {
  return {
    up_to: place === tiers.length - 1 ? null : given(up_to),
    unit_amount: given(unit_amount),
    flat_amount: given(flat_amount),
  };
}

/** Whether every price that the model requires is filled in: a server that is asked sooner only says which is missing. */
export function isPriced(charge: DraftCharge): boolean {
  const { tiers = [] } = pricingOf(charge);
  const required = Object.entries(MODELS[charge.pricing_model].fields).filter(
    ([, field]) => field.kind !== 'tiers' && field.default === undefined,
  );
  return (
    required.every(([name]) => given(charge.amounts[name] ?? '') !== undefined) &&
    tiers.every(({ up_to, unit_amount }) => up_to !== undefined && unit_amount !== undefined)
  );
}

function given(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}
